"""What the tests of the command line share."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def model(model_folder: Path) -> Path:
    """Folder of the small model."""
    return model_folder
