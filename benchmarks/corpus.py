"""Preparation of a corpus: pairs per second and peak memory."""

from __future__ import annotations

import tempfile
from pathlib import Path

from rich.console import Console

from benchmarks import measure
from demotic.base.parallel import default_threads
from demotic.cli.common import table
from demotic.corpus import PrepareOptions, PrepareSummary, prepare, read_parallel

_CORPORA = {"Multi30k": "multi30k/train", "Europarl 300k": "europarl-de-en/train300k"}


def run(unit: float) -> None:
    """Print the table; no peer has a figure for this, so the unit is only for readers."""
    rows = []
    for name, stem in _CORPORA.items():
        for options in (PrepareOptions(), PrepareOptions(case="true", compounds=True)):
            cost = measure.in_process(_prepare, stem, options, default_threads())
            summary: PrepareSummary = cost.result
            what = f"{name}, {options.case}" + (", compounds split" if options.compounds else "")
            removed = sum(summary.removed.values())
            rows.append(
                (
                    what,
                    summary.read,
                    removed,
                    f"{cost.wall:.1f} s",
                    round(summary.read / cost.wall),
                    f"{cost.peak:.0f} MB",
                )
            )
    Console().print(table("prepare", ["corpus", "pairs", "removed", "time", "pairs/s", "peak, parent"], rows))


def _prepare(stem: str, options: PrepareOptions, workers: int) -> PrepareSummary:
    data = measure.shared() / "data"
    with tempfile.TemporaryDirectory() as folder:
        pairs = read_parallel(data / f"{stem}.de.xz", data / f"{stem}.en.xz")
        return prepare(pairs, Path(folder), options, workers)
