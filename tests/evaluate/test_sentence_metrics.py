"""Metrics of single sentences against plain Python, sacrebleu and values worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
import sacrebleu
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic.base.errors import DemoticError
from demotic.evaluate import BLEU, SENTENCE_METRICS, PseudoDocument, References, sentence_metric

from . import slow_metrics
from .lists import kbest_of

sentences = st.lists(st.sampled_from(["a", "b", "c", "dé", "e"]), min_size=1, max_size=9)
lists = st.lists(sentences, min_size=1, max_size=8, unique_by=tuple)
references = st.lists(
    st.lists(st.sampled_from(["a", "b", "c", "dé", "x"]), max_size=9), min_size=1, max_size=3
)


@settings(max_examples=60, deadline=None)
@given(lists, references)
def test_statistics_equal_counting_strings(hypotheses, refs):
    prepared = References(refs)
    expected = [slow_metrics.statistics(words, refs) for words in hypotheses]
    found = BLEU.statistics(prepared, kbest_of(hypotheses))
    assert found.dtype == np.int32
    assert found.tolist() == expected
    assert [BLEU.statistics_of(prepared, words).tolist() for words in hypotheses] == expected


@settings(max_examples=60, deadline=None)
@given(sentences, st.lists(sentences, min_size=1, max_size=3))
def test_statistics_equal_those_of_sacrebleu(hypothesis, refs):
    score = sacrebleu.BLEU(tokenize="none", effective_order=True).sentence_score(
        " ".join(hypothesis), [" ".join(reference) for reference in refs]
    )
    row = BLEU.statistics_of(References(refs), hypothesis).tolist()
    assert row == [*score.counts, *score.totals, score.sys_len, score.ref_len]


@settings(max_examples=60, deadline=None)
@given(lists, references)
def test_metrics_equal_the_printed_formulas(hypotheses, refs):
    prepared, kbest = References(refs), kbest_of(hypotheses)
    rows = BLEU.statistics(prepared, kbest).tolist()
    for name, formula in [
        ("liang", slow_metrics.liang),
        ("bleu+1", slow_metrics.bleu_plus_one),
        ("nakov", slow_metrics.nakov),
    ]:
        assert sentence_metric(name).scores(prepared, kbest) == pytest.approx([formula(row) for row in rows])


@settings(max_examples=60, deadline=None)
@given(lists, references)
def test_bleus_lie_between_0_and_1(hypotheses, refs):
    prepared, kbest = References(refs), kbest_of(hypotheses)
    for name in ("liang", "bleu+1", "nakov", "pseudo"):
        scores = sentence_metric(name).scores(prepared, kbest)
        assert np.all((scores >= 0) & (scores <= 1)), name


@settings(max_examples=60, deadline=None)
@given(lists, sentences)
def test_no_hypothesis_beats_the_reference(hypotheses, reference):
    prepared, kbest = References([reference]), kbest_of(hypotheses)
    itself = kbest_of([reference])
    for name in ("liang", "bleu+1", "wer"):
        best = sentence_metric(name).scores(prepared, itself)[0]
        assert np.all(sentence_metric(name).scores(prepared, kbest) <= best + 1e-12), name


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.lists(st.sampled_from("abc"), min_size=1, max_size=5), min_size=1, max_size=4, unique_by=tuple
    ),
    st.lists(st.lists(st.sampled_from("abx"), min_size=1, max_size=5), min_size=1, max_size=2),
)
def test_wer_is_the_edit_distance_to_the_best_reference(hypotheses, refs):
    prepared, kbest = References(refs), kbest_of(hypotheses)
    expected = [min(slow_metrics.edit_distance(h, r) / len(r) for r in refs) for h in hypotheses]
    assert prepared.wer(kbest) == pytest.approx(expected)
    assert sentence_metric("wer").scores(prepared, kbest) == pytest.approx([1 - value for value in expected])


def test_values_worked_out_by_hand():
    prepared = References([["the", "cat", "sat", "on", "the", "mat"]])
    kbest = kbest_of([["the", "cat", "the", "cat", "on"]])
    # the: 2 of 2, cat: 1 of 2 (clipped), on: 1; bigrams: "the cat" once of twice; no trigram. Five words for six.
    assert BLEU.statistics(prepared, kbest).tolist() == [[4, 1, 0, 0, 5, 4, 3, 2, 5, 6]]
    penalty = math.exp(1 - 6 / 5)
    assert sentence_metric("liang").scores(prepared, kbest)[0] == pytest.approx(
        penalty * (0.8 / 16 + math.sqrt(0.8 / 4) / 8)
    )
    assert sentence_metric("bleu+1").scores(prepared, kbest)[0] == pytest.approx(
        penalty * (4 / 5 * 2 / 5 * 1 / 4 * 1 / 3) ** 0.25
    )
    assert sentence_metric("nakov").scores(prepared, kbest)[0] == pytest.approx(
        math.exp(1 - 7 / 5)
        * ((5 / 6 * 2 / 5 * 1 / 4 * 1 / 3) ** 0.25 - (1 / 6 * 1 / 5 * 1 / 4 * 1 / 3) ** 0.25)
    )
    assert prepared.wer(kbest)[0] == pytest.approx(4 / 6)  # sat for the, on for cat, the for on, and mat


def test_the_closest_reference_is_the_shorter_of_two_as_close():
    prepared = References([["a"] * 4, ["a"] * 6])
    assert BLEU.statistics_of(prepared, ["a"] * 5)[9] == 4
    assert BLEU.statistics_of(prepared, ["a"] * 6)[9] == 6


def test_the_reference_itself_scores_15_16ths_by_liang_and_1_by_bleu_plus_one():
    words = ["one", "two", "three", "four", "five"]
    prepared, kbest = References([words]), kbest_of([words])
    assert sentence_metric("liang").scores(prepared, kbest)[0] == 15 / 16
    assert sentence_metric("bleu+1").scores(prepared, kbest)[0] == 1


def test_nakov_is_zero_without_matches_and_asks_for_the_last_word():
    reference = list("abcdefgh")
    prepared, kbest = References([reference]), kbest_of([list("xyz"), reference[:-1], reference])
    nothing, short, whole = sentence_metric("nakov").scores(prepared, kbest)
    assert nothing == 0
    assert short < whole < 1


def test_words_in_no_reference_match_nothing_and_an_empty_hypothesis_scores_0():
    prepared = References([["a", "b"], []])
    assert BLEU.statistics_of(prepared, ["q", "q"]).tolist() == [0, 0, 0, 0, 2, 1, 0, 0, 2, 2]
    empty = BLEU.statistics_of(prepared, [])
    assert empty.tolist() == [0] * 10
    assert slow_metrics.statistics([], [["a", "b"], []]) == empty.tolist()


def test_the_pseudo_document_fades():
    first, second = References([["a", "b", "c", "d", "e"]]), References([["f", "g", "h"]])
    list_one, list_two = (
        kbest_of([["a", "b", "c", "x"], ["a"]]),
        kbest_of([["f"], ["f", "g"], ["x", "y", "z"]]),
    )
    metric = PseudoDocument(0.5)
    metric.observe(first, list_one)
    document = 0.5 * (1 + np.array(BLEU.statistics_of(first, ["a", "b", "c", "x"]), dtype=float))
    assert metric.document == pytest.approx(document)
    expected = [slow_metrics.bleu_n(document + row, 4) for row in BLEU.statistics(second, list_two)]
    assert metric.scores(second, list_two) == pytest.approx(expected)
    assert metric.source_words(list_two) == 0.5 * (1 + 1) + 1
    metric.observe(second, list_two)
    assert metric.document == pytest.approx(0.5 * (document + BLEU.statistics_of(second, ["f"])))


@pytest.mark.parametrize("name", list(SENTENCE_METRICS))
def test_every_metric_has_its_name_and_other_metrics_have_no_memory(name):
    metric = sentence_metric(name)
    prepared, kbest = References([["a", "b", "x"]]), kbest_of([["a", "c"], ["a", "b"]])
    before = metric.scores(prepared, kbest)
    metric.observe(prepared, kbest)
    assert metric.name == name
    assert sentence_metric(name).scores(prepared, kbest) == pytest.approx(before)
    assert (metric.scores(prepared, kbest).tolist() == before.tolist()) == (name != "pseudo")


def test_wrong_arguments_are_named():
    with pytest.raises(DemoticError, match="has no reference"):
        References([])
    with pytest.raises(DemoticError, match="list of tokens"):
        References(["a b c"])
    with pytest.raises(DemoticError, match="no sentence metric is called 'blue'"):
        sentence_metric("blue")
    with pytest.raises(DemoticError, match="between 0 and 1"):
        PseudoDocument(1.5)
