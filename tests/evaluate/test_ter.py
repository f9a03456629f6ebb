"""Translation edit rate: the same edits as sacrebleu finds."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path

import pytest
import sacrebleu
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.lib_ter import translation_edit_rate

from demotic.base.files import read_lines
from demotic.evaluate import BLEU, References, Ter, tuning_metric
from demotic.evaluate.ter import TER_UNIT
from evaluate.lists import kbest_of

few_words = st.lists(st.sampled_from("abc"), max_size=8)
many_words = st.lists(st.sampled_from("abcdefghijklmn"), max_size=18)


def edits(hypothesis: list[str], reference: list[str]) -> int:
    found, length = Ter().statistics_of(References([reference]), hypothesis).tolist()
    assert length == TER_UNIT * len(reference)
    assert found % TER_UNIT == 0
    return found // TER_UNIT


@settings(max_examples=60, deadline=None)
@given(st.one_of(st.tuples(few_words, few_words), st.tuples(many_words, many_words)))
@example((["a"], ["b"] * 200 + ["a"]))  # a beam that would not reach from one row to the next
@example((["a"] * 120, ["a"]))
@example((["a", "b"] * 30, ["b", "a"] * 20))
def test_random_sentences(pair: tuple[list[str], list[str]]):
    assert edits(*pair) == translation_edit_rate(*pair)[0]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 99), unique=True, min_size=4, max_size=20), st.randoms())
def test_blocks_that_moved(numbers: list[int], rng: random.Random):
    """Cut into pieces, put together in another order: what shifts are for."""
    reference = [f"w{number}" for number in numbers]
    cuts = sorted({0, len(reference), *(rng.randrange(len(reference)) for _ in range(3))})
    pieces = [reference[begin:end] for begin, end in pairwise(cuts)]
    rng.shuffle(pieces)
    hypothesis = [word for piece in pieces for word in piece]
    assert edits(hypothesis, reference) == translation_edit_rate(hypothesis, reference)[0]


def test_a_shift_is_one_edit():
    """The block "this week" moves: the example of Snover et al. (2006), section 3."""
    reference = [
        "SAUDI",
        "ARABIA",
        "denied",
        "THIS",
        "WEEK",
        "information",
        "published",
        "in",
        "the",
        "AMERICAN",
        "new",
        "york",
        "times",
    ]
    hypothesis = [
        "THIS",
        "WEEK",
        "THE",
        "SAUDIS",
        "denied",
        "information",
        "published",
        "in",
        "the",
        "new",
        "york",
        "times",
    ]
    assert edits(hypothesis, reference) == 4


def test_real_sentences(shared: Path):
    lines = [list(read_lines(shared / "golden" / f"dev20.{side}"))[:20] for side in ("en", "de")]
    rng = random.Random(1)
    for i, line in enumerate(lines[0]):
        reference, other = line.split(), lines[0][i - 1].split()
        hypothesis = [word for word in reference if rng.random() > 0.1]
        begin = rng.randrange(len(hypothesis))
        hypothesis = hypothesis[begin:] + other[:3] + hypothesis[:begin]
        for words in (hypothesis, other, lines[1][i].split()):
            assert edits(words, reference) == translation_edit_rate(words, reference)[0]


@settings(max_examples=30, deadline=None)
@given(st.lists(few_words, min_size=1, max_size=4), st.lists(few_words.filter(bool), min_size=1, max_size=4))
def test_several_references_and_lists(references: list[list[str]], hypotheses: list[list[str]]):
    unique = list(dict.fromkeys(map(tuple, hypotheses)))
    prepared = References(references)
    rows = tuning_metric("ter").statistics(prepared, kbest_of(unique))
    assert rows.shape == (len(unique), 12)
    for row, words in zip(rows, unique, strict=True):
        assert row[:10].tolist() == BLEU.statistics_of(prepared, words).tolist()
        theirs = sacrebleu.TER(case_sensitive=True).sentence_score(
            " ".join(words), [" ".join(reference) for reference in references]
        )
        assert (row[10:] / TER_UNIT).tolist() == pytest.approx([theirs.num_edits, theirs.ref_length])
