"""Notebooks run from top to bottom; what they claim is in their assertions."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.py"))


@pytest.mark.slow
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_runs(notebook: Path, tmp_path: Path):
    environment = {**os.environ, "TMPDIR": str(tmp_path)}  # what they write goes with the test
    command = [sys.executable, str(notebook)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_the_page_lists_all_of_them():
    page = (ROOT / "docs" / "notebooks.md").read_text("utf-8")
    assert NOTEBOOKS
    for notebook in NOTEBOOKS:
        assert f"`notebooks/{notebook.name}`" in page
        source = notebook.read_text("utf-8")
        assert "# %% [markdown]" in source and "\nassert " in source
