"""Extraction against the definitions, on any small corpus."""

from __future__ import annotations

import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic.base import DemoticError
from demotic.corpus import build_bitext
from demotic.grammar import ExtractOptions, build_index
from grammar.corpora import EXACT, assert_same, by_sides, corpora, index_of, with_options, write_corpus
from grammar.slow_extractor import Pair, slow_grammar

sentences = st.lists(st.sampled_from("abcdef"), max_size=8)


@given(corpora(), sentences)
@settings(max_examples=80, deadline=None)
def test_equals_the_definitions(corpus: list[Pair], sentence: list[str]):
    with tempfile.TemporaryDirectory() as folder:
        index = index_of(corpus, Path(folder))
        assert_same(by_sides(index.grammar(sentence)), slow_grammar(corpus, sentence))


@given(corpora(min_size=4), st.lists(sentences, min_size=2, max_size=6))
@settings(max_examples=30, deadline=None)
def test_sampling_is_the_same_with_and_without_cache_and_threads(corpus: list[Pair], inputs: list[list[str]]):
    options = ExtractOptions(max_samples=3, scan_limit=5)
    with tempfile.TemporaryDirectory() as folder:
        index = index_of(corpus, Path(folder), options)
        alone = [
            with_options(index, replace(options, cache_mb=0)).grammar(line).native.to_text()
            for line in inputs
        ]
        with ThreadPoolExecutor(4) as pool:
            together = list(pool.map(lambda line: index.grammar(line).native.to_text(), inputs * 3))
        assert together == alone * 3


@given(corpora(max_size=30))
@settings(max_examples=10, deadline=None)
def test_the_index_has_the_same_bytes_whatever_the_number_of_threads(corpus: list[Pair]):
    with tempfile.TemporaryDirectory() as folder:
        bitext = build_bitext(*write_corpus(corpus, Path(folder)), Path(folder) / "bitext.bin")
        for threads in (1, 3):
            build_index(bitext, Path(folder) / f"index.{threads}", threads)
        assert (Path(folder) / "index.1").read_bytes() == (Path(folder) / "index.3").read_bytes()


def test_a_sample_is_no_larger_than_asked(tmp_path: Path):
    corpus = [(["a", "b", "a", "c"], ["u", "v", "u", "w"], {(0, 0), (1, 1), (2, 2), (3, 3)})] * 50
    index = index_of(corpus, tmp_path, ExtractOptions(max_samples=7))
    counts = index.grammar("a b").counts
    assert counts.samples.max() == 7
    assert sorted(set(counts.occurrences_f.round())) == [50, 100]  # b and a b; a


@pytest.mark.parametrize(("samples", "scan_limit"), [(300, 0), (301, 5), (10**6, 5)])
def test_a_sample_that_is_large_enough_holds_everything(tmp_path: Path, samples: int, scan_limit: int):
    """Of gapped patterns too, although their anchors occur more often than the scan limit."""
    words = list("abcacbbaccab")
    corpus = [
        (words[k:] + words[:k], list("uvwxyzuvwxyz"), {(i, (i + k) % 12) for i in range(12)})
        for k in range(12)
    ]
    everything = index_of(corpus, tmp_path).grammar(words[:6])
    assert everything.counts.samples.max() <= 300
    options = ExtractOptions(max_samples=samples, scan_limit=scan_limit)
    sampled = index_of(corpus, tmp_path, options).grammar(words[:6])
    assert_same(by_sides(sampled), slow_grammar(corpus, words[:6]))
    assert sampled.native.to_text() == everything.native.to_text()


def test_options_limit_the_rules(tmp_path: Path):
    corpus = [(list("abcde"), list("vwxyz"), {(i, i) for i in range(5)})]
    index = index_of(corpus, tmp_path)

    def sources(**options: int) -> list[tuple[str, ...]]:
        return [rule.source for rule in with_options(index, replace(EXACT, **options)).grammar("a b c d e")]

    assert max(len(source) for source in sources(max_symbols=3)) == 3
    assert max(len(source) for source in sources(max_symbols=8)) == 5
    assert all("[X,1]" not in source for source in sources(max_nonterminals=0))
    assert any("[X,1]" in s for s in sources(max_nonterminals=1))
    assert all("[X,2]" not in s for s in sources(max_nonterminals=1))
    assert max(len(source) for source in sources(max_span=2)) == 2
    assert ("a", "[X,1]", "c") in sources() and ("a", "[X,1]", "c") not in sources(min_gap=2)


@pytest.mark.parametrize(
    "options",
    [{"max_span": 17}, {"max_span": 0}, {"max_symbols": 9}, {"max_nonterminals": 3}, {"min_gap": 0}],
)
def test_options_outside_their_range_are_named(tmp_path: Path, options: dict[str, int]):
    with pytest.raises(DemoticError, match=next(iter(options))):
        index_of([(["a"], ["u"], {(0, 0)})], tmp_path, ExtractOptions(**options))


def test_unknown_words_and_empty_lines_give_no_rules(tmp_path: Path):
    index = index_of([(["a"], ["u"], {(0, 0)})], tmp_path)
    assert len(index.grammar("")) == len(index.grammar("  ")) == len(index.grammar("q r")) == 0
    assert [rule.source for rule in index.grammar("q a r")] == [("a",)]


def test_pairs_without_links_count_as_occurrences_only(tmp_path: Path):
    index = index_of([(["a"], ["u"], {(0, 0)}), (["a"], ["u"], set())], tmp_path)
    (rule,) = index.grammar("a")
    assert rule.features["EgivenFCoherent"] == pytest.approx(0.30103, abs=1e-5)
