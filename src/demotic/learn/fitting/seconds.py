"""What an epoch cost when it was learnt, not when it was found again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

SECONDS = ("decode_seconds", "learn_seconds")  # wall-clock time in the row of an epoch
Seconds = dict[str, float]


def add_seconds(rows: Iterable[Mapping[str, Any]]) -> Seconds:
    """The seconds of several rows together; a clock that no row has is left out."""
    total: Seconds = {}
    for row in rows:
        for clock in SECONDS:
            if clock in row:
                total[clock] = round(total.get(clock, 0.0) + row[clock], 3)
    return total
