"""`demotic translate` as a batch job: any line may be long or bad, and what is finished is never lost."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demotic.base.errors import DemoticError
from demotic.base.run import Run
from demotic.cli.main import run
from demotic.corpus import Preprocessor
from demotic.decode import Decoder
from demotic.decode.batch import LONGEST, cut_words
from demotic.decode.constraints import SpanConstraint


@pytest.fixture
def lines(corpus: Path) -> list[str]:
    return (corpus / "test.de").read_text("utf-8").splitlines()[:4]


@pytest.fixture
def refusing(monkeypatch: pytest.MonkeyPatch) -> None:
    """No sentence with one of these words can be translated."""
    decode = Decoder._decode

    def refuse(self: Decoder, job: Any, *rest: Any) -> Any:
        if "xyzzy" in job.sentence:
            raise KeyError("a template of the user")
        if "plugh" in job.sentence:
            raise DemoticError("no derivation covers the sentence")
        return decode(self, job, *rest)

    words = Preprocessor.words

    def break_(self: Preprocessor, text: str, side: Any) -> list[str]:
        if text == "frotz":
            raise ValueError("a mistake of the tokeniser")
        return words(self, text, side)

    monkeypatch.setattr(Decoder, "_decode", refuse)
    monkeypatch.setattr(Preprocessor, "words", break_)


def translate(model: Path, folder: Path, lines: list[str], *more: str) -> int:
    (folder / "in").write_text("".join(line + "\n" for line in lines), "utf-8")
    return run(["translate", str(model), "--input", str(folder / "in"), *more])


@given(st.lists(st.sampled_from(["a", "b", ".", "?"])), st.integers(1, 9))
def test_pieces_are_short_and_lose_nothing(words: list[str], longest: int):
    pieces = [piece for piece, _ in cut_words(words, (), longest)]
    assert [word for piece in pieces for word in piece] == words
    assert all(0 < len(piece) <= longest for piece in pieces) or words == []
    for piece in pieces[
        :-1
    ]:  # nothing ends in the second half of what could have been taken, or it ends there
        assert len(piece) == longest or piece[-1] in ".?"


@given(st.lists(st.integers(1, 4), max_size=8), st.integers(1, 6))
def test_no_span_is_cut(widths: list[int], longest: int):
    words, spans = [], []
    for i, width in enumerate(widths):  # every second span is constrained
        if i % 2:
            spans.append(SpanConstraint(len(words), len(words) + width, str(i)))
        words += [f"{i}"] * width
    pieces = list(cut_words(words, spans, longest))
    assert [word for piece, _ in pieces for word in piece] == words
    found = [(piece[span.begin : span.end], span.translation) for piece, own in pieces for span in own]
    assert found == [(words[span.begin : span.end], span.translation) for span in spans]
    assert all(len(piece) <= max(longest, *widths, 1) for piece, _ in pieces)


def test_a_long_line_is_translated_in_pieces(
    model: Path, lines: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    assert translate(model, tmp_path, lines) == 0
    alone = capsys.readouterr().out.splitlines()
    long = " ".join([lines[0]] * (3 * LONGEST // len(lines[0].split())))
    assert translate(model, tmp_path, [lines[0], long, lines[1]]) == 0
    first, second, third = capsys.readouterr().out.splitlines()
    assert (first, third) == (alone[0], alone[1])
    assert len(second.split()) > 2 * LONGEST


@pytest.mark.usefixtures("refusing")
def test_a_line_that_cannot_be_translated_is_copied(
    model: Path, lines: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    bad = [lines[0], "plugh ist hier", lines[1], "xyzzy", "frotz"]
    assert translate(model, tmp_path, bad, "--output", str(tmp_path / "out")) == 1
    out = (tmp_path / "out").read_text("utf-8").splitlines()
    said = capsys.readouterr().err
    assert (out[1], *out[3:]) == ("plugh ist hier", "xyzzy", "frotz") and out[2] != bad[2]
    assert "line 2 cannot be translated: no derivation covers the sentence; it is copied" in said
    assert "line 4 cannot be translated: KeyError: 'a template of the user'" in said
    assert "3 of 5 lines could not be translated" in said
    assert translate(model, tmp_path, bad, "--json", "--kbest", "2") == 1
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert ["error" in row for row in rows] == [False, True, False, True, True]
    assert rows[3]["translations"][0]["text"] == "xyzzy"


@pytest.mark.usefixtures("refusing")
def test_strict_stops_and_keeps_what_is_finished(
    model: Path, lines: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    out = ["--strict", "--output", str(tmp_path / "out")]
    assert translate(model, tmp_path, [*lines, "plugh", lines[0]], *out) == 1
    said = capsys.readouterr().err
    assert "demotic: line 5 cannot be translated: no derivation covers" in said and "out.partial" in said
    assert len((tmp_path / "out.partial").read_text("utf-8").splitlines()) == len(lines)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in", "out.partial"]


def test_devices_are_written_to_and_not_replaced(model: Path, lines: list[str], tmp_path: Path):
    assert translate(model, tmp_path, lines, "--output", "/dev/null") == 0
    assert Path("/dev/null").is_char_device()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
def test_standard_output_that_takes_no_more(model: Path, corpus: Path):
    command = [sys.executable, "-m", "demotic", "translate", str(model), "--input", str(corpus / "test.de")]
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("demotic: standard output: no space left on device\n  hint: ")
    assert len(done.stderr.splitlines()) == 2


@pytest.mark.parametrize("verb", ["train", "tune"])
def test_a_second_writer_of_a_model_is_refused(
    verb: str, model: Path, corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    train = ["--src", str(corpus / "train.de"), "--tgt", str(corpus / "train.en"), "--out", str(tmp_path)]
    tune = [str(model), "--learner", "pro", "--src", str(corpus / "dev.de"), "--ref", str(corpus / "dev.en")]
    with Run(tmp_path / "run"):
        assert run([verb, *(train if verb == "train" else [*tune, "--out", str(tmp_path)])]) == 1
    assert "another demotic process is using this folder\n  hint: wait" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["a.po", "--json"], "files take"),
        (["a.po", "--protect", "none"], "files take"),
        (["a.po", "--input", "a.txt"], "files take"),
        (["a.po", "--mbr-size", "5"], "files take"),
        (["--review"], "files take"),
        (["--explain", "--json"], "--explain takes"),
        (["--explain", "--output", "a.txt"], "--explain takes"),
        (["--confidence", "--mbr", "consensus"], "--confidence judges"),
    ],
)
def test_an_option_without_effect_is_refused(
    options: list[str], message: str, capsys: pytest.CaptureFixture[str]
):
    assert run(["translate", "nowhere", *options]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    "options", [["a.po", "--label", "x"], ["--explain", "--threads", "1"], ["--confidence", "--mbr", "none"]]
)
def test_options_that_go_together(options: list[str], capsys: pytest.CaptureFixture[str]):
    assert run(["translate", "nowhere", *options]) == 1
    assert "not a model folder" in capsys.readouterr().err
