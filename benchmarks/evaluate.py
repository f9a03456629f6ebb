"""Evaluation: sentence metrics of a k-best list, oracles, and significance tests."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from rich.console import Console

from benchmarks import measure
from benchmarks.decode import binary_model, golden_jobs
from demotic.cli.common import table
from demotic.decode import Decoder
from demotic.evaluate import (
    BLEU,
    References,
    approximate_randomization,
    bleu_of_sums,
    bootstrap_scores,
    oracle,
    sentence_metric,
)
from demotic.features import Weights
from demotic.lm import LanguageModel

_REPEATS = 20


def run(unit: float) -> None:
    """Print the table."""
    rows = [(what, f"{milliseconds:.3f} ms") for what, milliseconds in measure.in_process(_measure).result]
    Console().print(table("evaluate (CPU time, one thread)", ["work", "demotic"], rows))


def _measure() -> list[tuple[str, float]]:
    golden = measure.shared() / "golden"
    decoder = Decoder(LanguageModel.load(binary_model()), Weights.load(golden / "weights.txt"))
    graphs = [decoder.decode(sentence, grammar=grammar) for sentence, grammar in golden_jobs()]
    lines = (golden / "dev20.en").read_text("utf-8").splitlines()
    references = [References([line.split()]) for line in lines]
    lists = [graph.kbest(100, unique=True) for graph in graphs]
    metric = sentence_metric("liang")
    found = [
        (
            "liang BLEU of a 100-best list",
            _cpu(lambda i: metric.scores(references[i], lists[i])) / len(lists),
        ),
        ("oracle, beam 30", _cpu(lambda i: oracle(graphs[i], references[i], metric)) / len(graphs)),
    ]
    statistics = np.stack(
        [np.stack([BLEU.statistics(r, k)[0] for r, k in zip(references, lists, strict=True)])] * 2, 1
    )
    test_set = np.tile(statistics, (100, 1, 1)).astype(np.float64)  # 2,000 sentences, two systems
    first, second = test_set[:, :1], test_set[:, 1:]
    tests: list[tuple[str, Callable[[int], object]]] = [
        (
            "10,000 shuffles, 2,000 sentences",
            lambda _: approximate_randomization(first, second, bleu_of_sums, threads=1),
        ),
        (
            "10,000 bootstrap samples of two systems",
            lambda _: bootstrap_scores(test_set, bleu_of_sums, threads=1),
        ),
    ]
    return found + [(what, _cpu(work, 1)) for what, work in tests]


def _cpu(work: Callable[[int], object], repeats: int = _REPEATS) -> float:
    """Milliseconds of work(0) ... work(repeats - 1)."""
    started = time.process_time()
    for i in range(repeats):
        work(i)
    return 1000 * (time.process_time() - started)
