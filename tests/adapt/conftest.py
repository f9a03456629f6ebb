"""A small model that can align new pairs."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from demotic.adapt import LearningModel
from demotic.align import AlignOptions
from demotic.grammar import ExtractOptions
from demotic.pipeline.train import TrainInput, TrainOptions, train
from small_model import made_once

EXACT = ExtractOptions(max_samples=0)
Lines = list[tuple[str, str]]


@pytest.fixture(scope="session")
def learnable(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model with an alignment model, without sampling; nobody changes it."""
    options = TrainOptions(align=AlignOptions("gibbs", iterations=0.2), grammar=EXACT)

    def make(folder: Path) -> None:
        train(TrainInput(corpus / "train.de", corpus / "train.en"), folder, options)

    return made_once(tmp_path_factory, "learnable-model", make)


@pytest.fixture
def folder(learnable: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return shutil.copytree(learnable, tmp_path / "model", ignore=shutil.ignore_patterns("run"))


@pytest.fixture
def model(folder: Path) -> LearningModel:
    return LearningModel(folder)


@pytest.fixture(scope="session")
def corrections(corpus: Path) -> Lines:
    """Source sentences and their translations."""
    sides = [(corpus / f"dev.{language}").read_text("utf-8").splitlines() for language in ("de", "en")]
    return list(zip(*sides, strict=True))[:8]
