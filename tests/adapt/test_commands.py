"""`demotic learn`, `undo` and `forget`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from adapt.conftest import Lines
from demotic.cli.main import run
from demotic.decode import TranslationModel
from demotic.decode.additions import ADDITIONS

Capture = pytest.CaptureFixture[str]


def write(folder: Path, corrections: Lines) -> list[str]:
    """The corrections as files, as arguments."""
    arguments = []
    for option, lines in zip(("--src", "--tgt"), zip(*corrections, strict=True), strict=True):
        file = folder / option.strip("-")
        file.write_text("".join(line + "\n" for line in lines), "utf-8")
        arguments += [option, str(file)]
    return arguments


def answer(arguments: list[str], capsys: Capture) -> dict[str, Any]:
    assert run([*arguments, "--json"]) == 0
    result: dict[str, Any] = json.loads(capsys.readouterr().out)
    return result


def test_learn_undo_and_forget(folder: Path, tmp_path: Path, corrections: Lines, capsys: Capture):
    files = write(tmp_path, corrections[:3])
    done = answer(["learn", str(folder), *files], capsys)
    assert (done["learnt"], done["known"], done["additions"]) == (3, 0, 3) and done["ms_per_correction"] > 0
    log = (folder / ADDITIONS).read_bytes()
    assert answer(["learn", str(folder), *files], capsys)["known"] == 3
    assert run(["learn", str(folder), *files]) == 0
    assert "ms per correction" in capsys.readouterr().out
    assert (folder / ADDITIONS).read_bytes() == log
    assert answer(["undo", str(folder), "--last", "2"], capsys) == {"undone": 2, "additions": 1}
    size = len(TranslationModel(folder).index)
    numbers = tmp_path / "numbers"
    numbers.write_text(f"1\n{size}\n")
    out = tmp_path / "out"
    done = answer(["forget", str(folder), "--lines", str(numbers), "--out", str(out)], capsys)
    assert (done["pairs"], done["left"]) == (2, size - 2) and len(TranslationModel(out).index) == size - 2
    assert run(["translate", str(out), "--input", files[1]]) == 0


def test_one_bad_line_and_nothing_is_learnt(
    folder: Path, tmp_path: Path, corrections: Lines, capsys: Capture
):
    files = write(tmp_path, [corrections[0], ("Haus", "")])
    assert run(["learn", str(folder), *files]) == 1
    assert "tgt:2: the target side is empty\n  hint: remove this pair" in capsys.readouterr().err
    assert not (folder / ADDITIONS).exists()
    (tmp_path / "tgt").write_text("one line\n")
    assert run(["learn", str(folder), *files]) == 1
    assert "1 lines, but" in capsys.readouterr().err


def test_forget_needs_to_know_what(folder: Path, tmp_path: Path, capsys: Capture):
    out = ["--out", str(tmp_path / "out")]
    assert run(["forget", str(folder), *out]) == 2
    (tmp_path / "numbers").write_text("1\nx\n")
    assert run(["forget", str(folder), "--lines", str(tmp_path / "numbers"), *out]) == 1
    assert "numbers:2: 'x' is not a line number" in capsys.readouterr().err
    assert run(["forget", str(folder), "--matching", "no such text", *out]) == 1
    assert "no pair to forget" in capsys.readouterr().err
