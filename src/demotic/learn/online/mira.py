"""Online MIRA with hope and fear: Chiang, Marton and Resnik (2008), Chiang (2012).

The weights change as little as possible so that hope, a translation that is good and that the model likes, wins over others by as
much as it is better:  min ||w' - w||^2 / 2 + C xi,  w' . (f(hope) - f(y)) >= metric(hope) - metric(y) - xi.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from demotic import _core
from demotic.base.checks import at_least, positive
from demotic.decode import Hypergraph
from demotic.features import Weights
from demotic.learn.fitting.weight_length import LengthOptions
from demotic.learn.online.rule import DataSize, OnlineRule, RuleOptions
from demotic.learn.options import OnlineOptions
from demotic.learn.task import Example
from demotic.learn.workers.candidates import Candidates
from demotic.learn.workers.epoch_statistics import EpochStatistics


@dataclass(frozen=True)
class MiraOptions(LengthOptions, RuleOptions):
    """MIRA; defaults: Simianer, Riezler and Dyer (2012), footnote 6.

    With `candidates = "samples"` the list is drawn from the chart, so that the result depends on the seed, as in the papers. With
    `start = "model"` the weights are stretched as for the other learners that weigh scores against the metric (`scale`).
    """

    k: int = 250
    epochs: int = 15
    metric: str = "pseudo"  # sentence-level metric; pseudo is background BLEU
    shards: int = 1  # number of shards; more than 1 is iterative mixing
    start: Literal["zero", "model"] = "zero"
    c: float = 0.01  # C: maximum step size of one sentence
    constraints: int = 1  # number of hypotheses that hope must beat; 1 is fear alone

    def __post_init__(self) -> None:
        OnlineOptions.__post_init__(self)
        LengthOptions.__post_init__(self)
        positive(c=self.c)
        at_least(1, constraints=self.constraints)
        self.native()

    def native(self) -> _core.MiraOptions:
        """The same for the core, checked."""
        return _core.MiraOptions(self.c, self.constraints)

    def rule(self, weights: Weights, size: DataSize) -> OnlineRule:
        """One update per list."""
        return MiraRule(self, weights)


class MiraRule(OnlineRule):
    """Hope, fear, and the smallest step that puts them in order."""

    def __init__(self, options: MiraOptions, weights: Weights) -> None:
        super().__init__(weights)
        self._options = options.native()
        self._candidates = Candidates(options, options.metric)
        self._learnable = _core.LearnableFeatures(options.learn)

    def learn(self, example: Example, graph: Hypergraph, seed: int, statistics: EpochStatistics) -> None:
        """The update is  w <- w + sum over y of alpha(y) (f(hope) - f(y))."""
        kbest, weights = self._candidates.rated(example, graph, seed, statistics), self.weights
        if not kbest.teaches():
            statistics.skipped += 1
            return
        self._learnable.classify(weights.index)
        # In words, so that C means the same whatever the length of a sentence.
        metric = kbest.metric_words * kbest.metric
        coefficients, loss, constraints = _core.mira_update(
            kbest.native, kbest.scores, metric, self._learnable, self._options
        )
        ids, values = _core.combine_rows(kbest.native, coefficients)
        may_change = self._learnable.mask(ids)
        weights.grow()
        weights.values[ids[may_change]] += values[may_change]
        statistics.loss += loss
        statistics.updates += constraints > 0
