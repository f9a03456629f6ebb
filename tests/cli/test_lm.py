"""`demotic lm train` and `score`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from demotic.cli.main import run
from demotic.lm import LanguageModel

TEXT = "das haus ist klein .\ndas haus ist gross .\nein hund bellt .\n"


@pytest.fixture
def text(tmp_path: Path) -> Path:
    (tmp_path / "text").write_text(TEXT, encoding="utf-8")
    return tmp_path / "text"


def test_train_and_score(text: Path, capsys: pytest.CaptureFixture[str]):
    model = text.with_name("lm.arpa.gz")
    assert run(["lm", "train", str(text), str(text), "--order", "3", "--out", str(model), "--json"]) == 0
    captured = capsys.readouterr()
    summary = json.loads(captured.out)
    assert summary["sentences"] == 6
    assert summary["words"] == 28
    assert len(summary["ngrams"]) == 3
    assert captured.err.startswith("demotic: warning: the text is too small or too regular")

    text.write_text("das haus bellt .\n\nkatze\n", encoding="utf-8")
    assert run(["lm", "score", str(model), str(text), "--json"]) == 0
    scores = json.loads(capsys.readouterr().out)
    lm = LanguageModel.load(model)
    expected = [lm.score(line) for line in ("das haus bellt .", "", "katze")]
    assert scores["sentences"] == pytest.approx(expected)
    assert scores["total_log10"] == pytest.approx(sum(expected))
    assert scores["oov"] == 1
    assert scores["perplexity"] == pytest.approx(10 ** (-sum(expected) / 8))

    assert run(["lm", "score", str(model), str(text)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [float(line) for line in lines[:3]] == pytest.approx(expected, abs=1e-5)


def test_options_reach_the_model(text: Path):
    out = text.with_name("lm.arpa")
    options = ["--order", "2", "--prune", "0,1", "--vocab-size", "3", "--memory", "1M", "--threads", "2"]
    assert run(["lm", "train", str(text), "--out", str(out), "--temporary", str(text.parent), *options]) == 0
    arpa = out.read_text("utf-8")
    assert "\tdas\t" in arpa
    assert "hund" not in arpa
    assert "\tein" not in arpa
    assert "<s> das" in arpa


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--order", "0"], 2, ""),
        (["--memory", "much"], 2, "is not a size"),
        (["--prune", "0,x"], 2, "is not a list of whole numbers"),
        (["--order", "2", "--prune", "1,1"], 1, "single words cannot be pruned"),
        (
            ["--temporary", "/nowhere/at/all", "--memory", "0"],
            1,
            "/nowhere/at/all: cannot create a temporary file",
        ),
    ],
)
def test_wrong_usage(
    text: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, message: str
):
    text.write_text(TEXT * 100, encoding="utf-8")
    assert run(["lm", "train", str(text), "--out", str(text.with_name("lm.bin")), *arguments]) == code
    assert message in capsys.readouterr().err
    assert not text.with_name("lm.bin").exists()


def test_bad_input(text: Path, capsys: pytest.CaptureFixture[str]):
    text.write_text("a\nb </s>\n", encoding="utf-8")
    assert run(["lm", "train", str(text), "--out", str(text.with_name("lm.bin"))]) == 1
    assert capsys.readouterr().err.startswith(f"demotic: {text}:2: the text contains '</s>'\n  hint: ")
    assert run(["lm", "score", str(text), str(text)]) == 1
    assert f"demotic: {text}:2: this is not an ARPA file" in capsys.readouterr().err
