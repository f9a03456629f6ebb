"""The sample report as files, made once."""

from __future__ import annotations

from pathlib import Path

import pytest

from demotic.report import write_report

from .sample import sample_report


@pytest.fixture(scope="package")
def written(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The page, and its figures."""
    return write_report(sample_report(), tmp_path_factory.mktemp("page") / "report.html")
