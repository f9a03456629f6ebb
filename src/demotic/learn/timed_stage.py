"""Stages of a learner, timed: what an epoch cost when it was learnt, not when it was found again."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from demotic.base.run import Run

SECONDS = ("decode_seconds", "learn_seconds")  # wall-clock time in the row of an epoch
Seconds = dict[str, float]


def timed_stage(
    run: Run, name: str, work: Callable[[Path], None], key: Mapping[str, Any], clock: str
) -> tuple[Path, Seconds]:
    """Run a stage; its folder, and the seconds under the name `clock`, or nothing if it had been done before."""
    started = time.perf_counter()
    seconds: Seconds = {}

    def timed(folder: Path) -> None:
        work(folder)
        seconds[clock] = round(time.perf_counter() - started, 3)

    return run.stage(name, timed, options=dict(key), inputs={}), seconds


def add_seconds(rows: Iterable[Mapping[str, Any]]) -> Seconds:
    """The seconds of several rows together; a clock that no row has is left out."""
    total: Seconds = {}
    for row in rows:
        for clock in SECONDS:
            if clock in row:
                total[clock] = round(total.get(clock, 0.0) + row[clock], 3)
    return total
