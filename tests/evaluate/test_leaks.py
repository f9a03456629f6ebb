"""Finding test text in the training corpus, against brute force."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from demotic.evaluate import MonolingualLeaks, leak_check
from grammar.corpora import corpora, index_of


def stretches(words: list[str]) -> set[tuple[str, ...]]:
    return {tuple(words[i:j]) for i in range(len(words)) for j in range(i + 1, len(words) + 1)}


@settings(max_examples=60, deadline=None)
@given(corpora(), st.lists(st.lists(st.sampled_from("abcdeq"), max_size=9), min_size=1, max_size=4))
def test_longest_match_and_equal_sentences_equal_brute_force(corpus, queries):
    sources = [pair[0] for pair in corpus]
    known = set().union(*map(stretches, sources))
    with TemporaryDirectory() as folder:
        index = index_of(corpus, Path(folder))
        for words in queries:
            begin, length, pair = index.longest_match(words)
            assert length == max((len(found) for found in stretches(words) & known), default=0)
            if length:
                assert begin == min(
                    i
                    for i in range(len(words))
                    if tuple(words[i : i + length]) in known and i + length <= len(words)
                )
                holders = [
                    i for i, s in enumerate(sources) if tuple(words[begin : begin + length]) in stretches(s)
                ]
                assert pair == min(holders)
            assert index.pairs_with(words) == [i for i, s in enumerate(sources) if words and s == words]


CORPUS = [
    (["das", "haus"], ["the", "house"], {(0, 0), (1, 1)}),
    (["ein", "hund", "bellt"], ["a", "dog", "barks"], {(0, 0), (1, 1), (2, 2)}),
    (["das", "haus"], ["that", "house"], {(0, 0), (1, 1)}),
]


def test_whole_sentences_and_pairs_are_warned_of(tmp_path: Path):
    index = index_of(CORPUS, tmp_path)
    source = [["das", "haus"], ["ein", "hund", "schläft"], ["ein", "hund", "bellt"], []]
    references = [[["that", "house"], ["a", "dog", "sleeps"], ["the", "dog", "barks"], ["x"]]]
    report = leak_check(index, source, references)
    assert [side.side for side in report.sides] == ["source", "target"]
    assert report.sides[0].whole == (1, 3)
    assert report.sides[1].whole == (1,)
    assert report.pairs == (1,)
    first = report.sides[0].longest[0]
    assert (first.line, first.length, first.words, first.pair, first.text) == (3, 3, 3, 1, "ein hund bellt")
    assert report.sides[0].matched_words == (1 + 2 / 3 + 1 + 0) / 4
    assert len(report.warnings()) == 3
    assert "lines 1, 3" in report.warnings()[0]


def test_nothing_to_warn_of(tmp_path: Path):
    report = leak_check(index_of(CORPUS, tmp_path), references=[[["a", "house"]], [["one", "dog"]]])
    assert report.warnings() == []
    assert report.sides[0].longest[0].length == 1


def test_references_in_monolingual_text(tmp_path: Path):
    mono = tmp_path / "mono"
    mono.write_text("a dog sleeps\na house\nthe house is big\n\n", encoding="utf-8")
    references = [
        [["the", "house"], ["a", "dog", "sleeps"], [], ["x"]],
        [["a", "house"], ["dogs", "sleep"], [], ["y"]],
    ]
    report = leak_check(index_of(CORPUS, tmp_path), references=references, mono=mono)
    assert report.monolingual == MonolingualLeaks(4, (1, 2), "a house")
    warning = next(text for text in report.warnings("dev set") if "monolingual" in text)
    assert warning == (
        "2 of 4 references of the dev set are in the monolingual text of the language model"
        ' (lines 1, 2), such as "a house"'
    )
    assert report.summary().endswith("; in the monolingual text: 2 of 4 references")
    assert report.to_json()["monolingual"]["whole"] == (1, 2)
    assert leak_check(index_of(CORPUS, tmp_path), references=references).monolingual is None
