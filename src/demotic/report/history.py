"""What a learner reported of its epochs, from the log of its run folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from demotic.base.errors import DemoticError
from demotic.base.files import read_lines
from demotic.base.json_text import parse_json

Row = dict[str, Any]
_LOG = "metrics.jsonl"


def read_history(run: Path) -> list[Row]:
    """A row per epoch of the last run; empty if the folder has no log of a learner.

    `demotic tune` logs in the run folder itself; folders inside are then of learners that are parts of this one, such as the line
    searches of HOLS. `demotic train` logs in `tune`, and a learner that tries several strengths of a penalty in a folder
    for each, of which the best counts.
    """
    own = run / _LOG
    if own.exists() and (history := _last_run(own)):
        return history
    histories = [history for log in sorted(run.glob(f"*/{_LOG}")) if (history := _last_run(log))]
    return max(histories, key=lambda rows: max(_quality(row) for row in rows), default=[])


def _last_run(log: Path) -> list[Row]:
    """The rows of the last run. One that found its epochs done logs them again without seconds: those are in earlier rows."""
    rows: list[Row] = []
    known: dict[int, Row] = {}  # of the run before
    for number, line in enumerate(read_lines(log), start=1):
        try:
            event = parse_json(line)
        except ValueError:
            raise DemoticError("not valid JSON", log, number, "the line was cut off; remove it") from None
        if not isinstance(event, dict) or not isinstance(event.get("epoch"), int):
            continue
        if event["epoch"] == 1:
            known, rows = {row["epoch"]: row for row in rows}, []
        rows.append({**_seconds(event, known.get(event["epoch"])), **event})
    return rows


def _seconds(row: Row, earlier: Row | None) -> Row:
    """What the same epoch cost when it ran: an epoch with the same figures."""
    cost = {key: value for key, value in (earlier or {}).items() if key.endswith("_seconds")}
    rest = {key: value for key, value in (earlier or {}).items() if key not in cost}
    return cost if rest.items() <= row.items() else {}


def _quality(row: Row) -> float:
    return next((float(row[name]) for name in ("held_out_bleu", "bleu", "train_bleu") if name in row), 0.0)
