"""The result of an experiment as a page."""

from __future__ import annotations

from pathlib import Path

from demotic.experiments.reproduce.context import Context
from demotic.experiments.reproduce.result import Result
from demotic.experiments.reproduce.scores import Scores


def write_page(result: Result, context: Context, scores: Scores, path: Path) -> list[Path]:
    """One HTML file."""
    return []
