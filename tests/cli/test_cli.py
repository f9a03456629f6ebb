"""Exit codes, JSON, help."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from demotic.base import DemoticError
from demotic.base.options import options_to_dict
from demotic.cli.main import run
from demotic.learn.registry import LEARNERS, learner_options


def test_exit_codes(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert run(["--help"]) == 0
    assert run(["--version"]) == 0
    assert run(["no-such-verb"]) == 2
    assert run(["prepare", "--out", str(tmp_path)]) == 2  # neither --src and --tgt nor --input
    assert run(["align", "score", "--gold", str(tmp_path / "a"), "--align", str(tmp_path / "b")]) == 1
    assert "Traceback" not in capsys.readouterr().err


def test_help_lists_the_verbs_in_the_order_of_the_data_flow(capsys: pytest.CaptureFixture[str]):
    run(["--help"])
    text = capsys.readouterr().out
    verbs = ["demo", "train", "prepare", "tokenize", "detokenize", "align", "lm", "grammar", "doctor"]
    positions = [text.index(f" {verb} ") for verb in verbs]
    assert positions == sorted(positions)


def test_debug_shows_the_traceback(tmp_path: Path):
    with pytest.raises(DemoticError):
        run(["align", "score", "--gold", str(tmp_path / "a"), "--align", str(tmp_path / "b"), "--debug"])


def test_json_of_align_score(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "a").write_text("0-0 1-1\n")
    assert (
        run(["align", "score", "--gold", str(tmp_path / "a"), "--align", str(tmp_path / "a"), "--json"]) == 0
    )
    assert json.loads(capsys.readouterr().out) == {
        "precision": 1.0,
        "recall": 1.0,
        "aer": 0.0,
        "links": 2,
        "sure": 2,
        "sentences": 1,
    }


def test_tokenize_and_detokenize_are_inverse(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "s").write_text("Wir sahen Berlin. Das Haus ist klein!\n")
    (tmp_path / "t").write_text("We saw Berlin. It's the small house!\n")
    out = str(tmp_path / "out")
    assert (
        run(["prepare", "--src", str(tmp_path / "s"), "--tgt", str(tmp_path / "t"), "--out", out, "--json"])
        == 0
    )
    assert json.loads(capsys.readouterr().out)["kept"] == 1
    (tmp_path / "new").write_text("It's Berlin!\n")
    assert (
        run(
            [
                "tokenize",
                out,
                "--side",
                "target",
                "--input",
                str(tmp_path / "new"),
                "--output",
                str(tmp_path / "words"),
            ]
        )
        == 0
    )
    assert (tmp_path / "words").read_text() == "it &apos;s berlin !\n"
    assert run(["detokenize", out, "--input", str(tmp_path / "words")]) == 0
    assert capsys.readouterr().out == "It's Berlin!\n"


def test_standard_input_may_be_a_pipe(tmp_path: Path):
    (tmp_path / "s").write_text("Das Haus\n")
    assert (
        run(
            [
                "prepare",
                "--src",
                str(tmp_path / "s"),
                "--tgt",
                str(tmp_path / "s"),
                "--out",
                str(tmp_path / "out"),
            ]
        )
        == 0
    )
    command = [sys.executable, "-m", "demotic", "tokenize", str(tmp_path / "out")]
    done = subprocess.run(command, input="Das Haus, ja!\n", capture_output=True, text=True, check=True)
    assert done.stdout == "das haus , ja !\n"


def test_learners_are_listed(capsys: pytest.CaptureFixture[str]):
    assert run(["learners", "--json"]) == 0
    found = {row["name"]: row for row in json.loads(capsys.readouterr().out)["learners"]}
    assert list(found) == list(LEARNERS)
    assert found["itersel"]["learns_on"] == "train" and "algorithm 4" in found["itersel"]["help"]
    assert run(["tune", "--help"]) == 0
    text = capsys.readouterr().out
    assert all(f" {name}: " in text for name in LEARNERS)


@pytest.mark.parametrize("name", LEARNERS)
def test_options_of_a_learner(name: str, capsys: pytest.CaptureFixture[str]):
    assert run(["learners", name, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    defaults = options_to_dict(learner_options(name, {}))
    assert {option["name"]: option["default"] for option in shown["options"]} == defaults
    assert all(option["help"] for option in shown["options"])
    assert run(["learners", name]) == 0
    text = capsys.readouterr().out
    assert all(option["name"] in text for option in shown["options"])


def test_an_unknown_learner_is_told_the_nearest(capsys: pytest.CaptureFixture[str]):
    assert run(["learners", "itersell"]) == 1
    assert "did you mean 'itersel'?" in capsys.readouterr().err


def test_doctor(capsys: pytest.CaptureFixture[str]):
    assert run(["doctor", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["core"].startswith("loaded")
    assert facts["cores"] >= 1 and facts["packages"]["numpy"] != "missing"
    assert run(["doctor"]) == 0
    assert "memory, GB" in capsys.readouterr().out
