"""Files of a model that another program changes while they are mapped: an error, never a signal."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from demotic.base import DemoticError
from demotic.decode import TranslationModel
from demotic.lm import LanguageModel

CUT = "the file was changed while it was in use"


@pytest.fixture
def model(model_folder: Path, tmp_path: Path) -> TranslationModel:
    folder = tmp_path / "model"
    shutil.copytree(model_folder, folder, ignore=shutil.ignore_patterns("run"))
    return TranslationModel(folder)


@pytest.mark.parametrize("name", ["lm.bin", "index.bin"])
def test_a_file_that_is_cut_off(model: TranslationModel, name: str):
    decoder = model.decoder
    decoder.decode("das haus")
    os.truncate(model.folder / name, 100)
    with pytest.raises(DemoticError, match=CUT) as error:
        decoder.decode("das haus")
    assert str(error.value.file).endswith(name)


def test_a_file_that_is_overwritten_with_another_of_the_same_length(model: TranslationModel):
    lm = LanguageModel.load(model.folder / "lm.bin")
    size = (model.folder / "lm.bin").stat().st_size
    with open(model.folder / "lm.bin", "r+b") as file:
        file.write(bytes(size))
    os.utime(model.folder / "lm.bin", (1, 1))  # whatever the clock of the file system can tell apart
    with pytest.raises(DemoticError, match=CUT):
        lm.score(["das", "haus"])


def test_a_file_that_is_replaced_is_none_of_our_business(model: TranslationModel):
    before = list(model.translate(["Das Haus ist klein."]))
    (model.folder / "other").write_bytes(b"another model")
    os.replace(model.folder / "other", model.folder / "lm.bin")
    assert list(model.translate(["Das Haus ist klein."])) == before


def test_between_two_looks_a_program_ends_with_a_line(model: TranslationModel):
    """No look comes before a single word is scored, which stands for a file that is cut off in the middle of a sentence."""
    code = (
        "import os, sys; from demotic._core import exit_on_bus_error; from demotic.lm import LanguageModel\n"
        "exit_on_bus_error(); lm = LanguageModel.load(sys.argv[1]); os.truncate(sys.argv[1], 4096)\n"
        "[lm.core.score_word(0, word) for word in ('das', 'haus', 'ein')]; print('alive')"
    )
    command = [sys.executable, "-c", code, str(model.folder / "lm.bin")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(
        "demotic: a file was cut off by another program while it was in use\n  hint: "
    )
