"""A small model of the embedded corpus, made once for all tests that tune or translate."""

from __future__ import annotations

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
    """A trained model with weights by hand."""
    return make_model(corpus, tmp_path_factory.mktemp("small-model"))


def make_model(corpus: Path, folder: Path, **options: Any) -> Path:
    """Train quickly on a corpus, without tuning; options of training by name."""
    quick = TrainOptions(align=AlignOptions("fast_align"), **options)
    train(TrainInput(corpus / "train.de", corpus / "train.en"), folder, quick)
    return folder
