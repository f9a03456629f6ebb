"""What the tests of learners share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from demotic.decode import TranslationModel
from demotic.learn import Learner, Tuned, TuningTask, training_examples
from learn.fitting import run_learner

TEMPLATES = ("id", "src_ngram", "shape")


@pytest.fixture(scope="session")
def model(model_folder: Path) -> TranslationModel:
    """The small model, loaded."""
    return TranslationModel(model_folder)


@pytest.fixture(scope="session")
def task(model: TranslationModel) -> TuningTask:
    """Twelve training sentences with sparse features; files that learn from others have a `task` of their own."""
    return TuningTask(model.folder, TEMPLATES, training_examples(model, 12, seed=3))


@pytest.fixture
def fit_learner(tmp_path: Path) -> Callable[..., Tuned]:
    """Fits a learner in a folder of its own, or in one with a name, to go on there."""
    runs = iter(range(100))

    def fit(learner: Learner, task: TuningTask, workers: int, folder: str, seed: int = 1) -> Tuned:
        return run_learner(learner, task, tmp_path / (folder or f"run{next(runs)}"), workers, seed)

    return fit
