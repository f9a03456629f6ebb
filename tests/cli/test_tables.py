"""Tables as people read them."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from demotic.cli.common import EpochLog, emit, table
from demotic.cli.main import run

WEIGHTS = "Glue -0.07\nLanguageModel 0.25\nid:[/b]|x 0.5\nword_pair:[laughter]|[laughter] 2e-06\n"


@pytest.fixture
def weights(tmp_path: Path) -> str:
    (tmp_path / "weights.txt").write_text(WEIGHTS)
    return str(tmp_path / "weights.txt")


def test_a_title_is_not_folded_at_the_width_of_its_table(capsys: pytest.CaptureFixture[str]):
    emit({}, [table("Confidence, on sentences that it was not fitted on", ["n"], [[1]])], False)
    assert capsys.readouterr().out.startswith("Confidence, on sentences that it was not fitted on\n")


@pytest.mark.parametrize("verb", [["show"], ["top"], ["diff"]])
def test_words_in_brackets_stay(verb: list[str], weights: str, tmp_path: Path, capsys):
    (tmp_path / "none").write_text("")
    files = [str(tmp_path / "none"), weights] if verb == ["diff"] else [weights]
    assert run(["weights", *verb, *files]) == 0
    shown = capsys.readouterr().out
    assert "[/b]" in shown and "[laughter]" in shown


def test_weights_of_a_list_are_aligned(weights: str, capsys: pytest.CaptureFixture[str]):
    assert run(["weights", "top", weights]) == 0
    largest = capsys.readouterr().out.split("Smallest")[0]
    assert [line.split()[-1] for line in largest.splitlines()[2:]] == ["+0.5000", "+0.2500", "+2.0e-06"]


@pytest.mark.parametrize("verb", ["show", "top"])
def test_a_template_without_weights_is_an_error(verb: str, weights: str, capsys):
    assert run(["weights", verb, weights, "--template", "shape"]) == 1
    error = capsys.readouterr().err
    assert "template 'shape'" in error and "dense, id, word_pair" in error


def test_a_difference_to_weights_that_lack_the_template(weights: str, tmp_path: Path, capsys):
    (tmp_path / "dense").write_text("Glue 1\n")
    assert run(["weights", "diff", str(tmp_path / "dense"), weights, "--template", "id"]) == 0
    assert "1 of 1 weights differ" in capsys.readouterr().out


def test_choices_of_an_option_are_named(capsys: pytest.CaptureFixture[str]):
    assert run(["learners", "mert"]) == 0
    assert "(coordinate, powell)" in capsys.readouterr().out


def test_the_unit_of_a_figure_stands_behind_it(capsys: pytest.CaptureFixture[str]):
    EpochLog()({"epoch": 1, "bleu": 31.0, "decode_seconds": 3.77})
    assert "epoch 1, BLEU 31.00, decoding 3.77 s" in capsys.readouterr().err


def test_a_count_of_features_in_use_shows_its_progress(model: Path, tmp_path: Path, monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    (tmp_path / "text").write_text("der mann\n")
    monkeypatch.setattr("sys.stderr", terminal := Terminal())
    assert run(["weights", "usage", str(model), "--src", str(tmp_path / "text"), "-k", "2"]) == 0
    assert "sentences" in terminal.getvalue()
