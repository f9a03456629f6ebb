"""A small model that can align new pairs."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from demotic.adapt import LearningModel

Lines = list[tuple[str, str]]


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
