"""Pairs of a list."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic import _core
from demotic.base import DemoticError
from demotic.learn import PairOptions
from learn.reference import pairs_of

NONE = np.zeros(0)
METRICS = st.lists(st.integers(0, 6).map(lambda n: n / 6), min_size=1, max_size=30)


def pairs(metric: list[float], seed: int = 1, **options: object) -> list[tuple[int, int]]:
    native = PairOptions(**options).native_pairs()  # type: ignore[arg-type]
    return [tuple(pair) for pair in _core.make_pairs(np.array(metric), NONE, NONE, native, seed).tolist()]


def test_a_list_of_100_without_ties_gives_1700_pairs():
    metric = np.random.default_rng(1).permutation(100) / 100
    found = pairs(metric.tolist())
    rank = {i: place for place, i in enumerate(np.argsort(-metric))}
    level = {i: 0 if rank[i] < 10 else 1 if rank[i] < 90 else 2 for i in rank}
    assert [sum((level[i], level[j]) == border for i, j in found) for border in ((0, 1), (0, 2), (1, 2))] == [
        800,
        100,
        800,
    ]
    assert len(found) == 1700


@given(METRICS)
def test_multipartite_pairs_are_those_of_figure_3(metric: list[float]):
    expected = pairs_of(metric) if len(metric) > 1 else []
    assert pairs(metric) == expected


@given(METRICS)
def test_all_pairs_are_every_two_that_differ(metric: list[float]):
    size = range(len(metric))
    assert sorted(pairs(metric, pairs="all")) == [(i, j) for i in size for j in size if metric[i] > metric[j]]


@given(METRICS)
def test_top_pairs_begin_the_multipartite_ones(metric: list[float]):
    order = sorted(range(len(metric)), key=lambda i: (-metric[i], i))
    best = order[: max(1, int(0.1 * len(metric) + 0.5))]
    top = pairs(metric, pairs="top")
    assert top == [(i, j) for i, j in pairs(metric) if i in best]
    assert top == pairs(metric)[: len(top)]


@given(METRICS, st.floats(0.05, 0.9))
def test_a_threshold_keeps_close_ones_apart(metric: list[float], threshold: float):
    apart = [(i, j) for i, j in pairs(metric, pairs="all") if metric[i] - metric[j] >= threshold]
    assert pairs(metric, pairs="all", threshold=threshold) == apart


@given(METRICS, st.integers(0, 5))
@settings(max_examples=50)
def test_pro_keeps_the_pairs_furthest_apart(metric: list[float], seed: int):
    found = pairs(metric, seed, pairs="pro", pair_samples=200, pairs_kept=10)
    more = pairs(metric, seed, pairs="pro", pair_samples=200, pairs_kept=200)
    gaps = [metric[i] - metric[j] for i, j in more]
    assert found == more[:10] and all(gap > 0 for gap in gaps) and gaps == sorted(gaps, reverse=True)


@given(st.lists(st.tuples(*[st.integers(0, 4).map(float)] * 3), min_size=2, max_size=12))
def test_reranking_pairs_are_those_of_the_slide(rows: list[tuple[float, float, float]]):
    metric, model, wer = (np.array(column) for column in zip(*rows, strict=True))
    native = PairOptions(pairs="reranking").native_pairs()
    found = {tuple(pair) for pair in _core.make_pairs(metric, model, wer, native, 1).tolist()}
    order = sorted(range(len(rows)), key=lambda i: (-model[i], i))
    expected = {
        (j, i)
        for place, i in enumerate(order)
        for j in order[place + 1 :]
        if metric[j] > metric[i] and wer[j] <= wer[i]
    }
    assert found == expected


@pytest.mark.parametrize("options", [{"level": 0.0}, {"level": 0.6}, {"threshold": -1.0}, {"pairs": "best"}])
def test_bad_options(options: dict[str, object]):
    with pytest.raises(DemoticError, match=r"level|threshold|sampling"):
        pairs([0.1, 0.2], **options)


def test_a_metric_that_is_no_number():
    with pytest.raises(DemoticError, match="finite"):
        pairs([0.1, float("nan")])
