"""L1-regularised ranking, online, with the cumulative penalty of Tsuruoka, Tsujii and Ananiadou (2009).

The loss of a pair is the hinge (1 - <w, x>)+ of equation 1 of Liu, Zhao, Watanabe and Sumita (2013), whose table 1 has this learner as
its baseline. Every pair makes each weight owe a penalty of rate x strength towards 0, which is paid after the list and stops at 0. What
a weight at 0 could not pay stays owed: so it must gain more than all that has been owed since, and features that come up by chance do
not get in. So the strength is per pair: what is minimised is the mean of the hinge over all pairs + strength x sum |w|.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from demotic import _core
from demotic.base.checks import positive
from demotic.base.errors import DemoticError
from demotic.decode import Hypergraph
from demotic.features import Weights
from demotic.learn.cost import DataSizes, Decodings
from demotic.learn.learner import Learner, LearnSettings, Tuned
from demotic.learn.online.online_learner import one_or_mixed
from demotic.learn.online.rule import DataSize, OnlineRule, RuleOptions
from demotic.learn.options import OnlineOptions, PairOptions
from demotic.learn.task import Example, TuningTask
from demotic.learn.workers.candidates import Candidates
from demotic.learn.workers.epoch_statistics import EpochStatistics


@dataclass(frozen=True)
class L1Options(RuleOptions, PairOptions):
    """L1 ranking; pairs as PRO samples them.

    The penalty owed by weights at 0 is forgiven at the end of an epoch, where weights alone are handed on; the published
    algorithm remembers it. With shards, weights are averaged after each epoch, and a weight is 0 only where all agree.
    """

    shards: int = 1
    metric: str = "bleu+1"
    pairs: Literal["multipartite", "all", "top", "pro", "reranking"] = "pro"
    threshold: float = 0.05
    learning_rate: float = 1e-4  # step size of an update
    strengths: tuple[float, ...] = (
        2e-5,
        2e-4,
        2e-3,
        2e-2,
    )  # strengths of the penalty to try; the held-out set chooses

    def __post_init__(self) -> None:
        OnlineOptions.__post_init__(self)
        PairOptions.__post_init__(self)
        positive(learning_rate=self.learning_rate)
        if self.pairs == "reranking":
            raise DemoticError(
                "pairs = reranking needs the perceptron", hint="choose pro, multipartite, all or top"
            )
        if not self.strengths or min(self.strengths) < 0:
            raise DemoticError(
                f"strengths must be one or more numbers of at least 0 (got {list(self.strengths)})"
            )
        self.native()

    def native(self) -> _core.Perceptron:
        """The core's ranking perceptron with a margin of 1: the subgradient of the hinge."""
        return _core.Perceptron(self.learning_rate, 1.0, False, False, False, self.learn)

    @property
    def averaged(self) -> bool:
        """The last weights: a mean would hold on to what has been given up."""
        return False

    def rule(self, weights: Weights, size: DataSize) -> OnlineRule:
        """With the first of the strengths."""
        return L1Rule(self, weights)


class CumulativePenalty:
    """What all weights owe, and what each has paid: u and q of the paper."""

    def __init__(self) -> None:
        self._owed = 0.0
        self._paid: npt.NDArray[np.float64] = np.zeros(0)  # signed: the changes that penalties have made

    def apply(self, weights: npt.NDArray[np.float64], active: npt.NDArray[np.uint32], amount: float) -> None:
        """Everybody owes `amount` more; weights pay what they can, in place.

        Args:
            weights: by feature id.
            active: ids of those that are to pay; who is left out pays later. Weights at 0 pay nothing.
            amount: how much.
        """
        self._owed += amount
        if len(self._paid) < len(weights):
            paid = np.zeros(2 * len(weights))
            paid[: len(self._paid)] = self._paid
            self._paid = paid
        before = weights[active]
        signs = np.sign(before)
        after = signs * np.maximum(0.0, np.abs(before) - (self._owed + signs * self._paid[active]))
        weights[active] = after
        self._paid[active] += after - before


class L1Rule(OnlineRule):
    """The pairs of a list, then the penalty."""

    def __init__(self, options: L1Options, weights: Weights) -> None:
        super().__init__(weights)
        self._penalty = CumulativePenalty()
        self._per_pair = options.learning_rate * options.strengths[0]
        self._perceptron = options.native()
        self._learnable = _core.LearnableFeatures(options.learn)
        self._pairs = options.native_pairs()
        self._candidates = Candidates(options, options.metric)

    def learn(self, example: Example, graph: Hypergraph, seed: int, statistics: EpochStatistics) -> None:
        """For each pair of the list:  w <- w + rate x  if <w, x> <= 1; then all weights move towards 0."""
        kbest = self._candidates.rated(example, graph, seed, statistics)
        nothing = np.zeros(0)
        pairs = _core.make_pairs(kbest.metric, nothing, nothing, self._pairs, seed)
        self.weights.grow()
        counts = self._perceptron.update(
            kbest.native, pairs, kbest.metric, self.weights.index, self.weights.values, nothing
        )
        self._learnable.classify(self.weights.index)
        active = np.flatnonzero(self.weights.values).astype(np.uint32)
        owed = self._per_pair * counts.pairs
        self._penalty.apply(self.weights.values, active[self._learnable.mask(active)], owed)
        statistics.count(counts)


class L1Learner(Learner):
    """Learns with each strength of the penalty and takes the best on the held-out sentences; of equals the strongest.

    The history is that of the strength chosen; whoever looks on is told of all.
    """

    def __init__(self, options: L1Options, name: str = "l1") -> None:
        self.options, self.name = options, name

    def fit(self, task: TuningTask, settings: LearnSettings) -> Tuned:
        """Learn from the examples of a task, each strength in a run folder of its own; fold models are made once for all."""
        strengths = sorted(set(self.options.strengths), reverse=True)
        if len(strengths) > 1 and not task.held_out:
            raise DemoticError(
                f"choosing among {len(strengths)} strengths needs a held-out set",
                hint="give --held-out-src and --held-out-ref, or a single strength: --set strengths=[0.0002]",
            )
        results = [self._fit(strength, task, settings) for strength in strengths]
        return max(results, key=lambda tuned: tuned.bleu or 0.0)

    def decodings(self, sizes: DataSizes) -> Decodings:
        """Everything once in each epoch that decodes, for every strength."""
        options, runs = self.options, len(set(self.options.strengths))
        lists, looked_at = options.decoding_epochs * sizes.learnt, options.epochs * sizes.select
        return Decodings(options.k, runs * lists, runs * looked_at)

    def _fit(self, strength: float, task: TuningTask, settings: LearnSettings) -> Tuned:
        def on_epoch(row: Any) -> None:
            settings.on_epoch({"strength": strength, **row})

        learner = one_or_mixed(replace(self.options, strengths=(strength,)), self.name)
        with settings.part(f"strength-{strength:g}") as part:
            tuned = learner.fit(task, replace(part, on_epoch=on_epoch))
        return replace(tuned, history=[{"strength": strength, **row} for row in tuned.history])
