"""Mixing and joint feature selection."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from demotic import _core
from demotic.base import DemoticError
from demotic.features import Weights
from learn.reference import Vector, mean, select

NAMES = ["id:a|b", "id:c|d", "LanguageModel", "Glue", "shape:N|N", "src_ngram:x_y"]
MATRICES = st.lists(
    st.dictionaries(st.sampled_from(NAMES), st.integers(-4, 4).map(float)), min_size=1, max_size=5
)


def columns(vectors: list[Vector]) -> _core.FeatureColumns:
    result = _core.FeatureColumns()
    for vector in vectors:
        result.add(Weights.from_dict(vector).pack())
    return result


def selected(vectors: list[Vector], **selection: object) -> Vector:
    return Weights.unpack(columns(vectors).select(_core.Selection(**selection))).to_dict()  # type: ignore[arg-type]


def matrix(*rows: list[float]) -> list[Vector]:
    return [{f"w:{d}": float(value) for d, value in enumerate(row)} for row in rows]


def l1_l2_norm(rows: list[Vector]) -> float:
    """||W||_{1,2} of section 4: the sum of the l2 norms of the columns."""
    return sum(columns(rows).norm(name) for name in {name for row in rows for name in row})


def test_figure_2_of_simianer_2012():
    apart = matrix([6, 4, 0, 0, 0], [0, 0, 3, 0, 0], [0, 0, 0, 2, 3])
    shared = matrix([6, 4, 0, 0, 0], [3, 0, 0, 0, 0], [2, 3, 0, 0, 0])
    assert l1_l2_norm(apart) == pytest.approx(18)
    assert l1_l2_norm(shared) == pytest.approx(12)
    assert [columns(shared).norm(f"w:{d}") for d in range(5)] == pytest.approx([7, 5, 0, 0, 0])


def test_the_matrices_of_the_slide():
    assert l1_l2_norm(matrix([4, 0, 0, 3], [0, 4, 3, 0])) == pytest.approx(14)
    assert l1_l2_norm(matrix([4, 3, 0, 0], [0, 4, 3, 0])) == pytest.approx(12)


@given(MATRICES)
def test_mixing_is_the_mean_over_shards(vectors: list[Vector]):
    expected = {name: value for name, value in mean(vectors).items() if value}
    assert selected(vectors) == pytest.approx(expected)


@given(MATRICES, st.dictionaries(st.sampled_from(NAMES), st.integers(-4, 4).map(float)))
def test_mixing_over_the_shards_that_changed_a_weight(vectors: list[Vector], initial: Vector):
    every = _core.FeatureColumns()
    every.begin(Weights.from_dict(initial).pack())
    for vector in vectors:
        every.add(Weights.from_dict(vector).pack())
    expected = {}
    for name in NAMES:
        before, values = initial.get(name, 0.0), [vector.get(name, 0.0) for vector in vectors]
        changed = [value for value in values if value != before]
        expected[name] = sum(changed) / len(changed) if changed else before
    found = Weights.unpack(every.select(_core.Selection(over_changed=True))).to_dict()
    assert found == pytest.approx({name: value for name, value in expected.items() if value})


def test_initial_weights_come_first():
    with pytest.raises(DemoticError, match="come before"):
        columns([{"Glue": 1.0}]).begin(b"")


@given(MATRICES, st.integers(1, 6))
def test_the_k_columns_of_largest_norm(vectors: list[Vector], k: int):
    expected = {name: value for name, value in select(_without_zeros(vectors), k).items() if value}
    assert selected(vectors, k=k) == pytest.approx(expected)


def _without_zeros(vectors: list[Vector]) -> list[Vector]:
    return [{name: value for name, value in vector.items() if value} for vector in vectors]


@pytest.mark.parametrize(("norm", "order"), [("l0", None), ("l1", 1), ("l2", 2), ("linf", np.inf)])
def test_norms_of_columns(norm: str, order: float | None):
    rows = np.array([[1.0, -2, 0], [0, 3, 0], [4, 0, 5]])
    found = columns(matrix(*rows.tolist()))
    expected = [np.count_nonzero(c) if order is None else np.linalg.norm(c, order) for c in rows.T]
    assert [found.norm(f"w:{d}", norm) for d in range(3)] == pytest.approx(expected)


def test_dense_features_compete_unless_they_are_kept():
    vectors = [{"Glue": 0.1, "id:a|b": 1.0, "id:c|d": 2.0}]
    assert selected(vectors, k=1) == {"id:c|d": 2.0}
    assert selected(vectors, k=1, keep_dense=True) == {"Glue": 0.1, "id:c|d": 2.0}


def test_a_threshold_instead_of_k():
    assert selected([{"id:a|b": 1.0, "id:c|d": 2.0}], threshold=1.5) == {"id:c|d": 2.0}


def test_the_group_soft_threshold_shrinks_columns():
    """prox of s ||.||_2 at a column w is (1 - s / ||w||) w."""
    vectors = matrix([3, 0.5], [4, 0])
    assert selected(vectors, shrinkage=1.0) == pytest.approx({"w:0": (1 - 1 / 5) * 3.5})


@given(
    st.lists(st.integers(-4, 4).map(float), min_size=2, max_size=4), st.sampled_from([0.5, 2.0, 5.0, 20.0])
)
def test_shrinking_minimises_the_objective_of_the_group_lasso(column: list[float], strength: float):
    """prox of s ||.||_2 at a column w is the v with the least ||v - w||^2 / 2 + s ||v||_2: no direction leads lower from it."""
    found = selected(matrix(*([value] for value in column)), shrinkage=strength).get("w:0", 0.0)
    w = np.array(column)
    # Whatever v is, turning it towards w lowers the first term and leaves the second: v = t w. The rest is a search along w.
    steps = np.linspace(0, 1, 10_001)
    objective = ((1 - steps) ** 2) * (w @ w) / 2 + strength * steps * np.linalg.norm(w)
    best = steps[int(np.argmin(objective))]
    assert found == pytest.approx(best * w.mean(), abs=1e-3)


def test_ties_are_broken_by_name():
    vectors = [dict.fromkeys(reversed(NAMES), 1.0)]
    assert list(selected(vectors, k=2)) == sorted(NAMES)[:2]


def test_the_order_of_features_in_a_shard_does_not_matter():
    forwards = Weights.from_dict({name: float(i) for i, name in enumerate(NAMES)}).pack()
    backwards = Weights.from_dict({name: float(NAMES.index(name)) for name in reversed(NAMES)}).pack()
    assert forwards == backwards


def test_damaged_weights():
    packed = Weights.from_dict({"Glue": 1.0, "id:a|b": 2.0}).pack()
    for size in range(len(packed)):
        with pytest.raises(DemoticError, match="damaged"):
            Weights.unpack(packed[:size])
    with pytest.raises(DemoticError, match="damaged"):
        Weights.unpack(packed + b"x")
    with pytest.raises(DemoticError, match="no shard"):
        _core.FeatureColumns().select(_core.Selection())


def test_features_that_enter_have_the_weight_0():
    weights = Weights.from_dict({"id:b|b": 1.0, "id:d|d": 2.0}).pack()
    entering = Weights.from_dict({"id:a|a": 5.0, "id:b|b": 5.0, "id:e|e": 5.0}).pack()
    result = Weights.unpack(_core.activate_features(weights, entering))
    assert [result.index.name(i) for i in range(len(result.index))] == [
        "id:a|a",
        "id:b|b",
        "id:d|d",
        "id:e|e",
    ]
    assert result.values.tolist() == [0, 1, 2, 0]
