"""Learning on the training set as the corpus grows, and from these figures the cost of the run of Simianer et al. (2012)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from rich.console import Console

from benchmarks import measure
from benchmarks.learn import learn, model
from demotic.cli.common import table

_PAIRS = (10_000, 30_000, 100_000, 0)  # of Europarl; 0: all of it
_ALL = 300_000
_TEMPLATES = "id,src_ngram,shape"
_SENTENCES = 200


@dataclass(frozen=True)
class PaperRun:
    """Simianer, Riezler and Dyer (2012), section 5: the large run on Europarl."""

    sentences: int = 1_660_000
    epochs: int = 10
    shards: int = 2290
    selected: int = 100_000


def run(unit: float) -> None:
    """Print the tables."""
    console = Console(width=160)
    costs = {
        pairs: measure.in_process(learn, model("europarl", pairs), _TEMPLATES, _SENTENCES, 1)
        for pairs in _PAIRS
    }
    rows = [
        (
            f"{pairs:,}" if pairs else "all",
            f"{1e3 * cost.result['cpu'] / _SENTENCES:.0f}",
            f"{cost.peak:.0f} MB",
            f"{cost.result['features']:,}",
        )
        for pairs, cost in costs.items()
    ]
    title = f"scaling: one epoch of itermix on {_SENTENCES} sentences of Europarl, {_TEMPLATES}, leave-one-out, 100-best"
    console.print(table(title, ["pairs indexed", "CPU ms a sentence", "peak", "active features"], rows))
    console.print(table("workers, 30,000 pairs", ["where", "workers", "seconds", "speed-up"], _workers()))
    console.print(table(_TITLE, ["", ""], _prediction(costs[100_000].result, costs[0].result)))


def _workers() -> list[tuple[str, ...]]:
    """Wall seconds of an epoch with one worker and with two; starting the workers is part of it."""
    folder, rows = model("europarl", 30_000), []
    for where in ("local", "ray"):
        seconds = [
            measure.in_process(learn, folder, _TEMPLATES, _SENTENCES, n, where).result["wall"] for n in (1, 2)
        ]
        for n, wall in zip((1, 2), seconds, strict=True):
            rows.append((where, str(n), f"{wall:.1f}", f"{seconds[0] / wall:.2f}"))
    return rows


_TITLE = (
    "the run of the paper: 1,660,000 sentences, 10 epochs, 2,290 shards, predicted from the last two rows"
)


def _prediction(smaller: dict[str, Any], largest: dict[str, Any]) -> list[tuple[str, str]]:
    """Time grows with a power of the size of the index: that of the last two rows, taken on to the paper's size."""
    paper = PaperRun()
    exponent = max(0.0, math.log(largest["cpu"] / smaller["cpu"]) / math.log(_ALL / 100_000))
    cpu = largest["cpu"] / _SENTENCES * (paper.sentences / _ALL) ** exponent
    total = paper.sentences * paper.epochs * cpu / 3600
    shard = paper.sentences / paper.shards
    sent = largest["bytes"] * shard / _SENTENCES  # at most: features that come again are sent once
    broadcast = largest["bytes"] / largest["features"] * paper.selected
    return [
        ("CPU ms a sentence with all pairs indexed", f"{1e3 * cpu:.0f}"),
        ("CPU hours", f"{total:,.0f}"),
        ("one machine of 2 cores", f"{total / 2 / 24:.1f} days"),
        ("one machine of 16 cores", f"{total / 16:.0f} hours"),
        ("30 nodes of 8 cores", f"{total / 240:.1f} hours"),
        ("bytes a shard sends in an epoch", f"{sent / 1e6:.1f} MB"),
        ("bytes of the selected features that a worker receives", f"{broadcast / 1e6:.1f} MB"),
        (
            "all bytes moved in an epoch, 240 workers",
            f"{(sent * paper.shards + broadcast * 240) / 1e9:.1f} GB",
        ),
    ]
