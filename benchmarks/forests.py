"""Hypergraphs kept across epochs: CPU per sentence in epochs that decode and in those that rescore, and disk space."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

from rich.console import Console

from benchmarks import measure
from benchmarks.learn import CORPORA, model, spread
from demotic.base.run import Run
from demotic.cli.common import table
from demotic.cluster import executor
from demotic.decode import TranslationModel
from demotic.learn import LearnSettings, OnlineLearner, PerceptronOptions, TuningTask, training_examples

_TEMPLATES = ("id", "src_ngram", "shape")
_SENTENCES, _EPOCHS, _REPEATS = 300, 6, 5
_DEFAULT_EDGES = PerceptronOptions().forest_edges
_WHOLE = 1_000_000_000  # edges: nothing is pruned


def run(unit: float) -> None:
    """Print the tables: two corpora with what is kept by default, then other sizes on the first."""
    del unit  # milliseconds only
    rows = []
    for corpus in CORPORA:
        kept = [measure.in_process(learn, model(corpus), _DEFAULT_EDGES).result for _ in range(_REPEATS)]
        again = [measure.in_process(learn, model(corpus), 0).result for _ in range(_REPEATS)]
        rows.append(
            (
                corpus,
                spread([each["ms"][0] for each in kept]),
                spread([statistics.median(each["ms"][1:]) for each in kept]),
                spread([statistics.median(each["ms"][1:]) for each in again]),
                f"{kept[0]['kilobytes']:.1f}",
            )
        )
    columns = ["corpus", "first epoch", "later epochs", "later epochs that decode again", "KB kept"]
    title = f"forests: epochs of itermix on {_SENTENCES} training sentences, CPU ms a sentence, one thread"
    Console(width=140).print(table(f"{title}; median of five and range", columns, rows))
    folder = model()
    rows = [
        row(edges, measure.in_process(learn, folder, edges).result) for edges in (1000, 2000, 4000, _WHOLE, 0)
    ]
    columns = ["edges kept", "first epoch", "later epochs", "KB", "metric, first epoch", "metric, last epoch"]
    Console(width=140).print(table(f"{title}; {_EPOCHS} epochs", columns, rows))


def row(edges: int, result: Mapping[str, Any]) -> tuple[str, ...]:
    """The later epochs as their median and range."""
    first, *later = result["ms"]
    return (
        {_WHOLE: "all", 0: "none: decoded in every epoch"}.get(edges, f"{edges:,}"),
        f"{first:.1f}",
        spread(later),
        f"{result['kilobytes']:.1f}" if edges else "",
        f"{result['metric'][0]:.4f}",
        f"{result['metric'][-1]:.4f}",
    )


def learn(folder: Path, edges: int, sentences: int = _SENTENCES, **options: Any) -> dict[str, Any]:
    """Learn in two shards from the weights of the model; 0 edges: every epoch decodes."""
    task = TuningTask(folder, _TEMPLATES, training_examples(TranslationModel(folder), sentences))
    kept: dict[str, Any] = {"redecode_every": 0, "forest_edges": edges} if edges else {}
    own = PerceptronOptions(**{"epochs": _EPOCHS, "shards": 2, "start": "model", **kept, **options})
    sizes: list[int] = []
    clock = [0.0]

    def on_epoch(row: Mapping[str, Any]) -> None:
        clock.append(time.process_time())
        sizes.append(sum(file.stat().st_size for file in Path(out).rglob("*.forests")))

    with tempfile.TemporaryDirectory() as out, Run(out) as run_, executor("local", 1) as worker:
        clock[0] = time.process_time()
        tuned = OnlineLearner("itermix", "itermix", own).fit(
            task, LearnSettings(run_, worker, on_epoch=on_epoch)
        )
    return {
        "ms": [1e3 * (after - before) / sentences for before, after in pairwise(clock)],
        "kilobytes": max(sizes) / sentences / 1e3,
        "metric": [row["metric"] for row in tuned.history],
    }
