"""AdaGrad on the pairs of a list: Green, Wang, Cer and Manning (2013)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from demotic import _core
from demotic.base.checks import at_least
from demotic.decode import Hypergraph
from demotic.evaluate import References
from demotic.features import Weights
from demotic.learn.online.adagrad_step import AdaGradStepOptions, AdaGradStepRule
from demotic.learn.online.rule import DataSize, OnlineRule
from demotic.learn.options import PairOptions
from demotic.learn.task import Example
from demotic.learn.workers.candidates import Candidates
from demotic.learn.workers.epoch_statistics import EpochStatistics


@dataclass(frozen=True)
class AdaGradOptions(AdaGradStepOptions, PairOptions):
    """AdaGrad; pairs as PRO samples them, 15 a list, from the weights of the model.

    The loss of a list is the sum over its pairs. `margin` is for the hinge.
    """

    pairs: Literal["multipartite", "all", "top", "pro", "reranking"] = "pro"
    pairs_kept: int = 15
    loss: Literal["logistic", "hinge"] = "logistic"  # loss of a pair
    margin: float = 1.0  # loss = hinge: by how much the better translation must lead

    def __post_init__(self) -> None:
        AdaGradStepOptions.__post_init__(self)
        PairOptions.__post_init__(self)
        at_least(0, margin=self.margin)

    def native(self) -> _core.AdaGrad:
        """A fresh learner of the core, for pairs."""
        return self.native_with(self.loss, self.margin, self.pairs == "reranking")

    def rule(self, weights: Weights, size: DataSize) -> OnlineRule:
        """One step per list."""
        return AdaGradRule(self, weights)


class AdaGradRule(AdaGradStepRule):
    """All pairs of a list, one step."""

    def __init__(self, options: AdaGradOptions, weights: Weights) -> None:
        super().__init__(options, weights, options.native())
        self._options = options
        self._pairs = options.native_pairs()
        self._candidates = Candidates(options, options.metric)

    def learn(self, example: Example, graph: Hypergraph, seed: int, statistics: EpochStatistics) -> None:
        """A step along the gradient of the list, a rate for each feature, then the proximal step."""
        kbest = self._candidates.rated(example, graph, seed, statistics)
        if not kbest.teaches():
            statistics.skipped += 1
            return
        wer = np.zeros(0)
        if self._options.pairs == "reranking":
            wer = References(example.reference_words()).wer(kbest)
        pairs = _core.make_pairs(kbest.metric, kbest.scores, wer, self._pairs, seed)
        self.weights.grow()
        weights = self.weights
        counts = self._adagrad.update(kbest.native, pairs, kbest.metric, weights.index, weights.values)
        statistics.count(counts)
