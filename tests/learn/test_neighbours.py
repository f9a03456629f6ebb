"""Linear and monotone neighbour regularisation: gradients, limits, and what PRO makes of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import check_grad

from demotic.base import DemoticError
from demotic.features import FeatureBins, FeatureIndex, Weights
from demotic.learn import KBestPool, Pro, ProOptions, SvmOptions
from demotic.learn.batch.logistic import minimize
from demotic.learn.neighbours import Chains, LinearNeighbours, MonotoneNeighbours, NeighbourOptions
from demotic.learn.online.rule import DataSize
from demotic.learn.workers.kbest_lists import KBestLists
from learn.toy_pool import toy_pool


def index_of(*features: tuple[str, int]) -> FeatureIndex:
    """Bins of features with so many values, and others between them."""
    index = FeatureIndex()
    index.intern("LanguageModel")
    for name, size in features:
        values = tuple(map(float, range(size)))
        for bin_name in reversed(FeatureBins(name, values, values).names):
            index.intern(bin_name)
        index.intern(f"id:{name}|x")
    return index


def places(index: FeatureIndex, feature: str, size: int) -> list[int]:
    return [index.find(f"bin:{feature}_{i}") for i in range(size)]  # type: ignore[misc]


def test_by_hand():
    index = index_of(("A", 4))
    weights = np.zeros(len(index))
    weights[places(index, "A", 4)] = [0.0, 2.0, 3.0, -1.0]
    a = [1.5 - 2.0, 0.5 - 3.0]
    value, gradient = LinearNeighbours(Chains(index), 3.0)(weights)
    assert value == pytest.approx(3 * (a[0] ** 2 + a[1] ** 2))
    assert gradient[index.find("LanguageModel")] == 0 == gradient[index.find("id:A|x")]
    b = [-1.5, 1.5]
    damping = [np.tanh(a[i] / b[i]) ** 4 for i in range(2)]
    value, _ = MonotoneNeighbours(Chains(index), 3.0, 2.0)(weights)
    assert value == pytest.approx(3 * (damping[0] * a[0] ** 2 + damping[1] * a[1] ** 2))


@given(st.integers(0, 10**6), st.floats(0.3, 8.0), st.sampled_from(["lnr", "mnr"]))
@settings(max_examples=80, deadline=None)
def test_gradients_against_finite_differences(seed: int, gamma: float, kind: str):
    index = index_of(("A", 7), ("B", 1), ("C", 2), ("D", 5))
    weights = np.random.default_rng(seed).normal(size=len(index))
    options = NeighbourOptions(kind, beta=1.7, gamma=gamma)  # type: ignore[arg-type]
    penalty = options.neighbours(Chains(index))
    assert penalty is not None
    assert check_grad(lambda w: penalty(w)[0], lambda w: penalty(w)[1], weights, epsilon=1e-6) < 1e-3


def test_equal_neighbours_and_zero_by_zero():
    index = index_of(("A", 3))
    left, middle, right = places(index, "A", 3)
    penalty = MonotoneNeighbours(Chains(index), 1.0, 2.0)
    weights = np.zeros(len(index))
    assert penalty(weights)[0] == 0 and not penalty(weights)[1].any()
    weights[middle] = 0.5  # its neighbours are equal: as b -> 0 the damping is 1
    value, gradient = penalty(weights)
    assert value == pytest.approx(0.25) and gradient[middle] == pytest.approx(1.0)
    for tiny in (1e-3, 1e-9, 1e-300, -1e-300):
        weights[left], weights[right] = tiny, -tiny
        near, slope = penalty(weights)
        assert near == pytest.approx(value) and slope == pytest.approx(gradient) and np.isfinite(slope).all()


def test_neighbours_are_of_one_feature():
    index = index_of(("A", 3), ("B", 3))
    weights = np.zeros(len(index))
    weights[places(index, "A", 3)] = [0.0, 1.0, 2.0]
    weights[places(index, "B", 3)] = [50.0, 40.0, 30.0]
    assert LinearNeighbours(Chains(index), 1.0)(weights)[0] == 0


def test_chains_grow_with_the_index():
    index = index_of(("A", 3))
    chains = Chains(index)
    assert len(chains.middle) == 1
    index.intern("bin:A_0.5")
    chains.extend(index)
    assert index.name(int(chains.middle[0])) == "bin:A_0.5" and len(chains.middle) == 2


def fitted(
    target: np.ndarray, penalty: LinearNeighbours | MonotoneNeighbours, index: FeatureIndex
) -> np.ndarray:
    """The weights of A closest to a target in squares, under a penalty."""
    ids = places(index, "A", len(target))

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        value, gradient = penalty(weights)
        gradient[ids] += 2 * (weights[ids] - target)
        return value + float(((weights[ids] - target) ** 2).sum()), gradient

    start = np.zeros(len(index))
    start[ids] = target
    return minimize(loss, start)[0][ids]


def test_a_large_beta_gives_a_line():
    """LNR: the limit is the straight line that comes closest."""
    index = index_of(("A", 9))
    target = np.random.default_rng(3).normal(size=9)
    found = fitted(target, LinearNeighbours(Chains(index), 1e5), index)
    line = np.polyval(np.polyfit(np.arange(9), target, 1), np.arange(9))
    assert found == pytest.approx(line, abs=2e-3)


def test_a_large_beta_gives_a_monotone_curve():
    """MNR: bumps are levelled, while a curve that rises throughout is not straightened."""
    index = index_of(("A", 9))
    curve = np.log(np.arange(1, 10))
    bumpy = curve + 0.3 * np.array([0, 1, -1, 1, -1, 1, -1, 1, 0])
    assert (np.diff(bumpy) < 0).any()
    monotone = MonotoneNeighbours(Chains(index), 1e4, 8.0)
    assert np.diff(fitted(bumpy, monotone, index)).min() > -1e-2
    kept = fitted(curve, MonotoneNeighbours(Chains(index), 1e4, 8.0), index)
    assert kept == pytest.approx(curve, abs=1e-2)
    straight = fitted(curve, LinearNeighbours(Chains(index), 1e4), index)
    assert np.abs(straight - curve).max() > 0.2


def binned_pool(bins: int = 8, sentences: int = 40, size: int = 25) -> KBestPool:
    """Translations whose quality is a log-shaped function of counts in bins; the fourth bin is never seen."""
    plain = toy_pool(sentences, size)
    rng = np.random.default_rng(5)
    rows = rng.multinomial(6, np.ones(bins) / bins, size=sentences * size)
    rows[:, 3] = 0
    quality = rows @ np.log1p(np.arange(bins))
    matches = np.clip(np.round(3 + 9 * (quality - quality.min()) / np.ptp(quality)), 3, 12).astype(np.int32)
    statistics = plain.statistics.copy()
    statistics[:, :4] = np.maximum(1, matches[:, None] - np.arange(4))
    present = rows > 0
    lists = KBestLists(
        [f"bin:A_{i}" for i in range(bins)],
        plain.begins,
        rng.integers(0, 2**62, len(rows)).astype(np.uint64),
        statistics,
        statistics[::size],
        np.concatenate([[0], np.cumsum(present.sum(axis=1))]),
        np.nonzero(present)[1].astype(np.int32),
        rows[present].astype(np.float32),
    )
    pool = KBestPool(sentences, index_of(("A", bins)))
    pool.add(lists)
    return pool


@pytest.mark.parametrize("kind", ["lnr", "mnr"])
def test_pro_fills_a_bin_that_was_never_seen(kind: str):
    pool = binned_pool()
    weights = {}
    for regularizer in ("none", kind):
        options = ProOptions(interpolation=1.0, l2=0.01, regularizer=regularizer, beta=1.0)  # type: ignore[arg-type]
        found = Pro(options).optimize(pool, Weights(pool.index), 1, 0).weights
        weights[regularizer] = np.array([found.get(f"bin:A_{i}") for i in range(8)])
    assert weights["none"][3] == 0
    assert weights[kind][2] < weights[kind][3] < weights[kind][4]


@pytest.mark.parametrize("sentences", [10, 5000])
def test_beta_stands_beside_the_mean_loss_of_a_sentence(sentences: int):
    """Each sentence steps along the whole gradient of the regulariser, however many there are."""
    index = index_of(("A", 6))
    weights = Weights(index, np.random.default_rng(3).normal(size=len(index)))
    options = SvmOptions(regularizer="lnr", beta=0.3, step=0.01)
    _, gradient = LinearNeighbours(Chains(index), 0.3)(weights.values)
    expected = weights.values - 0.01 * gradient
    options.rule(weights, DataSize(sentences, sentences))._pull_neighbours()  # type: ignore[attr-defined]
    assert weights.values == pytest.approx(expected)


@pytest.mark.parametrize("options", [{"beta": -1.0}, {"gamma": 0.0}, {"gamma": -2.0}])
def test_bad_options(options: dict[str, float]):
    with pytest.raises(DemoticError, match=f"{next(iter(options))} must be"):
        ProOptions(regularizer="mnr", **options)  # type: ignore[arg-type]
