"""Dense feature sets against their definitions."""

from __future__ import annotations

import math
import tempfile
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic.base import DemoticError
from demotic.grammar import FEATURE_SETS, ExtractOptions
from grammar.corpora import EXACT, by_sides, corpora, index_of, with_options
from grammar.slow_extractor import Pair, slow_grammar

sentences = st.lists(st.sampled_from("abcde"), min_size=1, max_size=6)


def slow_target_count(corpus: list[Pair], target: str) -> int:
    """Ways to lay the words of a target side over the corpus, nonterminals at its ends aside."""
    symbols: list[str | int] = []  # words, and the least number of words that stand between them
    for symbol in target.split():
        if not symbol.startswith("[X"):
            symbols.append(symbol)
        elif symbols:
            symbols.append(symbols.pop() + 1 if isinstance(symbols[-1], int) else 1)  # type: ignore[operator]
    if isinstance(symbols[-1], int):
        symbols.pop()

    def ways(words: list[str], first: int, i: int, rest: list[str | int]) -> int:
        if not rest:
            return i - first <= 15
        if isinstance(rest[0], int):
            return sum(ways(words, first, j, rest[1:]) for j in range(i + rest[0], len(words)))
        return i < len(words) and words[i] == rest[0] and ways(words, first, i + 1, rest[1:])

    return sum(ways(pair[1], i, i, symbols) for pair in corpus for i in range(len(pair[1])))


@given(corpora(max_size=8), sentences)
@settings(max_examples=80, deadline=None)
def test_hiero8(corpus: list[Pair], sentence: list[str]):
    with tempfile.TemporaryDirectory() as folder:
        grammar = index_of(corpus, Path(folder), replace(EXACT, features="hiero8")).grammar(sentence)
    slow = slow_grammar(corpus, sentence)
    for rule in grammar:
        source, target = " ".join(rule.source), " ".join(rule.target)
        coherent, _, count_ef, lex_fe, lex_ef, *_ = slow[source, target].features
        count = round(10**count_ef - 1)
        f_given_e = -math.log10(min(1, count / slow_target_count(corpus, target)))
        wanted = [coherent, f_given_e, lex_ef, lex_fe, 1]
        assert list(rule.features.values()) == pytest.approx(wanted, abs=1e-5), (source, target)


@given(corpora(max_size=8), sentences)
@settings(max_examples=30, deadline=None)
def test_the_other_sets_say_the_same_in_other_words(corpus: list[Pair], sentence: list[str]):
    with tempfile.TemporaryDirectory() as folder:
        index = index_of(corpus, Path(folder))
        cdec, clark, raw = (
            by_sides(with_options(index, replace(EXACT, features=name)).grammar(sentence))
            for name in ("cdec12", "clark8", "raw")
        )
    for sides, rule in cdec.items():
        coherent, samples, count, lex_fe, lex_ef, _, _ = rule.features
        assert clark[sides].features == pytest.approx([lex_ef, lex_fe, coherent], abs=1e-6)
        wanted = [10**samples - 1, 10**count - 1, 10**-coherent, 10**-lex_ef, 10**-lex_fe]
        assert raw[sides].features == pytest.approx(wanted, rel=1e-4, abs=1e-6)


@given(corpora(min_size=4), sentences, st.integers(1, 3))
@settings(max_examples=30, deadline=None)
def test_only_the_best_targets_are_kept(corpus: list[Pair], sentence: list[str], limit: int):
    with tempfile.TemporaryDirectory() as folder:
        index = index_of(corpus, Path(folder))
        everything = by_sides(index.grammar(sentence))
        best = by_sides(with_options(index, replace(EXACT, max_targets=limit)).grammar(sentence))
    sizes = Counter(source for source, _ in everything)
    assert Counter(source for source, _ in best) == {source: min(limit, n) for source, n in sizes.items()}
    for source, target in everything.keys() - best.keys():
        kept = [rule.features[2] for (f, _), rule in best.items() if f == source]
        assert min(kept) >= everything[source, target].features[2]
    assert all(everything[sides] == rule for sides, rule in best.items())  # probabilities are of the whole


def test_names():
    names = "EgivenFCoherent SampleCountF CountEF MaxLexFgivenE MaxLexEgivenF IsSingletonF IsSingletonFE"
    assert FEATURE_SETS["cdec12"] == tuple(names.split())
    assert FEATURE_SETS["hiero8"][:2] == ("PhraseEgivenF", "PhraseFgivenE")


def test_an_unknown_set_is_named(tmp_path: Path):
    with pytest.raises(DemoticError, match="known: cdec12, hiero8, clark8, raw"):
        index_of([(["a"], ["u"], {(0, 0)})], tmp_path, ExtractOptions(features="cdec13"))
