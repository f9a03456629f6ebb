"""RAMPION: ramp loss by the concave-convex procedure and stochastic subgradient descent (Gimpel and Smith 2012, algorithm 1).

w <- start;  hopes  y+ = argmax w . f(y) - cost(y)  of all lists;
some passes:  y- = argmax w . f(y) + cost(y);  w <- w - step C / n (w - start) + step (f(y+) - f(y-));   new hopes, and so on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from demotic import _core
from demotic.base.checks import at_least, positive
from demotic.base.errors import DemoticError
from demotic.decode import Hypergraph
from demotic.features import Weights
from demotic.learn.online.rule import DataSize, OnlineRule, RuleOptions
from demotic.learn.options import OnlineOptions
from demotic.learn.task import Example
from demotic.learn.workers.candidates import Candidates
from demotic.learn.workers.epoch_statistics import EpochStatistics


@dataclass(frozen=True)
class RampionOptions(RuleOptions):
    """RAMPION; defaults: those of cdec.

    An epoch is one iteration of the outer loop: all sentences of a shard are decoded with the same weights, then the loop
    over their lists runs. The weights are pulled to those at the beginning of the epoch, not of the whole run.
    """

    k: int = 500
    epochs: int = 10
    metric: str = "nakov"
    shards: int = 1  # number of shards; more than 1 is iterative mixing
    start: Literal["zero", "model"] = "model"
    cost: float = 10.0  # cost of a translation is this x (1 - metric)
    rounds: int = 10  # T': number of times that hopes are chosen
    passes: int = 5  # T'': passes over the lists for each choice
    step: float = 1e-4  # step size
    l2: float = 1.0  # C: strength of the pull to the weights at the start of the epoch

    def __post_init__(self) -> None:
        OnlineOptions.__post_init__(self)
        positive(cost=self.cost, step=self.step)
        at_least(0, l2=self.l2)
        if not self.step * self.l2 < 1:
            raise DemoticError(
                f"step x l2 must be below 1 (got {self.step} x {self.l2})", hint="lower step or l2"
            )
        at_least(1, rounds=self.rounds, passes=self.passes)
        self.native()

    def native(self) -> _core.Rampion:
        """The same for the core, checked; without any list."""
        return _core.Rampion(self.rounds, self.passes, self.step, self.l2)

    @property
    def averaged(self) -> bool:
        """The last weights: a mean would hold on to what has been given up."""
        return False

    def rule(self, weights: Weights, size: DataSize) -> OnlineRule:
        """Collects lists, and learns at the end of the epoch."""
        return RampionRule(self, weights)


class RampionRule(OnlineRule):
    """The lists of a shard, all decoded with the same weights; 8 bytes per feature of a hypothesis."""

    def __init__(self, options: RampionOptions, weights: Weights) -> None:
        super().__init__(weights)
        self._options = options
        self._candidates = Candidates(options, options.metric)
        self._lists = options.native()

    def learn(self, example: Example, graph: Hypergraph, seed: int, statistics: EpochStatistics) -> None:
        """Keep the list."""
        kbest = self._candidates.rated(example, graph, seed, statistics)
        if not kbest.teaches():
            statistics.skipped += 1
            return
        costs = self._options.cost * (1.0 - kbest.metric)
        statistics.loss += self._lists.add(kbest.native, kbest.scores, costs)

    def finish(self, statistics: EpochStatistics) -> None:
        """Learn from all lists."""
        learnable = _core.LearnableFeatures(self._options.learn)
        learnable.classify(self.weights.index)
        self.weights.grow()
        statistics.updates += self._lists.optimize(self.weights.values, learnable)
