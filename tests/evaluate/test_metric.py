"""Metrics to tune on: chrF against sacrebleu, sums of metrics against their parts, and the score of the core against that of Python."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
import sacrebleu
from hypothesis import example, given, settings
from hypothesis import strategies as st

from demotic.base.errors import DemoticError
from demotic.evaluate import (
    BLEU,
    SENTENCE_METRICS,
    TUNING_METRICS,
    Chrf,
    Metric,
    MetricSum,
    References,
    Ter,
    beside_bleu,
    sentence_metric,
    tuning_metric,
)
from demotic.evaluate.sentence_metrics import StatisticsMetric

from .lists import kbest_of

CHRF = Chrf()
NAMES = [*TUNING_METRICS, "bleu-ter"]
# Few characters, so that n-grams match; letters of one to four bytes, and white space that is not a space.
few = st.text(st.sampled_from("abß語𝄞 \u00a0\u2003\x1f"), max_size=12)
anything = st.text(st.characters(exclude_categories=["Cs"]), max_size=10)
lines = st.one_of(few, st.lists(few, max_size=4).map(" ".join), anything)


@st.composite
def corpora(draw: st.DrawFn) -> tuple[list[str], list[list[str]]]:
    """Hypotheses, and for each sentence its references."""
    size, references = draw(st.integers(1, 4)), draw(st.integers(1, 3))
    rows = st.lists(st.lists(lines, min_size=references, max_size=references), min_size=size, max_size=size)
    return draw(st.lists(lines, min_size=size, max_size=size)), draw(rows)


@settings(max_examples=60, deadline=None)
@given(lines, st.lists(lines, min_size=1, max_size=3))
@example("", [""])
@example("abcdefgh", ["abc", "abcdefgh"])  # of equally good orders the reference decides
@example("語語語", ["語", "語語語語"])
def test_chrf_of_a_sentence_is_sacrebleus(line: str, references: list[str]):
    row = CHRF.statistics_of(References([each.split(" ") for each in references]), line.split(" "))
    assert row.dtype == np.int32 and row.shape == (18,)
    expected = sacrebleu.CHRF().sentence_score(line, references).score
    assert CHRF.score(row) == pytest.approx(expected, abs=1e-9)


@settings(max_examples=60, deadline=None)
@given(corpora())
def test_chrf_of_a_corpus_is_sacrebleus(corpus: tuple[list[str], list[list[str]]]):
    hypotheses, references = corpus
    prepared = [References([line.split(" ") for line in each]) for each in references]
    rows = CHRF.corpus_statistics([line.split(" ") for line in hypotheses], prepared)
    streams = [list(each) for each in zip(*references, strict=True)]
    expected = sacrebleu.CHRF().corpus_score(hypotheses, streams).score
    assert CHRF.score(rows.sum(axis=0)) == pytest.approx(expected, abs=1e-9)


def test_counts_worked_out_by_hand():
    """`abab` against `ab ab c`: the space does not count, and no six-gram can match."""
    row = CHRF.statistics_of(References([["ab", "ab", "c"]]), ["abab"]).reshape(6, 3).tolist()
    assert row == [[4, 5, 4], [3, 4, 3], [2, 3, 2], [1, 2, 1], [0, 1, 0], [0, 0, 0]]
    precision, recall = 1.0, (4 / 5 + 3 / 4 + 2 / 3 + 1 / 2) / 4
    assert CHRF.score(np.array(row).ravel()) == pytest.approx(
        100 * 5 * precision * recall / (4 * precision + recall)
    )


words = st.lists(st.sampled_from(["a", "ab", "ba", "né", "x"]), min_size=1, max_size=7)


@settings(max_examples=60, deadline=None)
@given(st.lists(words, min_size=1, max_size=5, unique_by=tuple), st.lists(words, min_size=1, max_size=3))
def test_lists_are_counted_as_sentences_are(hypotheses: list[list[str]], references: list[list[str]]):
    prepared, kbest = References(references), kbest_of(hypotheses)
    for name in NAMES:
        metric = tuning_metric(name)
        rows = metric.statistics(prepared, kbest)
        assert rows.tolist() == [metric.statistics_of(prepared, each).tolist() for each in hypotheses]
        # The core, which searches with its own score, agrees with the one that is reported.
        found = 100 * metric.native.scores(rows)
        assert found == pytest.approx([metric.score(row) for row in rows], abs=1e-9)
    scores = sentence_metric("chrf").scores(prepared, kbest)
    theirs = [
        sacrebleu.CHRF().sentence_score(" ".join(each), [" ".join(r) for r in references]).score / 100
        for each in hypotheses
    ]
    assert scores == pytest.approx(theirs, abs=1e-9)


def test_a_sum_is_that_of_its_parts():
    prepared, words = References([["a", "b", "c", "d", "e"]]), ["a", "b", "x", "d", "e"]
    mixed = tuning_metric("bleu-ter", ter_weight=0.25)
    row = mixed.statistics_of(prepared, words)
    bleu, ter = BLEU.statistics_of(prepared, words), Ter().statistics_of(prepared, words)
    assert row.tolist() == [*bleu, *ter]
    assert mixed.score(row) == 0.75 * BLEU.score(bleu) + 0.25 * 80
    assert mixed.figures(row) == {"bleu": BLEU.score(bleu), "ter": 20, "objective": mixed.score(row)}
    assert (mixed.columns_of(BLEU), mixed.columns_of(Ter())) == (slice(0, 10), slice(10, 12))
    with pytest.raises(DemoticError, match="say nothing of chrf"):
        mixed.columns_of(CHRF)


def test_bleu_is_always_counted_and_never_twice():
    assert tuning_metric("bleu") == BLEU == tuning_metric("bleu-ter", ter_weight=0) == beside_bleu(BLEU)
    assert tuning_metric("bleu-ter", ter_weight=1) == tuning_metric("ter")
    chrf = tuning_metric("chrf")
    assert chrf == MetricSum(((0.0, BLEU), (1.0, CHRF))) and chrf.columns == 28
    assert chrf.figures(np.zeros(28, np.int64)) == {"bleu": 0, "chrf": 0, "objective": 0}


@pytest.mark.parametrize("name", NAMES)
def test_metrics_are_values(name: str):
    """They travel to workers, and their names are keys of stages."""
    metric = tuning_metric(name, ter_weight=0.3)
    copy: Metric = pickle.loads(pickle.dumps(metric))
    assert copy == metric and hash(copy) == hash(metric)
    others = [tuning_metric(other, ter_weight=0.3) for other in NAMES if other != name]
    assert metric.name not in {other.name for other in others}
    assert tuning_metric("bleu-ter", ter_weight=0.31).name != metric.name


@pytest.mark.parametrize("name", ["ter", "chrf"])
def test_a_corpus_metric_ranks_sentences(name: str):
    metric = sentence_metric(name)
    assert isinstance(metric, StatisticsMetric) and metric.corpus.name == name and name in SENTENCE_METRICS
    reference = ["the", "cat", "sat", "on", "the", "mat"]
    kbest = kbest_of([reference, ["the", "cats", "sat", "on", "the", "mat"], ["dogs", "bark"]])
    best, near, far = metric.scores(References([reference]), kbest)
    assert best == 1 and best > near > far


def test_wrong_names_and_shapes_are_refused():
    with pytest.raises(DemoticError, match="no metric to tune on is called 'blue'") as error:
        tuning_metric("blue")
    assert "chrf" in str(error.value.hint)
    with pytest.raises(DemoticError, match="statistics of another metric"):
        CHRF.score(np.zeros(10, np.int64))
    with pytest.raises(DemoticError, match=r"one hypothesis per reference, 0 \(got 1\)"):
        CHRF.corpus_statistics([["a"]], [])
