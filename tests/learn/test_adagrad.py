"""AdaGrad with proximal steps: against finite differences and an eager version in plain Python."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from demotic.base import DemoticError
from demotic.decode import KBest
from demotic.features import FeatureIndex
from demotic.learn import AdaGradOptions
from demotic.learn.registry import learner_options, make_learner
from learn.lists import list_of, named_list

NAMES = ("Dense", "Other", "shape:a", "shape:b", "shape:c", "shape:d")
Pairs = list[tuple[int, int]]
Lists = Sequence[tuple[KBest, np.ndarray, Pairs]]


def loss_and_slope(options: AdaGradOptions, product: float) -> tuple[float, float]:
    """Of a pair, and its derivative by <w, x>."""
    if options.loss == "logistic":
        return math.log1p(math.exp(-product)), -1 / (1 + math.exp(product))
    return max(0.0, options.margin - product), -1.0 if product <= options.margin else 0.0


def prox(options: AdaGradOptions, weight: float, eta: float) -> float:
    size = max(0.0, abs(weight) - eta * options.l1) / (1 + eta * options.l2)
    return math.copysign(size, weight)


def rate(options: AdaGradOptions, is_dense: bool, squares: float) -> float:
    return (options.dense_rate if is_dense else options.learning_rate) / math.sqrt(squares)


def eager(options: AdaGradOptions, lists: Lists, start: Sequence[float]) -> tuple[np.ndarray, np.ndarray]:
    """The equations as they are: every list shrinks all weights. Weights at the end, or averaged, and sums of squares."""
    w, squares, moved = np.array(start), np.zeros(len(NAMES)), np.zeros(len(NAMES))
    after = []
    for _, matrix, pairs in lists:
        if not pairs:
            continue
        gradient = np.zeros(len(NAMES))
        for better, worse in pairs:
            x = matrix[better] - matrix[worse]
            gradient += loss_and_slope(options, float(w @ x))[1] * x
        for i, name in enumerate(NAMES):
            is_dense = ":" not in name
            if options.learn not in ("all", "dense" if is_dense else "sparse"):
                continue
            if abs(gradient[i]) > 1e-9:
                moved[i] += 1
                if is_dense or w[i] or squares[i] or moved[i] >= options.min_lists:
                    squares[i] += gradient[i] ** 2
                    w[i] -= rate(options, is_dense, squares[i]) * gradient[i]
            if squares[i] and (options.regularize_dense or not is_dense):
                w[i] = prox(options, w[i], rate(options, is_dense, squares[i]))
        after.append(w.copy())
    return (np.mean(after, axis=0) if options.epoch_average and after else w), squares


def lazy(
    options: AdaGradOptions, lists: Lists, start: Sequence[float], index: FeatureIndex
) -> tuple[np.ndarray, np.ndarray]:
    weights, adagrad = np.zeros(len(index)), options.native()
    weights[: len(NAMES)] = start
    for kbest, _, pairs in lists:
        chosen = np.array(pairs, np.uint32).reshape(-1, 2)
        adagrad.update(kbest.native, chosen, np.zeros(0), index, weights)
    adagrad.finish(weights)
    squares = np.zeros(len(index))
    squares[: len(adagrad.squares())] = adagrad.squares()
    assert not weights[len(NAMES) :].any()  # features of the decoder: the same in all hypotheses
    return weights[: len(NAMES)], squares[: len(NAMES)]


@pytest.fixture(scope="module")
def index() -> FeatureIndex:
    index = FeatureIndex()
    for name in NAMES:
        index.intern(name)
    return index


@pytest.fixture(scope="module")
def some_lists(index: FeatureIndex) -> list[tuple[KBest, np.ndarray]]:
    """Ten lists of three; the last feature is in the first only. Values are sixteenths: their differences are exact, so that no
    rounding decides what is a gradient and what is not."""
    random = np.random.default_rng(1)

    def row(names: Sequence[str]) -> dict[str, float]:
        chosen = [name for name in names if random.random() < 0.5] or [names[0]]
        return {name: int(random.integers(-32, 33)) / 16 for name in chosen}

    rows = [[row(NAMES[:5]) for _ in range(3)] for _ in range(10)]
    rows[0][0]["shape:d"] = 3.0
    lists = [named_list(each, index) for each in rows]
    return [(kbest, matrix[:, : len(NAMES)]) for kbest, matrix in lists]


two_of_three = st.sampled_from([(i, j) for i in range(3) for j in range(3) if i != j])
sequences = st.lists(st.tuples(st.integers(0, 9), st.lists(two_of_three, max_size=4)), min_size=1)
some_options = st.fixed_dictionaries(
    {
        "loss": st.sampled_from(["logistic", "hinge"]),
        "l1": st.sampled_from([0.0, 0.05, 2.0]),
        "l2": st.sampled_from([0.0, 0.3]),
        "learning_rate": st.sampled_from([0.02, 0.5]),
        "dense_rate": st.sampled_from([0.01, 0.2]),
        "regularize_dense": st.booleans(),
        "min_lists": st.sampled_from([1, 2]),
        "epoch_average": st.booleans(),
        "learn": st.sampled_from(["all", "dense", "sparse"]),
    }
)


@given(chosen=some_options, sequence=sequences)
def test_lazy_steps_are_eager_steps(
    some_lists: list[tuple[KBest, np.ndarray]],
    index: FeatureIndex,
    chosen: dict[str, Any],
    sequence: list[tuple[int, Pairs]],
):
    options = AdaGradOptions(**chosen)
    lists = [(*some_lists[number], pairs) for number, pairs in sequence]
    start = [0.5, 0.0, 0.0, -0.25, 0.0, 0.125]
    expected, expected_squares = eager(options, lists, start)
    weights, squares = lazy(options, lists, start, index)
    assert weights == pytest.approx(expected, rel=0, abs=1e-12)
    assert squares == pytest.approx(expected_squares, rel=1e-12)


@pytest.mark.parametrize("average", [False, True])
@pytest.mark.parametrize(("l1", "l2"), [(0.003, 0.0), (0.0, 0.01), (0.003, 0.01)])
def test_many_lists(
    some_lists: list[tuple[KBest, np.ndarray]], index: FeatureIndex, l1: float, l2: float, average: bool
):
    """So many that all weights are settled on the way; one feature is in the first only."""
    lists = [(*some_lists[number and 1 + number % 9], [(0, 1), (0, 2), (2, 1)]) for number in range(230)]
    options = AdaGradOptions(l1=l1, l2=l2, epoch_average=average, learning_rate=0.1)
    start = [1.0, 0.0, 0.0, 0.5, 0.0, 0.0]
    weights, _ = lazy(options, lists, start, index)
    assert weights == pytest.approx(eager(options, lists, start)[0], rel=0, abs=1e-12)
    free = AdaGradOptions(epoch_average=average, learning_rate=0.1)
    assert abs(weights[5]) < lazy(free, lists, start, index)[0][5] == pytest.approx(0.1)


@pytest.mark.parametrize("loss", ["logistic", "hinge"])
@pytest.mark.parametrize("pairs", [[(0, 1)], [(0, 1), (2, 1), (2, 0)]])
def test_gradient_by_finite_differences(loss: str, pairs: Pairs):
    index = FeatureIndex()
    kbest, _ = list_of([(1.0, -2.0), (0.5, 0.25), (-1.0, 0.75)], index)
    options = AdaGradOptions(loss=loss, learning_rate=1.0, dense_rate=1.0)  # type: ignore[arg-type]
    chosen = np.array(pairs, np.uint32)

    def loss_at(point: np.ndarray) -> float:
        return options.native().update(kbest.native, chosen, np.zeros(0), index, point.copy()).loss

    for point in np.random.default_rng(2).normal(size=(5, len(index))):
        weights, adagrad = point.copy(), options.native()
        adagrad.update(kbest.native, chosen, np.zeros(0), index, weights)
        gradient = np.sign(point - weights) * np.sqrt(adagrad.squares())  # the first step is the rate
        for i in range(len(index)):
            h = np.zeros(len(index))
            h[i] = 1e-6
            slope = (loss_at(point + h) - loss_at(point - h)) / 2e-6
            assert gradient[i] == pytest.approx(slope, abs=1e-8)


def test_reranking_pairs_weigh_their_difference_in_the_metric():
    index = FeatureIndex()
    kbest, matrix = list_of([(1.0, 0.0), (0.0, 1.0), (2.0, 5.0)], index)
    pairs = np.array([(0, 1), (0, 2)], np.uint32)
    adagrad = AdaGradOptions(pairs="reranking", loss="hinge").native()
    weights, metric = np.zeros(len(index)), np.array([0.75, 0.5, 0.0])
    adagrad.update(kbest.native, pairs, metric, index, weights)
    expected = 0.25 * (matrix[0] - matrix[1]) + 0.75 * (matrix[0] - matrix[2])
    assert adagrad.squares() == pytest.approx(expected**2)


@pytest.mark.parametrize("name", ["learning_rate", "dense_rate"])
@pytest.mark.parametrize("value", [0.0, -1.0, math.nan, math.inf])
def test_rates_that_learn_nothing(name: str, value: float):
    with pytest.raises(DemoticError, match=f"{name} must be positive"):
        AdaGradOptions(**{name: value})  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["l1", "l2", "margin"])
@pytest.mark.parametrize("value", [-1.0, math.nan, math.inf])
def test_impossible_strengths(name: str, value: float):
    with pytest.raises(DemoticError, match=f"{name} must be at least 0"):
        AdaGradOptions(**{name: value})  # type: ignore[arg-type]


def test_other_bad_options():
    with pytest.raises(DemoticError, match="min_lists must be at least 1"):
        AdaGradOptions(min_lists=0)
    with pytest.raises(DemoticError, match="by weights only"):
        AdaGradOptions(select_by="gradient")
    with pytest.raises(DemoticError, match="unknown value for 'loss'"):
        learner_options("adagrad", {"loss": "squared"})


@pytest.mark.parametrize(
    ("values", "algorithm"),
    [
        ({}, "sgd"),
        ({"shards": 4}, "itermix"),
        ({"shards": 0}, "itermix"),
        ({"shards": 4, "select": "2%"}, "itersel"),
    ],
)
def test_which_algorithm(values: dict[str, Any], algorithm: str):
    assert make_learner("adagrad", values).algorithm == algorithm  # type: ignore[attr-defined]
