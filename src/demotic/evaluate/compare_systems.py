"""Comparing systems on one test set, each with any number of optimiser runs (Clark et al. 2011)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from demotic.base.errors import DemoticError
from demotic.base.progress import Progress
from demotic.evaluate.comparison import Comparison, SystemResult
from demotic.evaluate.corpus_metrics import CorpusMetric, Lines, TextKind, corpus_metric
from demotic.evaluate.significance import approximate_randomization, bootstrap_scores, paired_bootstrap

Array = npt.NDArray[np.float64]


def compare(
    systems: Mapping[str, Sequence[Lines]],
    references: Sequence[Lines],
    metric: str = "bleu",
    shuffles: int = 10_000,
    seed: int = 1,
    kind: TextKind | None = None,
    threads: int = 0,
) -> Comparison:
    """Means, deviations, and p-values against the first system.

    Args:
        systems: by name, the translations of the test set by each replica: lists of lines.
        references: one list of lines for each set of references.
        metric: `bleu`, `bleu-tokens`, `chrf` or `ter`.
        shuffles: of approximate randomisation, and samples of the bootstrap.
        seed: of both.
        kind: of the text; default: English as people write it.
        threads: 0: all cores. The result does not depend on it.
    """
    _check(systems, references, shuffles)
    bound = corpus_metric(metric, references, kind)
    statistics = _statistics(bound, systems)
    results = _results(bound, statistics, shuffles, seed, threads)
    return Comparison(
        metric,
        bound.title,
        bound.higher_is_better,
        bound.signature(),
        len(references[0]),
        len(references),
        shuffles,
        seed,
        tuple(results),
    )


def _check(systems: Mapping[str, Sequence[Lines]], references: Sequence[Lines], shuffles: int) -> None:
    if not systems:
        raise DemoticError("no systems given")
    if shuffles < 1:
        raise DemoticError(f"shuffles must be at least 1 (got {shuffles})")
    if not references or not references[0]:
        raise DemoticError("no references given")
    for lines in references:
        if len(lines) != len(references[0]):
            raise DemoticError(f"references differ in length: {len(references[0])} and {len(lines)} lines")
    for name, replicas in systems.items():
        if not replicas:
            raise DemoticError(f"system '{name}' has no translations")
        for lines in replicas:
            if len(lines) != len(references[0]):
                raise DemoticError(
                    f"system '{name}' has {len(lines)} lines, but the references have {len(references[0])}"
                )


def _statistics(metric: CorpusMetric, systems: Mapping[str, Sequence[Lines]]) -> dict[str, Array]:
    """Of every system: (sentences, replicas, columns)."""
    with Progress(metric.title, total=sum(map(len, systems.values())), unit="translations") as bar:

        def statistics_of(lines: Lines) -> Array:
            rows = metric.statistics(lines)
            bar.advance()
            return rows

        return {
            name: np.stack([statistics_of(lines) for lines in replicas], axis=1)
            for name, replicas in systems.items()
        }


def _results(
    metric: CorpusMetric, statistics: Mapping[str, Array], shuffles: int, seed: int, threads: int
) -> list[SystemResult]:
    drawn = _drawn_scores(metric, statistics, shuffles, seed, threads)
    first = next(iter(statistics))
    results: list[SystemResult] = []
    with Progress("significance", total=len(statistics), unit="systems") as bar:
        for name, own in statistics.items():
            sums = own.sum(axis=0)
            ratios = [ratio for ratio in map(metric.length_ratio, sums) if ratio is not None]
            result = _describe(name, metric.scores(sums), drawn[name])
            result = replace(result, length=float(np.mean(ratios)) if ratios else None)
            if name != first:
                result = replace(
                    result,
                    p_randomization=approximate_randomization(
                        statistics[first], own, metric.scores, shuffles, seed, threads
                    ),
                    p_bootstrap=paired_bootstrap(
                        drawn[first].mean(axis=1), drawn[name].mean(axis=1), result.mean - results[0].mean
                    ),
                )
            results.append(result)
            bar.advance()
    return results


def _drawn_scores(
    metric: CorpusMetric, statistics: Mapping[str, Array], samples: int, seed: int, threads: int
) -> dict[str, Array]:
    """Scores of every system on the same drawn test sets: (samples, replicas)."""
    everything = np.concatenate(list(statistics.values()), axis=1)
    drawn = bootstrap_scores(everything, metric.scores, samples, seed, threads)
    ends = np.cumsum([own.shape[1] for own in statistics.values()])
    return dict(zip(statistics, np.split(drawn, ends[:-1], axis=1), strict=True))


def _describe(name: str, scores: Array, drawn: Array) -> SystemResult:
    """Without p-values."""
    return SystemResult(
        name,
        tuple(map(float, scores)),
        float(scores.mean()),
        float(scores.std(ddof=1)) if len(scores) > 1 else None,
        float(drawn.std(axis=0).mean()),
        interval=_interval(drawn.mean(axis=1)),
    )


def _interval(drawn: Array) -> tuple[float, float]:
    """Where 95 of 100 drawn test sets lie."""
    low, high = np.percentile(drawn, [2.5, 97.5]).tolist()
    return low, high
