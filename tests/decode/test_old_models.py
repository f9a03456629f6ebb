"""Models that older versions made, kept as they wrote them: they translate as they did, or say what to do."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from demotic.base import DemoticError
from demotic.base.versions import is_newer
from demotic.cli.main import run
from demotic.decode import TranslationModel

OLD = Path(__file__).parent / "old_models"
SENTENCE = "Der Mann sitzt auf der Bank."


@pytest.mark.parametrize(
    ("name", "translation"),
    [
        ("0.1.0", "The man bench on the."),
        # Sparse features, a language model over word classes, and consensus decoding as the model's own choice.
        ("0.1.0-sparse", "The man bench on the bank."),
    ],
)
def test_a_model_translates_as_it_did(name: str, translation: str, tmp_path: Path):
    """What its own version printed."""
    folder = shutil.copytree(OLD / name, tmp_path / "model")
    model = TranslationModel(folder)
    assert list(model.translate([SENTENCE])) == [translation]
    assert run(["verify", str(folder)]) == 0


def test_the_parts_of_the_sparse_model_are_in_use():
    model = TranslationModel(OLD / "0.1.0-sparse")
    assert model.options.translate.mbr == "consensus"
    assert {"ClassLanguageModel_4", "id:[1]_alten|[1]_old"} <= set(model.weights.to_dict())


def test_the_command_says_it_in_two_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """What happened, and what to do; no traceback."""
    folder = shutil.copytree(OLD / "0.1.0", tmp_path / "model")
    data = bytearray((folder / "lm.bin").read_bytes())
    data[12] = 1  # the format before filters of following words
    (folder / "lm.bin").write_bytes(data)
    (tmp_path / "input").write_text(SENTENCE + "\n", "utf-8")
    assert run(["translate", str(folder), "--input", str(tmp_path / "input")]) == 1
    error, hint = capsys.readouterr().err.splitlines()
    assert error.startswith("demotic: ") and "lm.bin" in error
    assert hint.strip().startswith("hint: ") and "build it again" in hint


def test_a_format_of_another_version_says_what_to_do(tmp_path: Path):
    folder = shutil.copytree(OLD / "0.1.0", tmp_path / "model")
    path = folder / "lm.bin"
    data = bytearray(path.read_bytes())
    for version, hint in [
        (1, "build it again with this version"),
        (99, "made by a newer version of demotic: update"),
    ]:
        data[12] = version  # after the magic number and the byte order
        path.write_bytes(data)
        with pytest.raises(DemoticError, match=f"format version {version}, this program reads") as caught:
            list(TranslationModel(folder).translate([SENTENCE]))
        assert hint in str(caught.value)


def test_options_of_a_newer_version_say_to_update(tmp_path: Path):
    folder = shutil.copytree(OLD / "0.1.0", tmp_path / "model")
    path = folder / "model.toml"
    text = path.read_text("utf-8").replace("[decode]", "[decode]\nlater_option = 3")
    path.write_text(text, "utf-8")
    with pytest.raises(DemoticError, match=r"unknown option 'decode\.later_option'") as caught:
        TranslationModel(folder)
    assert "update" not in str(caught.value)
    path.write_text(text.replace('demotic = "0.1.0"', 'demotic = "99.0"'), "utf-8")
    with pytest.raises(DemoticError, match=r"unknown option 'decode\.later_option'") as caught:
        TranslationModel(folder)
    assert "made by demotic 99.0: update this one" in str(caught.value)


@pytest.mark.parametrize(
    ("one", "other", "newer"),
    [
        ("1.0", "0.9.9", True),
        ("1.0.0", "1.0", False),
        ("0.10", "0.9", True),
        ("0.1.0", "0.1.0", False),
        ("", "0.1", False),
    ],
)
def test_versions_are_compared_by_their_numbers(one: str, other: str, newer: bool):
    assert is_newer(one, other) is newer
