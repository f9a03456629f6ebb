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


def test_a_model_of_0_1_0_translates_as_it_did(tmp_path: Path):
    """What its own version printed."""
    folder = shutil.copytree(OLD / "0.1.0", tmp_path / "model")
    assert list(TranslationModel(folder).translate([SENTENCE])) == ["The man bench on the."]
    assert run(["verify", str(folder)]) == 0


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
