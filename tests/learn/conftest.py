"""What the tests of learners share."""

from __future__ import annotations

from pathlib import Path

import pytest

from demotic.decode import TranslationModel


@pytest.fixture(scope="session")
def model(model_folder: Path) -> TranslationModel:
    """The small model, loaded."""
    return TranslationModel(model_folder)
