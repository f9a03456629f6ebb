"""Leaving sentence pairs out at query time equals building the index without them."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic.base import DemoticError
from demotic.grammar import ExtractOptions
from grammar.corpora import assert_same, by_sides, corpora, index_of, with_options
from grammar.slow_extractor import Pair


@given(corpora(min_size=2), st.data(), st.sampled_from(["cdec12", "hiero8"]))
@settings(max_examples=50, deadline=None)
def test_equals_an_index_without_the_sentences(corpus: list[Pair], data: st.DataObject, features: str):
    excluded = data.draw(st.sets(st.integers(0, len(corpus) - 1), max_size=len(corpus) - 1))
    sentence = data.draw(st.sampled_from(corpus))[0]
    options = ExtractOptions(max_samples=0, features=features)
    with tempfile.TemporaryDirectory() as folder:
        masked = index_of(corpus, Path(folder), options).grammar(sentence, exclude=excluded)
        kept = [pair for i, pair in enumerate(corpus) if i not in excluded]
        without = index_of(kept, Path(folder), options).grammar(sentence)
        assert_same(by_sides(masked), by_sides(without))


@pytest.fixture
def corpus() -> list[Pair]:
    rng = np.random.default_rng(1)
    result: list[Pair] = []
    for _ in range(60):
        length = int(rng.integers(2, 8))
        order = rng.permutation(length)
        source = [str(w) for w in rng.choice(list("abcdefg"), length)]
        target = [source[i].upper() for i in order]
        result.append((source, target, {(int(i), j) for j, i in enumerate(order)}))
    return result


def test_all_ways_to_say_it_are_the_same(corpus: list[Pair], tmp_path: Path):
    index = index_of(corpus, tmp_path)
    fold = {3, 8, 30, 31}
    wanted = by_sides(index.grammar("a b c", exclude=fold))
    assert wanted != by_sides(index.grammar("a b c"))
    flags = np.isin(np.arange(len(corpus)), list(fold))
    mask = index.mask(fold)
    for exclude in ([31, 3, 30, 8, 8], np.array([3, 8, 30, 31]), flags, mask, mask):
        assert by_sides(index.grammar("a b c", exclude=exclude)) == wanted
    assert by_sides(index.grammar("a b c", exclude=[])) == by_sides(index.grammar("a b c"))
    assert by_sides(index.grammar("a b c", exclude=5)) == by_sides(index.grammar("a b c", exclude=[5]))


def test_masks_do_not_share_cached_patterns(corpus: list[Pair], tmp_path: Path):
    index = index_of(corpus, tmp_path)
    masks = [index.mask(range(k, len(corpus), 5)) for k in range(5)]
    first = [by_sides(index.grammar("a b c d", exclude=mask)) for mask in masks]
    assert [by_sides(index.grammar("a b c d", exclude=mask)) for mask in masks] == first
    assert len({str(sorted(rules)) for rules in first}) > 1


def test_leave_one_out_keeps_only_what_another_sentence_supports(tmp_path: Path):
    corpus = [(["a", "b"], ["u", "v"], {(0, 0), (1, 1)}), (["a"], ["u"], {(0, 0)})]
    index = index_of(corpus, tmp_path)
    assert set(by_sides(index.grammar("a b", exclude=0))) == {("a", "u")}


def test_the_lexical_mask_can_be_turned_off(tmp_path: Path):
    corpus = [(["a"], ["u"], {(0, 0)}), (["a"], ["v"], {(0, 0)}), (["a"], ["u"], {(0, 0)})]
    index = index_of(corpus, tmp_path)
    off = with_options(index, ExtractOptions(max_samples=0, lexical_mask=False))
    cost = by_sides(index.grammar("a", exclude=1))["a", "u"].features[4]
    assert cost == 0 and by_sides(off.grammar("a", exclude=1))["a", "u"].features[4] == pytest.approx(
        0.17609, abs=1e-5
    )


def test_sentences_out_of_range_are_refused(corpus: list[Pair], tmp_path: Path):
    index = index_of(corpus, tmp_path)
    for exclude in (60, -1, [0, 99], 2**40, np.zeros(59, dtype=bool)):
        with pytest.raises(DemoticError):
            index.grammar("a", exclude=exclude)


def test_the_message_names_the_sentence(corpus: list[Pair], tmp_path: Path):
    index = index_of(corpus, tmp_path)
    for exclude, number in (
        (60, "60"),
        ([0, 99], "99"),
        (2**40, str(2**40)),
        (2**80, str(2**80)),
        (-3, "-3"),
    ):
        with pytest.raises(DemoticError, match=rf"cannot exclude sentence {number}\b"):
            index.mask(exclude)
    with pytest.raises(DemoticError, match="must be whole numbers"):
        index.mask([1.5])
    assert len(index.mask(np.int64(59))) == 1


def test_a_mask_of_another_index_is_refused(corpus: list[Pair], tmp_path: Path):
    """Its positions and words mean nothing there: it must not even be looked at."""
    (tmp_path / "small").mkdir()
    large, small = index_of(corpus * 20, tmp_path), index_of(corpus[:2], tmp_path / "small")
    before = by_sides(small.grammar("a b c"))
    for foreign in (large.mask(range(600)), large.mask(1199), large.mask([])):
        with pytest.raises(DemoticError, match="another index"):
            small.grammar("a b c", exclude=foreign)
    with pytest.raises(DemoticError, match="another index"):
        large.grammar("a b c", exclude=small.mask([0, 1]))
    assert by_sides(small.grammar("a b c")) == before


def test_indexes_of_one_file_opened_once_share_masks(corpus: list[Pair], tmp_path: Path):
    index = index_of(corpus, tmp_path)
    other = with_options(index, ExtractOptions(max_samples=0, features="hiero8"))
    mask = index.mask([1, 2])
    assert by_sides(other.grammar("a b", exclude=mask)) == by_sides(other.grammar("a b", exclude=[1, 2]))


def test_equal_masks_share_cached_patterns(corpus: list[Pair], tmp_path: Path):
    index = index_of(corpus, tmp_path)
    rules = by_sides(index.grammar("a b c", exclude=index.mask([3, 8, 30])))
    misses, size = index.extractor.cache_misses, index.extractor.cache_bytes
    assert misses > 0 and index.extractor.cache_hits == 0
    for _ in range(3):  # each of them a new mask
        assert by_sides(index.grammar("a b c", exclude=index.mask([30, 3, 8]))) == rules
    extractor = index.extractor
    assert (extractor.cache_hits, extractor.cache_misses, extractor.cache_bytes) == (3 * misses, misses, size)


def test_sampling_replaces_excluded_occurrences(tmp_path: Path):
    corpus = [(["a"], ["u"], {(0, 0)})] * 1000
    index = index_of(corpus, tmp_path, ExtractOptions(max_samples=50))
    counts = index.grammar("a", exclude=range(0, 1000, 2)).counts
    assert counts.samples[0] == counts.count_fe[0] == 50
