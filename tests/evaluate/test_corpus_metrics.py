"""Corpus scores from statistics against sacrebleu's own."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest
import sacrebleu
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic.base.errors import DemoticError
from demotic.evaluate import BLEU, References, TextKind, bleu_of_sums, bleu_score, corpus_bleu, corpus_metric
from demotic.evaluate.corpus_metrics import default_metrics

from .noisy_systems import reference, translate

words = st.sampled_from(["a", "b", "c.", "It's", "dé", "(x)", "Ä,"])
lines = st.lists(words, max_size=8).map(" ".join)


@st.composite
def corpus_pairs(draw, references: int = 2):
    size = draw(st.integers(1, 5))
    rows = st.lists(lines, min_size=size, max_size=size)
    return draw(rows), [draw(rows) for _ in range(draw(st.integers(1, references)))]


@settings(max_examples=60, deadline=None)
@given(corpus_pairs())
def test_bleu_equals_sacrebleu(case):
    hypotheses, references = case
    theirs = sacrebleu.BLEU(force=True)
    expected = theirs.corpus_score(hypotheses, references)
    ours = corpus_metric("bleu", references).score(hypotheses)
    assert ours.score == pytest.approx(expected.score, abs=1e-9)
    assert ours.signature == theirs.get_signature().format()


@settings(max_examples=60, deadline=None)
@given(corpus_pairs())
def test_bleu_of_tokens_equals_sacrebleu(case):
    hypotheses, references = case
    theirs = sacrebleu.BLEU(tokenize="none", lowercase=True, force=True)
    expected = theirs.corpus_score(hypotheses, references)
    kind = TextKind(tokenized=True)
    ours = corpus_metric("bleu-tokens", references, kind).score(hypotheses)
    assert ours.score == pytest.approx(expected.score, abs=1e-9)
    assert ours.signature == theirs.get_signature().format()
    prepared = [References([r.lower().split() for r in refs]) for refs in zip(*references, strict=True)]
    bleu = corpus_bleu([line.lower().split() for line in hypotheses], prepared)
    assert float(bleu) == pytest.approx(expected.score, abs=1e-9)
    assert bleu.brevity_penalty == pytest.approx(expected.bp)
    assert bleu.ratio == pytest.approx(expected.ratio)
    if any(expected.counts):
        assert bleu.precisions == pytest.approx(expected.precisions)


@settings(max_examples=60, deadline=None)
@given(corpus_pairs(), st.sampled_from([("chrf", sacrebleu.CHRF), ("ter", sacrebleu.TER)]))
def test_chrf_and_ter_equal_sacrebleu(case, metric):
    hypotheses, references = case
    name, theirs = metric[0], metric[1]()
    expected = theirs.corpus_score(hypotheses, references)
    ours = corpus_metric(name, references).score(hypotheses)
    assert ours.score == pytest.approx(expected.score, abs=1e-9)
    assert ours.signature == theirs.get_signature().format()


@pytest.mark.parametrize("references", [1, 4])
def test_a_larger_test_set(references):
    refs = [translate(reference(300, 1), 0.2 * i, i) for i in range(references)]
    hypotheses = translate(refs[0], 0.3, 9)
    for name, theirs in [
        ("bleu", sacrebleu.BLEU(force=True)),
        ("chrf", sacrebleu.CHRF()),
        ("ter", sacrebleu.TER()),
    ]:
        expected = theirs.corpus_score(hypotheses, refs).score
        assert corpus_metric(name, refs).score(hypotheses).score == pytest.approx(expected, abs=1e-9), name


def test_bleu_of_the_papers_is_on_moses_tokens_with_escapes():
    """Raw text is tokenised: what `demotic tokenize` makes of it scores the same as tokenised text."""
    raw = corpus_metric("bleu-tokens", [["It's a small dog, isn't it?"]])
    tokens = corpus_metric(
        "bleu-tokens", [["it &apos;s a small dog , isn &apos;t it ?"]], TextKind(tokenized=True)
    )
    assert (
        raw.statistics(["IT'S a dog, is it?"]).tolist()
        == tokens.statistics(["it &apos;s a dog , is it ?"]).tolist()
    )
    assert "tok:none" in raw.signature()
    assert "case:lc" in raw.signature()


def test_many_corpora_at_once():
    hypotheses = [["a", "b", "c"], ["a"], []]
    references = [References([["a", "b", "d"]]), References([["a", "b", "c", "d", "e"]]), References([["x"]])]
    rows = np.array(
        [BLEU.statistics_of(r, h) for h, r in zip(hypotheses, references, strict=True)], dtype=float
    )
    assert bleu_of_sums(rows) == pytest.approx([bleu_score(row).score for row in rows])
    assert bleu_of_sums(rows[2]) == 0


def test_a_language_has_its_tokenizer():
    assert "tok:zh" in corpus_metric("bleu", [["你好吗"]], TextKind("zh")).signature()


@pytest.mark.parametrize("language", ["th", "lo", "km", "my"])
def test_a_sentence_without_spaces_is_not_one_word(language: str):
    text, other = {
        "th": ("ฉันกินข้าวที่บ้าน", "ฉันกินปลาที่บ้าน"),
        "lo": ("ຂ້ອຍກິນເຂົ້າ", "ຂ້ອຍກິນປາ"),
        "km": ("ខ្ញុំញ៉ាំបាយ", "ខ្ញុំញ៉ាំត្រី"),
        "my": ("ထမင်းစားတယ်", "ငါးစားတယ်"),
    }[language]
    kind = TextKind(language)
    bleu = corpus_metric("bleu", [[text]], kind)
    assert 20 < bleu.score([other]).score < 90 and "tok:char" in bleu.signature()
    assert default_metrics(kind) == ["bleu", "chrf"]


def test_ter_needs_words():
    assert "ter" not in default_metrics(TextKind("zh")) and "ter" in default_metrics(TextKind("ko"))


def test_a_tokenizer_that_is_not_installed_is_named():
    if importlib.util.find_spec("MeCab"):
        pytest.skip("MeCab is installed")
    with pytest.raises(DemoticError, match=r"'ja'.*dependencies(?s:.*)pip install 'sacrebleu\[ja\]'"):
        corpus_metric("bleu", [["は"]], TextKind("ja"))


def test_metrics_that_make_no_sense_on_tokens_are_refused():
    for name in ("bleu", "chrf"):
        with pytest.raises(DemoticError, match="needs detokenised text"):
            corpus_metric(name, [["a"]], TextKind(tokenized=True))
    with pytest.raises(DemoticError, match="no corpus metric is called 'meteor'"):
        corpus_metric("meteor", [["a"]])


def test_corpora_of_different_lengths_are_refused():
    with pytest.raises(DemoticError, match="one hypothesis per reference, 1 \\(got 2\\)"):
        corpus_bleu([["a"], ["b"]], [References([["a"]])])
