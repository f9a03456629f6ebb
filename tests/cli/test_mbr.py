"""`demotic translate --mbr`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from demotic.cli.main import run


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
