"""PRO: gradients, sampling, and what it learns."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import check_grad
from scipy.sparse import csr_matrix

from demotic.base import DemoticError
from demotic.features import FeatureIndex, Weights
from demotic.learn import L2, KBestPool, Pro, ProOptions, PullTo, Regularizer
from demotic.learn.batch.logistic import logistic_loss, minimize
from demotic.learn.registry import learner_options
from learn.toy_pool import toy_pool


class Neighbours:
    """A regulariser from elsewhere: the weights of neighbours are alike."""

    def __init__(self, index: FeatureIndex) -> None:
        self.size = len(index)

    def __call__(self, weights: np.ndarray) -> tuple[float, np.ndarray]:
        steps = np.diff(weights)
        gradient = np.zeros(self.size)
        gradient[1:] += 6 * steps
        gradient[:-1] -= 6 * steps
        return 3 * float(steps @ steps), gradient


def index_of(size: int) -> FeatureIndex:
    index = FeatureIndex()
    for i in range(size):
        index.intern(f"f{i}")
    return index


@given(st.integers(0, 10**6), st.integers(1, 6), st.integers(1, 20))
@settings(max_examples=60, deadline=None)
@pytest.mark.parametrize("kind", ["none", "l2", "pull", "neighbours", "all"])
def test_gradient_against_finite_differences(kind: str, seed: int, width: int, pairs: int):
    rng = np.random.default_rng(seed)
    differences = csr_matrix(rng.normal(size=(pairs, width)) * (rng.random((pairs, width)) < 0.5))
    known: dict[str, Regularizer] = {
        "l2": L2(0.7),
        "pull": PullTo(2.0, rng.normal(size=width)),
        "neighbours": Neighbours(index_of(width)),
    }
    chosen = [value for key, value in known.items() if kind in (key, "all")]
    loss = logistic_loss(differences, chosen)
    error = check_grad(lambda w: loss(w)[0], lambda w: loss(w)[1], rng.normal(size=width))
    assert error < 1e-4


def test_the_loss_is_a_mean_over_examples_in_both_directions():
    x = np.array([[1.0, -2.0], [0.5, 0.0]])
    w = np.array([0.3, 0.4])
    examples = [(y * row, y) for row in x for y in (1, -1)]
    expected = np.mean([np.log(1 + np.exp(-y * (w @ row))) for row, y in examples])
    assert logistic_loss(csr_matrix(x), [])(w)[0] == pytest.approx(expected)


def test_minimum_of_a_quadratic():
    target = np.array([1.0, -2.0, 3.0])
    found, value = minimize(logistic_loss(csr_matrix((1, 3)), [L2(1.0), PullTo(3.0, target)]), np.zeros(3))
    assert found == pytest.approx(0.75 * target, abs=1e-4)
    assert value == pytest.approx(np.log(2) + 0.75 * 14, abs=1e-6)


class Given(Pro):
    """PRO with pairs from outside."""

    def __init__(self, options: ProOptions, differences: np.ndarray) -> None:
        super().__init__(options)
        self.given = csr_matrix(differences)

    def _differences(self, pool: KBestPool, seed: int, iteration: int) -> Any:
        return self.given


@pytest.mark.parametrize("options", [{}, {"preset": "cdec"}, {"preset": "cdec", "regularizer": "lnr"}])
def test_twice_the_pairs_have_the_same_optimum(options: dict[str, Any]):
    rng = np.random.default_rng(5)
    index = FeatureIndex()
    for name in ("bin:A_0", "bin:A_1", "bin:A_2", "good"):
        index.intern(name)
    differences = rng.normal(0.1, 1.0, size=(300, 4))
    start = Weights(index, rng.normal(size=4))
    chosen = learner_options("pro", {"interpolation": 1.0, **options})
    found = [
        Given(chosen, np.tile(differences, (times, 1))).optimize(KBestPool(1, index), start, 1, 0).weights
        for times in (1, 2, 10)
    ]
    assert np.abs(found[0].values - start.values).max() > 0.1
    for other in found[1:]:
        assert other.values == pytest.approx(found[0].values, abs=1e-5)


@pytest.mark.parametrize(("preset", "l2", "pull"), [("hm2011", 0.5, 0.0), ("cdec", 500.0, 5000.0)])
def test_presets_are_those_of_the_tools_on_2000_sentences(preset: str, l2: float, pull: float):
    """The tools minimise a sum over both directions of 2,000 x 50 pairs: its slope, by finite differences, is 0 at our optimum."""
    rng = np.random.default_rng(2)
    rows = rng.normal([0.3, -0.1, 0.0], 1.0, size=(100_000, 3))
    old = np.array([0.2, 0.1, -0.3])

    def of_the_tool(w: np.ndarray) -> float:
        examples = sum(np.log1p(np.exp(-direction * (rows * direction) @ w)).sum() for direction in (1, -1))
        return float(examples + l2 * w @ w + pull * (w - old) @ (w - old))

    index = index_of(3)
    options = learner_options("pro", {"preset": preset, "interpolation": 1.0})
    found = Given(options, rows).optimize(KBestPool(1, index), Weights(index, old), 1, 0).weights.values
    curvature = (of_the_tool(found + 0.01) - 2 * of_the_tool(found) + of_the_tool(found - 0.01)) / 1e-4
    for step in 1e-3 * np.eye(3):
        slope = (of_the_tool(found + step) - of_the_tool(found - step)) / 2e-3
        assert abs(slope) < 1e-4 * curvature
    assert np.abs(found - old).max() > 0.1


def learnt(pool: KBestPool, seed: int = 1, iteration: int = 0, **options: Any) -> tuple[Weights, dict]:
    start = Weights.from_dict({"bad": 0.5}, pool.index)
    optimum = Pro(ProOptions(**options)).optimize(pool, start, seed, iteration)
    return optimum.weights, dict(optimum.report)


def test_separable_pairs_are_separated():
    pool = toy_pool()
    weights, report = learnt(pool, interpolation=1.0)
    assert report["errors"] == 0 and report["pairs"] == 30 * 50
    assert weights.get("good") > 0 > weights.get("bad")
    assert abs(weights.get("id:noise|x")) < 0.1 * weights.get("good")
    best = [pool.statistics[b:e, 0].max() for b, e in zip(pool.begins, pool.begins[1:], strict=False)]
    assert pool.statistics[pool.best(weights), 0].tolist() == best


def test_interpolation_moves_a_tenth_of_the_way():
    pool = toy_pool()
    old = Weights.from_dict({"bad": 0.5}, pool.index).values
    whole, part = (learnt(pool, interpolation=share)[0].values for share in (1.0, 0.1))
    assert part == pytest.approx(0.1 * whole + 0.9 * old)


def test_a_strong_pull_holds_the_weights():
    weights, _ = learnt(toy_pool(), interpolation=1.0, pull=1e7)
    assert weights.to_dict() == pytest.approx({"bad": 0.5, "good": 0.0, "id:noise|x": 0.0}, abs=1e-2)


def test_seed_and_iteration_choose_the_pairs():
    pool = toy_pool(size=60)
    first, again = learnt(pool)[0].values, learnt(pool)[0].values
    assert (first == again).all()
    assert (first != learnt(pool, seed=2)[0].values).any()
    assert (first != learnt(pool, iteration=1)[0].values).any()


def test_pairs_of_very_different_length_are_left_out():
    pool = toy_pool()
    pool.statistics[::7, 8] = 40  # monsters
    pairs = Pro(ProOptions(length_filter=1.0))._differences(pool, 1, 0)
    everything = Pro(ProOptions(samples=1000))._differences(pool, 1, 0)
    good = pool.index.find("good")
    assert pairs.shape[0] > 0 and everything.shape[0] > 0 and good is not None
    lengths = pool.statistics[:, 8].astype(float)
    options = ProOptions(length_filter=1.0)
    found = Pro(options)._sample(np.arange(20) / 20, lengths[:20], 1)
    deviation = np.sqrt(2 * lengths[:20].var())
    assert (np.abs(lengths[found[:, 0]] - lengths[found[:, 1]]) <= deviation).all() and len(found) == 50


class CentroidClassifier:
    """The simplest classifier with the shape of scikit-learn's: the mean of one class less that of the other."""

    def fit(self, X: Any, y: Any) -> CentroidClassifier:
        assert X.shape[0] == len(y) and sorted(set(y)) == [-1, 1]
        self.coef_ = np.asarray(
            X[y == 1].mean(axis=0) - X[y == -1].mean(axis=0)
        )  # a row, as scikit-learn has it
        return self


def test_any_linear_classifier_can_stand_in():
    pool = toy_pool()
    options = ProOptions(interpolation=1.0)
    optimum = Pro(options, classifier=CentroidClassifier).optimize(pool, Weights(pool.index), 1, 0)
    differences = Pro(options)._differences(pool, 1, 0)
    assert optimum.weights.values == pytest.approx(2 * np.asarray(differences.mean(axis=0)).ravel())
    assert optimum.report["errors"] == 0


def test_more_regularizers_are_made_for_the_pool():
    pool = toy_pool()
    options = ProOptions(interpolation=1.0)
    free = Pro(options).optimize(pool, Weights(pool.index), 1, 0).weights.values
    alike = Pro(options, [Neighbours]).optimize(pool, Weights(pool.index), 1, 0).weights.values
    assert np.ptp(alike) < 0.9 * np.ptp(free)


def test_nothing_to_learn_from():
    pool = toy_pool()
    pool.statistics[:] = pool.statistics[0]
    with pytest.raises(DemoticError, match="differ enough"):
        learnt(pool)


@pytest.mark.parametrize(
    "options",
    [
        {"interpolation": 0.0},
        {"l2": -1.0},
        {"threshold": -1.0},
        {"metric": "wer"},
        {"k": 0},
        {"iterations": 0},
    ],
)
def test_bad_options(options: dict[str, Any]):
    with pytest.raises(DemoticError):
        ProOptions(**options)
