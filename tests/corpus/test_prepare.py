"""From raw pairs to training files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demotic.base import DemoticError
from demotic.corpus import (
    CleanOptions,
    Pair,
    PrepareOptions,
    preparation,
    prepare,
    prepare_lines,
    read_parallel,
)
from demotic.corpus.clean import Cleaner
from demotic.corpus.preprocess import Preprocessor

PAIRS = [
    ("Das Haus ist klein.", "The house is small."),
    ("", "nothing"),
    ("Das Haus ist klein.", "The house is small."),
    ("Ja", "Yes , yes , yes , yes , yes , yes , yes"),
    ("a " * 90, "b " * 90),
    ("Die Stadt ist groß.", "The city is big."),
]


def pairs() -> list[Pair]:
    return [Pair(source, target, i) for i, (source, target) in enumerate(PAIRS, start=1)]


def test_every_pair_is_counted_once(tmp_path: Path):
    summary = prepare(pairs(), tmp_path, PrepareOptions())
    assert summary.removed == {"empty": 1, "too short": 0, "too long": 1, "length ratio": 1, "duplicate": 1}
    assert (summary.read, summary.kept) == (6, 2)
    assert (tmp_path / "train.src").read_text() == "das haus ist klein .\ndie stadt ist groß .\n"
    assert (tmp_path / "train.tgt").read_text() == "the house is small .\nthe city is big .\n"
    assert json.loads((tmp_path / "summary.json").read_text())["kept"] == 2
    assert (summary.source_words, summary.source_types) == (10, 8)
    assert not [path for path in tmp_path.iterdir() if path.name.endswith(".tmp")]


@pytest.mark.parametrize("options", [PrepareOptions(), PrepareOptions(case="true", compounds=True)])
def test_the_number_of_workers_changes_nothing(
    tmp_path: Path, options: PrepareOptions, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(preparation, "_BLOCK", 100)
    many = [Pair(f"Der {i}. Satz ist kurz.", f"Sentence {i} is short.", i) for i in range(1, 250)]
    for workers in (1, 2):
        prepare(many, tmp_path / str(workers), options, workers)
    for path in (tmp_path / "1").iterdir():
        assert path.read_bytes() == (tmp_path / "2" / path.name).read_bytes()


def test_held_out_lines_are_all_kept(tmp_path: Path):
    prepare(pairs(), tmp_path, PrepareOptions())
    (tmp_path / "dev").write_text("Das Haus.\n\n" + "x " * 200 + "\n")
    assert prepare_lines(tmp_path / "dev", tmp_path / "dev.src", Preprocessor.load(tmp_path), "source") == 3
    assert (tmp_path / "dev.src").read_text().splitlines()[:2] == ["das haus .", ""]


def test_nothing_left_is_an_error_and_writes_nothing(tmp_path: Path):
    with pytest.raises(DemoticError, match=r"no sentence pair is left \(1 empty\)"):
        prepare(pairs()[1:2], tmp_path / "out", PrepareOptions())
    assert list((tmp_path / "out").iterdir()) == []


def test_tokenized_text_is_cleaned_but_not_changed(tmp_path: Path):
    (tmp_path / "s").write_text("Das &apos; Haus\u00a0x\n")
    (tmp_path / "t").write_text("The house\n")
    stream = read_parallel(tmp_path / "s", tmp_path / "t", tokenized=True)
    prepare(stream, tmp_path / "out", PrepareOptions(tokenized=True))
    assert (tmp_path / "out/train.src").read_text() == "Das &apos; Haus\u00a0x\n"


sentences = st.lists(st.sampled_from("abc"), max_size=6)


@given(st.lists(st.tuples(sentences, sentences), max_size=30))
def test_cleaner_keeps_what_satisfies_the_definition(corpus):
    options = CleanOptions(min_words=2, max_words=5, max_ratio=2.0)
    cleaner = Cleaner(options)
    kept = [(tuple(s), tuple(t)) for s, t in corpus if cleaner.keeps(s, t)]
    fit = [
        (tuple(s), tuple(t))
        for s, t in corpus
        if all(2 <= len(x) <= 5 for x in (s, t)) and max(len(s), len(t)) <= 2 * min(len(s), len(t))
    ]
    assert kept == list(dict.fromkeys(fit))
    assert sum(cleaner.counts.values()) == len(corpus)
