"""Nothing that a user types and nothing that a file contains ends in a traceback."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from demotic.align.pharaoh import read_links
from demotic.base.errors import DemoticError
from demotic.cli.main import run
from demotic.corpus.readers.tmx import read_tmx
from demotic.features import Weights
from demotic.features.packed_weights import PackedWeights
from demotic.grammar import read_segments

DIGITS = "9" * 5000


def test_an_error_that_nobody_foresaw_is_one_line_and_a_report(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    def broken(*arguments: object) -> None:
        raise KeyError("a mistake of ours")

    monkeypatch.setattr("demotic.cli.translate.write_translations", broken)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    command = ["translate", str(model)]
    assert run(command) == 1
    said = capsys.readouterr().err.splitlines()
    assert said[0] == "demotic: internal error: KeyError: 'a mistake of ours'" and len(said) == 2
    assert "--debug" in said[1]
    report = Path(said[1].rpartition(" is in ")[2])
    assert report.parent == tmp_path
    assert "in broken" in report.read_text() and repr(str(model)) in report.read_text()
    with pytest.raises(KeyError):
        run([*command, "--debug"])


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "pop_limit = 200",
            "pop_limit = 4000000000",
            "pop_limit must be between 0 and 1000000 (got 4000000000)",
        ),
        ("pop_limit = 200", "pop_limit = -1", "pop_limit must be between 0 and 1000000 (got -1)"),
        ("max_samples = 300", "max_samples = 99999999999", "max_samples must be between 0 and 2147483647"),
        ("pop_limit = 200", f"pop_limit = {DIGITS}", "not valid TOML: Exceeds the limit"),
        ("pop_limit = 200", f"pop_limit = {DIGITS[:100]}", "option 'decode.pop_limit' must be at most"),
    ],
)
def test_numbers_of_a_model_that_nothing_can_have(
    model: Path, tmp_path: Path, old: str, new: str, message: str, capsys: pytest.CaptureFixture[str]
):
    changed = tmp_path / "model"
    shutil.copytree(model, changed, ignore=shutil.ignore_patterns("run"))
    text = (changed / "model.toml").read_text("utf-8")
    assert old in text
    (changed / "model.toml").write_text(text.replace(old, new, 1), "utf-8")
    assert run(["translate", str(changed), "--input", "/dev/null"]) == 1
    assert f"demotic: {changed}/model.toml: {message}" in re.sub(
        r"toml:\d+:", "toml:", capsys.readouterr().err
    )


@pytest.mark.parametrize("encoding", ["utf-7", "idna", "no-such-encoding"])
def test_encodings_of_tmx_that_no_parser_has(tmp_path: Path, encoding: str):
    file = tmp_path / "t.tmx"
    file.write_text(f'<?xml version="1.0" encoding="{encoding}"?>\n<tmx><body/></tmx>\n')
    with pytest.raises(DemoticError, match=r"t\.tmx:\d+: not valid TMX: "):
        list(read_tmx(file, "de", "en"))


def test_numbers_of_thousands_of_digits(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "f"
    file.write_text(f"0-0\n0-{DIGITS}\n")
    with pytest.raises(DemoticError, match=r"f:2: '0-999"):
        read_links(file)
    file.write_text(f'<seg grammar="g" id="{DIGITS}"> a </seg>\n')
    with pytest.raises(DemoticError, match="f:1: not a <seg> line"):
        list(read_segments(file))
    file.write_text(f"learner = 'none'\nseed = {DIGITS}\n")
    assert (
        run(["train", "--src", "a", "--tgt", "b", "--out", str(tmp_path / "m"), "--config", str(file)]) == 1
    )
    assert "not valid TOML" in capsys.readouterr().err


@pytest.mark.parametrize(
    "content", [b"", b"abc", b"\xff" * 64, bytes(7), (1).to_bytes(8, "little") + bytes(8) + b"\xff\n"]
)
def test_weights_of_other_bytes(content: bytes):
    with pytest.raises(DemoticError):
        Weights.unpack(PackedWeights(content))


def test_packed_weights_are_finite():
    packed = bytearray(Weights.from_dict({"a": 1.0}).pack())
    packed[8:16] = b"\x00\x00\x00\x00\x00\x00\xf0\x7f"  # infinity
    with pytest.raises(DemoticError, match="not packed weights"):
        Weights.unpack(PackedWeights(packed))
