"""A small model of the embedded corpus, made once for all tests that tune or translate."""

from __future__ import annotations

import fcntl
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from demotic.align import AlignOptions
from demotic.corpus.embedded import EmbeddedOptions, write
from demotic.pipeline.train import TrainInput, TrainOptions, train


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Raw text: train, dev, devtest, test."""
    folder = tmp_path_factory.mktemp("small-corpus")
    write(folder, EmbeddedOptions(train=400, dev=24, devtest=20, test=20))
    return folder


@pytest.fixture(scope="session")
def model_folder(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A trained model with weights by hand; the other processes of pytest get a copy."""
    folder = tmp_path_factory.mktemp("small-model")
    made = made_once(tmp_path_factory, "small-model", lambda path: make_model(corpus, path))
    shutil.copytree(made, folder, dirs_exist_ok=True)
    return folder


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """A folder that the first process of this run of pytest to need it makes, while others wait; nobody changes it."""
    workers_folder = factory.getbasetemp()  # of one of several processes: inside the folder of the whole run
    root = workers_folder.parent if workers_folder.name.startswith("popen-") else workers_folder
    folder, done = root / f"once-{name}", root / f"once-{name}.done"
    with open(root / f"once-{name}.lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            make(folder)
            done.touch()
    return folder


def make_model(corpus: Path, folder: Path, **options: Any) -> Path:
    """Train quickly on a corpus, without tuning; options of training by name."""
    quick = TrainOptions(align=AlignOptions("fast_align"), **options)
    train(TrainInput(corpus / "train.de", corpus / "train.en"), folder, quick)
    return folder
