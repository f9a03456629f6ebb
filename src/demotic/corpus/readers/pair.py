"""A sentence pair as readers give it."""

from __future__ import annotations

from typing import NamedTuple


class Pair(NamedTuple):
    """Source and target text, and the line of the source where it stands (1-based)."""

    source: str
    target: str
    line: int
