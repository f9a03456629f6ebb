"""What the tests of learners share."""

from __future__ import annotations

from pathlib import Path

import pytest

from demotic.decode import TranslationModel
from demotic.learn import TuningTask, training_examples

TEMPLATES = ("id", "src_ngram", "shape")


@pytest.fixture(scope="session")
def model(model_folder: Path) -> TranslationModel:
    """The small model, loaded."""
    return TranslationModel(model_folder)


@pytest.fixture(scope="session")
def task(model: TranslationModel) -> TuningTask:
    """Twelve training sentences with sparse features; files that learn from others have a `task` of their own."""
    return TuningTask(model.folder, TEMPLATES, training_examples(model, 12, seed=3))
