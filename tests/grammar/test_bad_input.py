"""Input that is wrong, damaged or extreme: a clear error or bounded work."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

from demotic.base import DemoticError
from demotic.cli.main import run
from demotic.corpus import build_bitext
from demotic.grammar import ExtractOptions, GrammarIndex, build_index, index_files
from grammar.corpora import index_of, write_corpus

PAIR = (["a", "b"], ["u", "v"], {(0, 0), (1, 1)})


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("train.al", "0-0\n0-7\n", "0-7 is out of range"),
        ("train.al", "0-0\n0_0\n", "not an alignment link"),
        ("train.al", "0-0\n", "differ in length"),
        ("train.en", "u\n", "line"),
        ("train.en", "u\n\n", "empty"),
        ("train.de", "a\n", "line"),
    ],
)
def test_wrong_corpus(tmp_path: Path, file: str, text: str, message: str, capsys: pytest.CaptureFixture[str]):
    files = write_corpus([PAIR, PAIR], tmp_path)
    (tmp_path / file).write_text(text)
    with pytest.raises(DemoticError, match=message):
        index_files(*files, tmp_path / "index.bin")
    assert not list(tmp_path.glob("*index*"))
    names = zip(("--src", "--tgt", "--align"), files, strict=True)
    arguments = [str(part) for name in names for part in name]
    assert run(["grammar", "index", *arguments, "--out", str(tmp_path / "index.bin")]) == 1
    assert "hint" in capsys.readouterr().err


def test_a_bitext_without_alignment(tmp_path: Path):
    source, target, _ = write_corpus([PAIR], tmp_path)
    with pytest.raises(DemoticError, match="no word alignment"):
        build_index(build_bitext(source, target, None, tmp_path / "bitext.bin"), tmp_path / "index.bin")


def test_an_index_cut_off_or_of_another_kind(tmp_path: Path):
    index_of([PAIR] * 20, tmp_path)
    whole = (tmp_path / "index.bin").read_bytes()
    for size in (0, 10, 100, len(whole) // 2, len(whole) - 1):
        (tmp_path / "cut.bin").write_bytes(whole[:size])
        with pytest.raises(DemoticError):
            GrammarIndex(tmp_path / "cut.bin")
    (tmp_path / "old.bin").write_bytes(whole[:12] + b"\x63\0\0\0" + whole[16:])
    with pytest.raises(DemoticError, match="version 99"):
        GrammarIndex(tmp_path / "old.bin")
    bitext = build_bitext(*write_corpus([PAIR], tmp_path), tmp_path / "bitext.bin")
    with pytest.raises(DemoticError, match="holds 'bitext'"):
        GrammarIndex(bitext.path)
    with pytest.raises(DemoticError):
        GrammarIndex(tmp_path / "absent.bin")


def test_a_sentence_of_a_thousand_words(tmp_path: Path):
    words = [f"w{i % 300}" for i in range(200)]
    corpus = [(words[k : k + 20], words[k : k + 20], {(i, i) for i in range(20)}) for k in range(0, 180, 7)]
    grammar = index_of(corpus, tmp_path, ExtractOptions()).grammar(words * 5)
    assert len(grammar) > 10_000


def test_pairs_that_are_too_long_are_left_out_with_a_warning(tmp_path: Path):
    long = (["a"] * 255, ["u"], {(0, 0)})
    with pytest.warns(UserWarning, match="1 sentence pairs"):
        index = index_of([PAIR, long, PAIR], tmp_path)
    assert index.statistics()["left_out"] == 1 and len(index) == 3
    assert index.source(1) == index.target(1) == [] and index.source(2) == ["a", "b"]
    rule = next(iter(index.grammar("a", exclude=[0])))
    assert rule.features["SampleCountF"] == pytest.approx(0.30103, abs=1e-5)  # of pair 2 alone
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fits = (["a"] * 254, ["u"] * 254, {(i, i) for i in range(254)})
        assert len(index_of([fits], tmp_path).grammar("a a")) > 0


def test_a_word_in_every_sentence(tmp_path: Path):
    corpus = [(["a"] * 8, ["u"] * 8, {(i, i) for i in range(8)})] * 3000
    index = index_of(corpus, tmp_path, ExtractOptions())
    counts = index.grammar("a a a a a").counts
    assert counts.samples.max() == 300
    assert counts.occurrences_f[0] == 24_000


def test_leave_one_out_of_another_text_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    index_of([PAIR, PAIR], tmp_path)
    (tmp_path / "input").write_text("a b\nb a\n")
    arguments = ["grammar", "extract", str(tmp_path / "index.bin"), "--input", str(tmp_path / "input")]
    assert run([*arguments, "--out", str(tmp_path / "out"), "--leave-one-out"]) == 1
    assert "input:2: this is not sentence 1" in capsys.readouterr().err
    assert run([*arguments, "--out", str(tmp_path / "out")]) == 0


def test_show_is_readable(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    index_of([PAIR, PAIR], tmp_path)
    assert run(["grammar", "show", str(tmp_path / "index.bin"), "a b"]) == 0
    out = capsys.readouterr().out
    assert "rules for 'a b'" in out and "u v" in out
