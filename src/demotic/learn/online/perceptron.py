"""The ranking perceptron.

Simianer, Riezler and Dyer (2012), section 4: for a pair of translations with the difference x = x1 - x2 of their features, where the
metric prefers the first, the loss is l(w) = (-<w, x>)+ and its subgradient -x if <w, x> <= 0, else 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from demotic import _core
from demotic.decode import Hypergraph
from demotic.evaluate import References
from demotic.features import Weights
from demotic.learn.online.rule import DataSize, OnlineRule, RuleOptions
from demotic.learn.options import OnlineOptions, PairOptions, SelectionOptions
from demotic.learn.task import Example
from demotic.learn.workers.candidates import Candidates
from demotic.learn.workers.epoch_statistics import EpochStatistics


@dataclass(frozen=True)
class PerceptronOptions(RuleOptions, PairOptions, SelectionOptions):
    """The ranking perceptron, alone or in shards.

    The paper prints the margin 0. Started from zero weights, the learning rate then scales all weights and changes nothing else,
    and each list undoes what the one before has taught. The margin 1 is what the authors' own configuration of dtrain for
    distributed training has, with the paper's learning rate; `margin = 0` gives the printed form.
    """

    learning_rate: float = 1e-4
    margin: float = 1.0  # update where <w, x> <= margin
    frozen: bool = False  # compare the scores of decoding, not those of the weights learnt since
    scale: bool = False  # scale updates by the difference in the metric

    def __post_init__(self) -> None:
        for group in (OnlineOptions, PairOptions, SelectionOptions):
            group.__post_init__(self)
        self.native()

    def native(self) -> _core.Perceptron:
        """A fresh perceptron of the core."""
        reranking = self.pairs == "reranking"
        return _core.Perceptron(
            self.learning_rate,
            self.margin,
            self.frozen or reranking,
            self.scale or reranking,
            self.learn,
        )

    def rule(self, weights: Weights, size: DataSize) -> OnlineRule:
        """With `select_by = "gradient"` only the features that `weights` lists already are learnt."""
        return PerceptronRule(self, weights)


class PerceptronRule(OnlineRule):
    """Pairs of a list, an update each."""

    def __init__(self, options: PerceptronOptions, weights: Weights) -> None:
        super().__init__(weights)
        self._options = options
        self._perceptron = options.native()
        self._pairs = options.native_pairs()
        self._candidates = Candidates(options, options.metric)
        self._all_may_change = options.select_by == "weights"

    def learn(self, example: Example, graph: Hypergraph, seed: int, statistics: EpochStatistics) -> None:
        """For each pair of the list:  w <- w + rate x  if <w, x> <= margin."""
        found = self._candidates.of(example, graph, seed, statistics)
        kbest, scores = found.kbest, found.metric
        wer = np.zeros(0)
        if self._options.pairs == "reranking":
            wer = References(example.reference_words()).wer(kbest)
        pairs = _core.make_pairs(scores, kbest.scores, wer, self._pairs, seed)
        counts = self._perceptron.update(
            kbest.native, pairs, scores, self.weights.index, self._learnable(), self.gradient
        )
        statistics.skipped += counts.pairs == 0
        statistics.pairs += counts.pairs
        statistics.errors += counts.errors
        statistics.updates += counts.updates

    def _learnable(self) -> npt.NDArray[np.float64]:
        """The weights that may change; for other features there is room in the gradient."""
        if self._all_may_change:
            self.weights.grow()
        elif len(self.gradient) < len(self.weights.index):
            room = np.zeros(2 * len(self.weights.index))
            room[: len(self.gradient)] = self.gradient
            self.gradient = room
        return self.weights.values
