"""Sums of feature vectors of a list, which all updates are made of."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic import _core
from demotic.base import DemoticError
from demotic.decode import KBest
from evaluate.lists import graph_of

matrices = st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=2, max_size=6)


def list_of(rows: list[tuple[int, int]]) -> tuple[KBest, np.ndarray]:
    """Hypotheses with these values of A and B, and a feature that has the same value everywhere; and the matrix."""
    rules = "".join(
        f"[X] ||| source ||| word{i} ||| A={a / 8} B={b / 8} Same=0.1 |||\n" for i, (a, b) in enumerate(rows)
    )
    graph = graph_of(rules, "source")
    kbest = graph.kbest(len(rows))  # not those that copy the source
    assert len(kbest) == len(rows)
    return kbest, kbest.to_scipy(len(graph.index)).toarray()


@settings(deadline=None)
@given(matrices, st.data())
def test_equals_the_matrix_product(rows: list[tuple[int, int]], data: st.DataObject):
    kbest, matrix = list_of(rows)
    drawn = data.draw(st.lists(st.floats(-1, 1), min_size=len(rows) - 1, max_size=len(rows) - 1))
    coefficients = np.array([*drawn, -sum(drawn)])
    ids, values = _core.combine_rows(kbest.native, coefficients)
    found = np.zeros(matrix.shape[1])
    found[ids] = values
    assert found == pytest.approx(coefficients @ matrix, abs=1e-12)
    assert (np.diff(ids.astype(int)) > 0).all() and (values != 0).all()


def test_what_is_the_same_everywhere_vanishes_exactly():
    """Or else rounding would give a weight to a feature that tells nothing apart."""
    kbest, matrix = list_of([(1, 0), (2, 0), (3, 1)])
    coefficients = np.array([0.1, 0.2, -0.3])
    assert sum(coefficient * float(np.float32(0.1)) for coefficient in coefficients) != 0
    ids, _ = _core.combine_rows(kbest.native, coefficients)
    assert np.ptp(matrix[:, ids], axis=0).all()


def test_too_few_coefficients():
    kbest, _ = list_of([(1, 0), (2, 0)])
    with pytest.raises(DemoticError, match="2 hypotheses with 1 coefficients"):
        _core.combine_rows(kbest.native, np.zeros(1))
