"""`demotic verify`: every changed byte of a model is found."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from demotic.adapt import LearningModel
from demotic.base import DemoticError, read_lines
from demotic.cli.main import run
from demotic.decode import ModelFolder, verify_model
from demotic.decode.additions import ADDITIONS
from demotic.decode.verify import CHECKSUMS
from demotic.features import Weights


@pytest.fixture
def model(model_folder: Path, tmp_path: Path) -> Path:
    shutil.copytree(model_folder, tmp_path / "model")
    return tmp_path / "model"


def flip(path: Path, place: float) -> None:
    """Change one bit, at this part of the file."""
    content = bytearray(path.read_bytes())
    content[int(place * (len(content) - 1))] ^= 4
    path.write_bytes(content)


def bad(model: Path) -> set[str]:
    return {check.name for check in verify_model(model) if not check.is_good}


def test_a_model_that_nobody_touched(model: Path, capsys: pytest.CaptureFixture[str]):
    assert run(["verify", str(model), "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    names = {file["name"] for file in result["files"]}
    assert {"lm.bin", "index.bin", "weights.txt", "model.toml", "run/lm", "run/index"} <= names
    assert {file["status"] for file in result["files"]} == {"ok"} and result["damaged"] == []
    assert run(["verify", str(model)]) == 0
    said = " ".join(capsys.readouterr().out.split())  # a long path breaks the title of the table
    assert "nothing is damaged" in said


@pytest.mark.parametrize("name", ["lm.bin", "index.bin", "weights.txt", "model.toml", "casing.target.txt"])
@pytest.mark.parametrize("place", [0.3, 0.6, 1.0])
def test_a_flipped_bit_is_found(model: Path, name: str, place: float):
    flip(model / name, place)
    assert bad(model) == {name}


def test_what_is_damaged_is_named_with_exit_status_1(model: Path, capsys: pytest.CaptureFixture[str]):
    flip(model / "run" / "lm" / "lm.bin", 0.5)
    (model / "index.bin").unlink()
    assert run(["verify", str(model)]) == 1
    said = capsys.readouterr().out
    assert "2 of " in said and "changed: lm.bin; it will run again" in said and "missing" in said


def test_models_from_before_there_were_checksums(model: Path):
    (model / CHECKSUMS).unlink()
    assert not bad(model) and "unknown" in {check.status for check in verify_model(model)}
    (model / CHECKSUMS).write_text("nonsense\n")
    assert bad(model) == {CHECKSUMS}


def test_new_weights_have_new_checksums(model: Path):
    ModelFolder(model).set_weights(Weights.from_dict({"Glue": 3.0}), {"learner": "nobody"})
    assert not bad(model)


def test_files_of_others_in_the_folder_may_change(model: Path):
    """A job's clock, notes of a user, a calibration: what is there when a model is written is not part of it for that reason."""
    names = ("clock.jsonl", "notes.txt", "confidence.toml")
    for name in names:
        (model / name).write_text("a = 1\n")
    ModelFolder(model).set_weights(Weights.from_dict({"Glue": 3.0}), {"learner": "nobody"})
    for name in names:
        with open(model / name, "a", encoding="utf-8") as file:
            file.write("b = 2\n")
    assert not bad(model)


def test_a_tuned_model_learns_on(learnable: Path, corpus: Path, tmp_path: Path):
    """The log of corrections is checked by its own checksums: it grows."""
    model = shutil.copytree(learnable, tmp_path / "learning", ignore=shutil.ignore_patterns("run"))
    lines = list(zip(read_lines(corpus / "dev.de"), read_lines(corpus / "dev.en"), strict=True))
    assert LearningModel(model).learn(*lines[0])
    (tmp_path / "copy").mkdir()
    ModelFolder(tmp_path / "copy").copy_of(ModelFolder(model))
    ModelFolder(tmp_path / "copy").set_weights(Weights.from_dict({"Glue": 3.0}), {"learner": "nobody"})
    assert LearningModel(tmp_path / "copy").learn(*lines[1])
    for folder in (model, tmp_path / "copy"):
        assert ADDITIONS in {check.name for check in verify_model(folder)} and not bad(folder)
        content = (folder / ADDITIONS).read_bytes()
        (folder / ADDITIONS).write_bytes(content + content[:40])  # of a process that died
        assert not bad(folder)
        (folder / ADDITIONS).write_bytes(content)
        flip(folder / ADDITIONS, 0.5)
        assert bad(folder) == {ADDITIONS}


def test_another_program_reads_the_checksums(model: Path):
    if shutil.which("b2sum") is None:
        pytest.skip("needs b2sum")
    subprocess.run(["b2sum", "-l", "128", "-c", "--quiet", "--strict", CHECKSUMS], cwd=model, check=True)


def test_a_folder_that_is_no_model(tmp_path: Path):
    with pytest.raises(DemoticError, match="not a model folder"):
        verify_model(tmp_path)


@pytest.mark.parametrize("name", ["/dev/zero", "../model.toml", "x" * 300])
def test_names_that_lead_out_of_the_folder_are_not_read(model: Path, name: str):
    """A file of checksums comes with a model from anywhere; /dev/zero has no end."""
    with open(model / CHECKSUMS, "a", encoding="utf-8") as file:
        file.write(f"{'0' * 32}  {name}\n")
    (model.parent / "model.toml").touch()
    assert bad(model) == {name}
    record = model / "run" / "lm" / "stage.json"
    stage = json.loads(record.read_text("utf-8"))
    stage["outputs"][name] = {"bytes": 0, "digest": "0" * 32}
    record.write_text(json.dumps(stage), "utf-8")
    assert bad(model) == {name, "run/lm"}
