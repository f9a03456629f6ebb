"""Which lines of the training text the pairs of a model are."""

from __future__ import annotations

from collections.abc import Sequence

from demotic.base.files import read_lines
from demotic.decode import ModelFolder

_LINES = "run/prepare/train.lines"  # of a model folder that was trained here


def training_lines(model: ModelFolder) -> list[int]:
    """Lines of the training text, from 1, by pair of the index; empty if the model does not know them, then pairs are counted."""
    path = model.part(_LINES)
    return [int(line) for line in read_lines(path)] if path else []


def line_of(pair: int, lines: Sequence[int]) -> int:
    """The line of a pair. Pairs without one are counted: those that were added to the model, and all if it does not know its lines.

    Args:
        pair: number in the index, from 0.
        lines: as `training_lines` gives them.
    """
    return lines[pair] if pair < len(lines) else pair + 1
