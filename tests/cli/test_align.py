"""`demotic align`: saved models, pictures."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from demotic.cli.main import run


def put(folder: Path, name: str, lines: list[str]) -> str:
    (folder / name).write_text("".join(line + "\n" for line in lines), "utf-8")
    return str(folder / name)


@pytest.fixture
def text(tmp_path: Path) -> list[str]:
    pairs = [
        ("das haus", "the house"),
        ("das buch", "the book"),
        ("ein buch", "a book"),
        ("ein haus", "a house"),
    ]
    source, target = put(tmp_path, "s", [s for s, _ in pairs]), put(tmp_path, "t", [t for _, t in pairs])
    return ["--src", source, "--tgt", target]


def test_a_saved_model_aligns_new_text(text: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    model, out, values = (str(tmp_path / name) for name in ("m", "out", "p"))
    assert run(["align", "run", *text, "--out", out, "--save-model", model, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["model"] == "gibbs"
    assert Path(out).read_text() == "0-0 1-1\n" * 4
    assert run(["align", "run", *text, "--out", out, "--model-file", model, "--probabilities", values]) == 0
    assert Path(out).read_text() == "0-0 1-1\n" * 4
    assert all(0.5 < float(value) <= 1 for value in Path(values).read_text().split())
    assert run(["align", "run", *text, "--out", out, "--model-file", model, "--model", "gibbs"]) == 2
    assert run(["align", "run", *text, "--out", out, "--model-file", str(tmp_path / "none")]) == 1


def test_show_draws_a_pair(text: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    links = put(tmp_path, "al", ["0-0 1-1", "0-1", "", "0-0 2-1"])
    assert run(["align", "show", *text, "--align", links, "--line", "2"]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert rows == [["das", "buch"], ["the", "·", "·"], ["book", "■", "·"]]
    assert run(["align", "show", *text, "--align", links, "--line", "4"]) == 1
    assert "al:4: link 2-1 is out of range" in capsys.readouterr().err
    assert run(["align", "show", *text, "--align", links, "--line", "5"]) == 1
    assert "there is no line 5" in capsys.readouterr().err
    assert run(["align", "show", *text]) == 2


def test_words_of_long_sentences_stand_upright(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    source, target = put(tmp_path, "s", ["wort " * 40]), put(tmp_path, "t", ["word"])
    links = put(tmp_path, "al", ["39-0"])
    assert run(["align", "show", "--src", source, "--tgt", target, "--align", links]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split() for line in lines[:4]] == [[letter] * 40 for letter in "wort"]
    assert lines[4].split() == ["word", *["·"] * 39, "■"]


def test_score_draws_the_worst_pairs(text: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    gold = put(tmp_path, "gold", ["0-0 1-1", "0-0 1-1", "0-0 1?1", "0-0"])
    found = put(tmp_path, "al", ["0-0 1-1", "0-0 0-1", "0-0 1-1", "1-1"])
    arguments = ["align", "score", "--gold", gold, "--align", found]
    assert run([*arguments, *text, "--worst", "2"]) == 0
    said = capsys.readouterr().out
    assert "line 4: AER 100.0%" in said and "line 2: AER 50.0%" in said and "line 3" not in said
    grid = [line.split() for line in said[said.index("line 2") :].splitlines()[1:]]
    assert grid == [["das", "buch"], ["the", "■", "·"], ["book", "x", "o"]]
    assert run(arguments) == 0  # without text there is nothing to draw
    assert "line" not in capsys.readouterr().out
    assert run([*arguments, *text[:2]]) == 2
