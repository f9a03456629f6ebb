"""By which epochs, and whole runs, are compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def quality(row: Mapping[str, Any]) -> float | None:
    """The objective, or BLEU, on held-out sentences or, without any, on those learnt from.

    None if the row does not say.
    """
    return _first(row, "held_out_objective", "held_out_bleu", "objective", "bleu", "train_bleu")


def best_epoch(history: Sequence[Mapping[str, Any]]) -> int:
    """The row with the highest objective, or BLEU, on held-out sentences; the last one if there are none."""
    held_out = [_first(row, "held_out_objective", "held_out_bleu") for row in history]
    known = [figure for figure in held_out if figure is not None]
    return held_out.index(max(known)) if known else len(history) - 1


def _first(row: Mapping[str, Any], *names: str) -> float | None:
    return next((float(row[name]) for name in names if name in row), None)
