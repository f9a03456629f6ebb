"""The max-violation perceptron with forced decoding: Yu, Huang, Mi and Zhao (2013).

The best derivation that yields the reference is the target. The weights move from the best derivation of a span to the part of the target
that covers it, for the span where the target falls behind most (for hierarchical rules: Zhao, Huang, Mi and Ittycheriah 2014).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from demotic import _core
from demotic.base.checks import positive
from demotic.base.errors import DemoticError
from demotic.decode import Hypergraph, KBest
from demotic.features import Weights
from demotic.learn.online.rule import DataSize, OnlineRule, RuleOptions
from demotic.learn.options import OnlineOptions
from demotic.learn.task import Example
from demotic.learn.workers.candidates import Candidates
from demotic.learn.workers.epoch_statistics import EpochStatistics


def max_violation(graph: Hypergraph, reference: list[str]) -> tuple[bool, float, KBest]:
    """Where the best derivation of a hypergraph that yields the reference falls behind most.

    Args:
        graph: derivations of a sentence.
        reference: its translation, as words.

    Returns:
        Whether any derivation of the hypergraph yields the reference; by how much the best derivation of the span has a higher score
        than the target's part; the target's part and the best derivation as a list of two, or an empty list without a violation.
    """
    is_reachable, violation, pair = _core.max_violation(graph.native, reference)
    return is_reachable, violation, KBest(pair, graph.index)


@dataclass(frozen=True)
class MaxViolationOptions(RuleOptions):
    """The max-violation perceptron.

    A sentence is reachable if a derivation of its hypergraph yields one of its references; others are skipped. More are with a
    higher `train_pop_limit`. The share of reachable ones is reported.
    """

    k: int = 1
    start: Literal["zero", "model"] = "model"
    shards: int = 1  # number of shards; more than 1 is iterative mixing
    learning_rate: float = 0.01  # step size of an update

    def __post_init__(self) -> None:
        OnlineOptions.__post_init__(self)
        positive(learning_rate=self.learning_rate)

    def rule(self, weights: Weights, size: DataSize) -> OnlineRule:
        """One update per reachable sentence."""
        return MaxViolationRule(self, weights)

    def check_epoch(self, statistics: EpochStatistics) -> None:
        """Refuse data without a reachable sentence."""
        if not statistics.reachable:
            raise DemoticError(
                f"none of {statistics.sentences:,} sentences has a derivation that yields its reference",
                hint="raise train_pop_limit, or learn on more or shorter sentences",
            )


class MaxViolationRule(OnlineRule):
    """From the best derivation of a span to the one that yields its part of the reference."""

    def __init__(self, options: MaxViolationOptions, weights: Weights) -> None:
        super().__init__(weights)
        self._rate = options.learning_rate
        self._candidates = Candidates(options, options.metric)
        self._learnable = _core.LearnableFeatures(options.learn)

    def learn(self, example: Example, graph: Hypergraph, seed: int, statistics: EpochStatistics) -> None:
        """W <- w + rate (f(forced) - f(best)) at the span of largest violation; of several references the easiest counts."""
        self._candidates.rated(example, graph, seed, statistics)
        found = [max_violation(graph, reference) for reference in example.reference_words()]
        reachable = [(violation, pair) for is_reachable, violation, pair in found if is_reachable]
        if not reachable:
            statistics.skipped += 1
            return
        violation, pair = min(reachable, key=lambda one: one[0])
        statistics.reachable += 1
        statistics.loss += violation
        if len(pair) == 0:
            return
        ids, step = _core.combine_rows(pair.native, np.array([self._rate, -self._rate]))
        self._learnable.classify(self.weights.index)
        self.weights.grow()
        self.weights.values[ids] += np.where(self._learnable.mask(ids), step, 0.0)
        statistics.updates += len(ids) > 0
