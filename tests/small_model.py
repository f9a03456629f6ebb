"""A small model of the embedded corpus, made once for all tests that tune or translate."""

from __future__ import annotations

from pathlib import Path

import pytest

from demotic.align import AlignOptions
from demotic.corpus.embedded import EmbeddedOptions, write
from demotic.experiments.train import TrainInput, TrainOptions, train


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Raw text: train, dev, devtest, test."""
    folder = tmp_path_factory.mktemp("small-corpus")
    write(folder, EmbeddedOptions(train=400, dev=24, devtest=20, test=20))
    return folder


@pytest.fixture(scope="session")
def model_folder(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A trained model with weights by hand."""
    folder = tmp_path_factory.mktemp("small-model")
    options = TrainOptions(align=AlignOptions("fast_align"))
    train(TrainInput(corpus / "train.de", corpus / "train.en"), folder, options)
    return folder
