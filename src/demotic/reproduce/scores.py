"""Scores of systems and the significance of their differences: BLEU as the papers report it, lowercased on tokens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Literal

import numpy as np
import numpy.typing as npt

from demotic.evaluate import (
    CorpusMetric,
    TextKind,
    approximate_randomization,
    bleu_score,
    bootstrap_scores,
    corpus_metric,
    paired_bootstrap,
)
from demotic.reproduce.context import SystemId
from demotic.reproduce.system_job import Outcome

Array = npt.NDArray[np.float64]
Test = Literal["randomization", "bootstrap"]


class Scores:
    """BLEU of the outcomes of an experiment, computed when asked for.

    Args:
        outcomes: by system, a replica each.
        shuffles: of the randomisation test, and samples of the bootstrap.
        seed: of both.
        threads: for them; no influence on the result.
    """

    def __init__(
        self, outcomes: Mapping[SystemId, Sequence[Outcome]], shuffles: int, seed: int, threads: int
    ) -> None:
        self.outcomes = outcomes
        self._shuffles, self._seed, self._threads = shuffles, seed, threads
        self._metrics: dict[tuple[str, int], CorpusMetric] = {}
        self._statistics: dict[tuple[SystemId, str], Array] = {}
        self._p: dict[tuple[SystemId, SystemId, str, str], float] = {}

    def bleu(self, system: SystemId, name: str) -> list[float]:
        """Of each replica on a set; `tune` is what the learner saw. Empty if it was not measured."""
        if name == "tune":
            return [outcome.tune_bleu for outcome in self.outcomes[system] if outcome.tune_bleu is not None]
        if not all(name in outcome.outputs for outcome in self.outcomes[system]):
            return []
        if name == "seen":  # other sentences for each replica
            return [
                _metric(each.references[name]).score(each.outputs[name]).score
                for each in self.outcomes[system]
            ]
        statistics = self.statistics(system, name)
        return [float(score) for score in self._metric(system, name).scores(statistics.sum(axis=0))]

    def length(self, system: SystemId, name: str) -> float:
        """Words of the translations of a set divided by those of the references that are closest, mean over replicas."""
        return fmean(bleu_score(sums).ratio for sums in self.statistics(system, name).sum(axis=0))

    def mean(self, system: SystemId, name: str) -> float:
        """Over replicas."""
        return fmean(self.bleu(system, name))

    def statistics(self, system: SystemId, name: str) -> Array:
        """Of every sentence: (sentences, replicas, columns)."""
        if (system, name) not in self._statistics:
            metric = self._metric(system, name)
            rows = [metric.statistics(outcome.outputs[name]) for outcome in self.outcomes[system]]
            self._statistics[system, name] = np.stack(rows, axis=1)
        return self._statistics[system, name]

    def p_value(self, a: SystemId, b: SystemId, name: str, test: Test) -> float:
        """Of the difference of two systems on a set, two-sided."""
        a, b = sorted((a, b))
        if (a, b, name, test) not in self._p:
            both = self.statistics(a, name), self.statistics(b, name)
            metric = self._metric(a, name)
            if test == "randomization":
                p = approximate_randomization(*both, metric.scores, self._shuffles, self._seed, self._threads)
            else:
                joined = np.concatenate(both, axis=1)
                drawn = bootstrap_scores(joined, metric.scores, self._shuffles, self._seed, self._threads)
                first, second = np.split(drawn, [both[0].shape[1]], axis=1)
                difference = self.mean(b, name) - self.mean(a, name)
                p = paired_bootstrap(first.mean(axis=1), second.mean(axis=1), difference)
            self._p[a, b, name, test] = p
        return self._p[a, b, name, test]

    def signature(self, system: SystemId, name: str) -> str:
        """Sacrebleu's."""
        return self._metric(system, name).signature()

    def _metric(self, system: SystemId, name: str) -> CorpusMetric:
        """All systems of a language pair have the same references."""
        key = name, system[1]
        if key not in self._metrics:
            self._metrics[key] = _metric(self.outcomes[system][0].references[name])
        return self._metrics[key]


def _metric(references: Sequence[Sequence[str]]) -> CorpusMetric:
    return corpus_metric("bleu-tokens", references, TextKind(tokenized=True))
