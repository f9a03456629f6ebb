"""Line search: against brute force over all intervals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
import sacrebleu
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic import _core
from demotic.base import DemoticError
from demotic.decode import TranslationModel
from demotic.evaluate import BLEU, References, tuning_metric
from demotic.features import Weights
from demotic.learn.batch.line_search import ClimbOptions, best_optimum


@dataclass
class Problem:
    """Integer features, so that crossings coincide and slopes are equal; statistics of a metric that make sense."""

    features: np.ndarray
    begins: np.ndarray
    statistics: np.ndarray
    metric: str = "bleu"

    @property
    def native(self) -> _core.LineSearch:
        metric = tuning_metric(self.metric, ter_weight=0.25).native
        return _core.LineSearch(self.features, self.begins, self.statistics, metric)

    def score(self, rows: list[int]) -> float:
        """Of these hypotheses, at most 1."""
        return SCORES[self.metric](self.statistics[rows].sum(axis=0))

    def score_at(self, weights: np.ndarray) -> float:
        best = [
            begin + int(np.argmax(self.features[begin:end] @ weights)) for begin, end in pairwise(self.begins)
        ]
        return self.score(best)


def bleu(sums: np.ndarray) -> float:
    n = [int(value) for value in sums]
    return sacrebleu.BLEU.compute_bleu(n[:4], n[4:8], n[8], n[9], smooth_method="exp").score / 100


def one_minus_ter(sums: np.ndarray) -> float:
    return 1 - float(sums[10] / sums[11])


# What sacrebleu makes of the sums; other metrics stand behind BLEU.
SCORES: dict[str, Callable[[np.ndarray], float]] = {
    "bleu": bleu,
    "ter": one_minus_ter,
    "bleu-ter": lambda sums: 0.75 * bleu(sums) + 0.25 * one_minus_ter(sums),
    "chrf": lambda sums: sacrebleu.CHRF()._compute_f_score(sums[10:].tolist()) / 100,
}


def other_statistics(metric: str, rng: np.random.Generator, sizes: np.ndarray) -> np.ndarray:
    """The columns behind those of BLEU: lists of these sizes."""
    h = int(sizes.sum())
    reference = np.repeat(rng.integers(4, 12, len(sizes)), sizes)
    if metric in ("ter", "bleu-ter"):
        return np.column_stack([rng.integers(0, 14, h), reference])
    if metric == "chrf":
        orders = np.arange(6)
        found, wanted = (np.maximum(0, n[:, None] - orders) for n in (rng.integers(2, 12, h), reference))
        matches = np.minimum.accumulate(rng.integers(0, np.minimum(found, wanted) + 1), axis=1)
        return np.stack([found * (wanted > 0), wanted, matches], axis=2).reshape(h, 18)
    return np.zeros((h, 0))


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    sizes = rng.integers(1, draw(st.sampled_from([5, 14])), draw(st.integers(1, 5)))
    h, d = int(sizes.sum()), draw(st.integers(1, 4))
    length = rng.integers(4, 12, h)
    totals = length[:, None] - np.arange(4)
    matches = np.minimum.accumulate(rng.integers(0, totals + 1), axis=1)
    reference = np.repeat(rng.integers(4, 12, len(sizes)), sizes)
    metric = draw(st.sampled_from(list(SCORES)))
    others = other_statistics(metric, rng, sizes)
    statistics = np.concatenate([matches, totals, length[:, None], reference[:, None], others], axis=1)
    features = rng.integers(-3, 4, (h, d)).astype(float)
    begins = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return Problem(features, begins, statistics.astype(np.int32), metric)


@given(problems(), st.integers(0, 1000))
@settings(max_examples=60, deadline=None)
def test_equals_brute_force_over_all_intervals(problem: Problem, seed: int):
    """In exact arithmetic, since many lines are equal or cross in one point; of equal ones the first hypothesis counts."""
    rng = np.random.default_rng(seed)
    d = problem.features.shape[1]
    point, direction = rng.integers(-2, 3, d), rng.integers(-2, 3, d)
    (optimum,) = problem.native.search(point.astype(float), direction.astype(float)[None, :])
    rows = problem.features.astype(int)
    heights, slopes = (rows @ point).tolist(), (rows @ direction).tolist()

    def score_at(gamma: Fraction) -> float:
        best = [
            max(range(begin, end), key=lambda i: (heights[i] + gamma * slopes[i], -i))
            for begin, end in pairwise(problem.begins.tolist())
        ]
        return problem.score(best)

    crossings = sorted(
        {
            Fraction(heights[i] - heights[j], slopes[j] - slopes[i])
            for begin, end in pairwise(problem.begins.tolist())
            for i in range(begin, end)
            for j in range(begin, i)
            if slopes[i] != slopes[j]
        }
    )
    ends = [crossings[0] - 2, *crossings, crossings[-1] + 2] if crossings else [Fraction(-1), Fraction(1)]
    assert optimum.score == pytest.approx(max(score_at((a + b) / 2) for a, b in pairwise(ends)))
    assert score_at(Fraction(optimum.gamma)) == pytest.approx(optimum.score)
    assert optimum.low <= optimum.gamma <= optimum.high


@given(problems())
@settings(max_examples=80, deadline=None)
def test_the_score_of_a_point_is_sacrebleus(problem: Problem):
    point = np.arange(1.0, problem.features.shape[1] + 1)
    assert problem.native.score(point) == pytest.approx(problem.score_at(point), abs=1e-12)


def test_threads_change_nothing():
    problem = _problem()
    directions = np.eye(3)
    one, two = (problem.native.search(np.ones(3), directions, threads) for threads in (1, 2))
    assert [(o.gamma, o.score) for o in one] == [(o.gamma, o.score) for o in two]


def _problem() -> Problem:
    rng = np.random.default_rng(1)
    length = rng.integers(5, 12, 60)
    totals = length[:, None] - np.arange(4)
    matches = np.minimum.accumulate(rng.integers(0, totals + 1), axis=1)
    statistics = np.concatenate([matches, totals, length[:, None], np.full((60, 1), 8)], axis=1)
    return Problem(
        rng.standard_normal((60, 3)), np.arange(0, 61, 6, dtype=np.int64), statistics.astype(np.int32)
    )


@pytest.mark.parametrize("method", ["coordinate", "powell"])
def test_mert_climbs_to_where_no_single_step_helps(method: str):
    problem = _problem()
    native = problem.native
    start = np.array([1.0, -0.5, 0.2])
    result = best_optimum(native, start, ClimbOptions(method=method, restarts=3), seed=1)  # type: ignore[arg-type]
    assert result.score == pytest.approx(problem.score_at(result.weights))
    assert result.score > problem.score_at(start)
    assert all(o.score <= result.score + 1e-6 for o in native.search(result.weights, np.eye(3)))
    again = best_optimum(native, start, ClimbOptions(method=method, restarts=3), seed=1)  # type: ignore[arg-type]
    assert (again.weights == result.weights).all()


def test_parallel_lines_keep_the_highest():
    statistics = np.array([[1, 0, 0, 0, 4, 3, 2, 1, 4, 4], [4, 3, 2, 1, 4, 3, 2, 1, 4, 4]], dtype=np.int32)
    native = _core.LineSearch(np.array([[1.0, 0.0], [1.0, 1.0]]), np.array([0, 2]), statistics, BLEU.native)
    (optimum,) = native.search(np.array([0.0, 1.0]), np.array([[1.0, 0.0]]))
    assert (optimum.gamma, optimum.score) == (0, pytest.approx(1.0))


def test_bad_lists():
    statistics = np.ones((2, 10), dtype=np.int32)
    with pytest.raises(DemoticError, match="not a finite number"):
        _core.LineSearch(np.array([[np.nan], [0.0]]), np.array([0, 2]), statistics, BLEU.native)
    with pytest.raises(DemoticError, match="sentence 1 has no hypothesis"):
        _core.LineSearch(np.zeros((2, 1)), np.array([0, 0, 2]), statistics, BLEU.native)
    with pytest.raises(DemoticError, match="one row per hypothesis"):
        _core.LineSearch(np.zeros((3, 1)), np.array([0, 2]), statistics, BLEU.native)


@pytest.mark.parametrize(
    "sentence",
    ["die frau trägt einen mantel .", "der mann hat den koffer getragen .", "der hund schläft im garten ."],
)
def test_hypergraph_search_equals_search_on_an_exhaustive_list(model: TranslationModel, sentence: str):
    names = ["LanguageModel", "WordPenalty", "EgivenFCoherent", "Glue"]
    weights = Weights.from_dict(dict(zip(names, [1.0, -1.0, -0.5, 0.1], strict=True)))
    graph = model.decoder.with_weights(weights).decode(sentence).prune(1e-2)
    kbest = graph.kbest(100_000)
    assert 10 < len(kbest) < 100_000
    references = References(
        [["the", "woman", "wears", "a", "coat", "."], ["the", "man", "carried", "it", "."]]
    )
    matrix = kbest.to_scipy(len(weights.index)).toarray()
    statistics = BLEU.statistics(references, kbest)
    native = _core.LineSearch(
        np.ascontiguousarray(matrix), np.array([0, len(kbest)]), statistics, BLEU.native
    )
    weights.grow()
    for name in names:
        direction = np.zeros(len(weights.index))
        direction[weights.index.find(name)] = 1.0
        slopes = graph.rescore(Weights(graph.index, direction)).native.edge_scores
        rows_from, rows = _core.hypergraph_curve([graph.native], [slopes], references.native, BLEU.native)
        found = _core.sweep_curves(np.array([0, len(rows_from)]), rows_from, rows, BLEU.native)
        (expected,) = native.search(weights.values, direction[None, :])
        assert found.score == pytest.approx(expected.score)
        assert native.score(weights.values + found.gamma * direction) == pytest.approx(found.score)
