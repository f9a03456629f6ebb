"""The max-violation perceptron with forced decoding: Yu, Huang, Mi and Zhao (2013).

The best derivation that yields the reference is the target. The weights move from the best derivation of a span to the part of the target
that covers it, for the span where the target falls behind most (for hierarchical rules: Zhao, Huang, Mi and Ittycheriah 2014).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from demotic import _core
from demotic.base.checks import positive
from demotic.base.errors import DemoticError
from demotic.decode import Hypergraph, KBest
from demotic.features import Weights
from demotic.learn.fitting.weight_length import LengthOptions
from demotic.learn.online.rule import DataSize, ForcedDecoding, OnlineRule, RuleOptions
from demotic.learn.options import OnlineOptions
from demotic.learn.task import Example
from demotic.learn.workers.candidates import Candidates
from demotic.learn.workers.epoch_statistics import EpochStatistics

Vector = tuple[npt.NDArray[np.uint32], npt.NDArray[np.float64]]
"""Ids and values of features."""


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


def forced_violation(graph: Hypergraph, forced: Hypergraph) -> tuple[float, KBest, KBest]:
    """Where the best derivation of the reference falls behind most, whether or not search found it.

    Args:
        graph: derivations of a sentence that search found.
        forced: those that yield the reference (`Decoder.decode_reference`), under the same weights.

    Returns:
        By how much the best derivation of the span in `graph` has a higher score than the target's part; the target's part; the best
        derivation of the span. Both lists are empty without a violation.
    """
    violation, target, best = _core.forced_violation(graph.native, forced.native)
    return violation, KBest(target, graph.index), KBest(best, graph.index)


@dataclass(frozen=True)
class MaxViolationOptions(LengthOptions, RuleOptions):
    """The max-violation perceptron.

    A sentence is reachable if a derivation yields one of its references; others are skipped. The share of reachable ones is reported.
    With `forced=forest` only derivations count that search left in the hypergraph: more with a higher `train_pop_limit`. Steps have a
    fixed size, so the weights of a model are stretched (`scale`): beside weights of length 1 a step of 0.01 is a leap.
    """

    k: int = 1
    start: Literal["zero", "model"] = "model"
    shards: int = 1  # number of shards; more than 1 is iterative mixing
    learning_rate: float = 0.01  # step size of an update
    epoch_average: bool = True  # an epoch ends with the mean of the weights after each reachable sentence
    forced: Literal["parse", "forest"] = "parse"  # derivations of the reference: all, or those search found

    def __post_init__(self) -> None:
        OnlineOptions.__post_init__(self)
        LengthOptions.__post_init__(self)
        positive(learning_rate=self.learning_rate)

    def rule(self, weights: Weights, size: DataSize) -> OnlineRule:
        """One update per reachable sentence."""
        return MaxViolationRule(self, weights)

    def check_epoch(self, statistics: EpochStatistics) -> None:
        """Refuse data without a reachable sentence."""
        if not statistics.reachable:
            hint = "learn on more or shorter sentences"
            if self.forced == "forest":
                hint = f"raise train_pop_limit, set forced=parse, or {hint}"
            raise DemoticError(
                f"none of {statistics.sentences:,} sentences has a derivation that yields its reference",
                hint=hint,
            )


class MaxViolationRule(OnlineRule):
    """From the best derivation of a span to the one that yields its part of the reference."""

    def __init__(self, options: MaxViolationOptions, weights: Weights) -> None:
        super().__init__(weights)
        self._rate = options.learning_rate
        self._averages = options.epoch_average
        self._reachable = 0
        self._late = np.zeros(0)  # by id: the sum over updates of  update x reachable sentences before it
        self._parses = options.forced == "parse"
        self._candidates = Candidates(options, options.metric)
        self._learnable = _core.LearnableFeatures(options.learn)
        self._decode: ForcedDecoding | None = None

    def use_forced(self, decode: ForcedDecoding) -> None:
        """For the parse of source and reference."""
        self._decode = decode

    def learn(self, example: Example, graph: Hypergraph, seed: int, statistics: EpochStatistics) -> None:
        """W <- w + rate (f(forced) - f(best)) at the span of largest violation; of several references the easiest counts."""
        self._candidates.rated(example, graph, seed, statistics)
        find = self._in_parse if self._parses else self._in_forest
        found = [find(example, graph, reference) for reference in example.reference_words()]
        reachable = [one for one in found if one is not None]
        if not reachable:
            statistics.skipped += 1
            return
        violation, (ids, difference) = min(reachable, key=lambda one: one[0])
        statistics.reachable += 1
        statistics.loss += violation
        if len(ids):
            self._learnable.classify(self.weights.index)
            self._update(ids, np.where(self._learnable.mask(ids), self._rate * difference, 0.0))
            statistics.updates += 1
        self._reachable += 1

    def _update(self, ids: npt.NDArray[np.uint32], change: npt.NDArray[np.float64]) -> None:
        self.weights.grow()
        self.weights.values[ids] += change
        if self._averages:
            if len(self._late) < len(self.weights.values):
                self._late = np.append(self._late, np.zeros(len(self.weights.values)))
            self._late[ids] += self._reachable * change

    def finish(self, statistics: EpochStatistics) -> None:
        """The mean over n reachable sentences: an update is in the weights after each of them but those before it."""
        if self._averages and self._reachable:
            count = min(len(self._late), len(self.weights.values))
            self.weights.values[:count] -= self._late[:count] / self._reachable

    def _in_parse(
        self, example: Example, graph: Hypergraph, reference: list[str]
    ) -> tuple[float, Vector] | None:
        """The violation and f(forced) - f(best); None: unreachable."""
        if self._decode is None:
            raise ValueError("a rule that parses references needs a decoder")
        forced = self._decode(example, reference)
        if forced is None:
            return None
        violation, target, best = forced_violation(graph, forced)
        if len(target) == 0:
            return violation, _NOTHING
        return violation, _difference(target.row(0), best.row(0))

    def _in_forest(
        self, example: Example, graph: Hypergraph, reference: list[str]
    ) -> tuple[float, Vector] | None:
        is_reachable, violation, pair = max_violation(graph, reference)
        if not is_reachable:
            return None
        return violation, _difference(pair.row(0), pair.row(1)) if len(pair) else _NOTHING


_NOTHING: Vector = (np.zeros(0, np.uint32), np.zeros(0))


def _difference(first: Vector, second: Vector) -> Vector:
    """Of two feature vectors, without features of the same value in both."""
    ids, places = np.unique(np.concatenate([first[0], second[0]]), return_inverse=True)
    values = np.bincount(places, np.concatenate([first[1], -second[1]]))
    differs = values != 0
    return ids[differs], values[differs]
