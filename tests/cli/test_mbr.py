"""`demotic translate --mbr`."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from demotic.base.files import read_lines
from demotic.cli.main import run
from demotic.decode import TranslationModel


def translations(model: Path, corpus: Path, capsys: pytest.CaptureFixture[str], *options: str) -> list[str]:
    assert run(["translate", str(model), "--input", str(corpus / "test.de"), *options]) == 0
    return capsys.readouterr().out.splitlines()


def test_a_sharp_scale_gives_the_usual_translation_and_a_flat_one_others(
    model: Path, corpus: Path, capsys: pytest.CaptureFixture[str]
):
    usual = translations(model, corpus, capsys)
    for kind in ("list", "consensus"):
        sharp = translations(
            model, corpus, capsys, "--mbr", kind, "--mbr-scale", "100000", "--mbr-size", "20"
        )
        flat = translations(model, corpus, capsys, "--mbr", kind, "--mbr-scale", "0.01", "--mbr-size", "20")
        assert sharp == usual != flat and len(flat) == len(usual)


@pytest.mark.parametrize("kind", ["list", "consensus", "forest"])
def test_threads_change_nothing_and_kbest_keeps_the_first(
    model: Path, corpus: Path, capsys: pytest.CaptureFixture[str], kind: str
):
    first, *others = (
        translations(model, corpus, capsys, "--mbr", kind, "--mbr-size", "20", "--threads", threads)
        for threads in ("1", "2")
    )
    assert others == [first]
    lists = translations(model, corpus, capsys, "--mbr", kind, "--mbr-size", "20", "--kbest", "3", "--json")
    found = [[each["text"] for each in json.loads(line)["translations"]] for line in lists]
    assert [texts[0] for texts in found] == first and max(map(len, found)) == 3


def test_a_model_may_say_how_it_chooses(
    model: Path, corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    usual = translations(model, corpus, capsys)
    flat = ["--mbr-scale", "0.01", "--mbr-size", "20"]
    consensus = translations(model, corpus, capsys, "--mbr", "consensus", *flat)
    own = shutil.copytree(model, tmp_path / "own")
    with open(own / "model.toml", "a", encoding="utf-8") as file:
        file.write('\n[translate]\nmbr = "consensus"\nmbr_scale = 0.01\nmbr_size = 20\n')
    assert translations(own, corpus, capsys) == consensus != usual
    assert list(TranslationModel(own).translate(read_lines(corpus / "test.de"))) == consensus
    assert translations(own, corpus, capsys, "--mbr", "none") == usual


@pytest.mark.parametrize("bad", ["0", "-1", "nan"])
def test_a_scale_that_makes_no_sense(model: Path, corpus: Path, capsys: pytest.CaptureFixture[str], bad: str):
    command = [
        "translate",
        str(model),
        "--input",
        str(corpus / "test.de"),
        "--mbr",
        "list",
        "--mbr-scale",
        bad,
    ]
    assert run(command) == 1
    assert f"--mbr-scale must be positive (got {float(bad)})" in capsys.readouterr().err
