"""The ranking perceptron.

Simianer, Riezler and Dyer (2012), section 4: for a pair of translations with the difference x = x1 - x2 of their features, where the
metric prefers the first, the loss is l(w) = (-<w, x>)+ and its subgradient -x if <w, x> <= 0, else 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from demotic import _core
from demotic.base.checks import at_least, positive
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

    Three forms differ in which pairs move the weights:

    - `default`, our own choice: <w, x> <= 1 under the weights learnt so far, those of earlier pairs of the same list included.
    - `paper`: <w, x> <= 0 under the weights that decoded the list. That is the printed loss, as dtrain computed it in 2012: scores
      are those of decoding. The learning rate then scales all weights and changes nothing else, if they start from zero.
    - `dtrain`: <w, x> <= 1 under the weights that decoded the list: dtrain's configuration for distributed training from 2013 on.

    The margin is the reason for ours: with three epochs on 600 sentences of Multi30k `paper` has 34.2 BLEU, `dtrain` 36.5 and `default` 36.7
    (docs/how-to/online-learners.md). Margin 0 with running scores (`margin = 0`, `frozen = false`) learns nothing that lasts: each
    list undoes what the one before has taught.
    """

    PRESETS: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "default": {},
        "paper": {"margin": 0.0, "frozen": True},
        "dtrain": {"margin": 1.0, "frozen": True},
    }

    learning_rate: float = 1e-4  # step size of an update
    margin: float = 1.0  # update where <w, x> <= margin
    frozen: bool = False  # compare scores under the weights that decoded the list, not the current ones
    scale: bool = False  # scale updates by the difference in the metric
    epoch_average: bool = False  # an epoch ends with the mean of the weights after each of its lists

    def __post_init__(self) -> None:
        for group in (OnlineOptions, PairOptions, SelectionOptions):
            group.__post_init__(self)
        positive(learning_rate=self.learning_rate)
        at_least(0, margin=self.margin)
        self.native()

    def native(self) -> _core.Perceptron:
        """A fresh perceptron of the core."""
        reranking = self.pairs == "reranking"
        return _core.Perceptron(
            self.learning_rate,
            self.margin,
            self.frozen or reranking,
            self.scale or reranking,
            self.epoch_average,
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
        """For each pair of the list:  w <- w + rate x  if <w, x> <= margin (with `frozen`: <w, x> as it was in decoding)."""
        kbest = self._candidates.rated(example, graph, seed, statistics)
        wer = np.zeros(0)
        if self._options.pairs == "reranking":
            wer = References(example.reference_words()).wer(kbest)
        pairs = _core.make_pairs(kbest.metric, kbest.scores, wer, self._pairs, seed)
        counts = self._perceptron.update(
            kbest.native, pairs, kbest.metric, self.weights.index, self._learnable(), self.gradient
        )
        statistics.count(counts)

    def finish(self, statistics: EpochStatistics) -> None:
        """With `epoch_average`: the mean of the weights after each list."""
        self._perceptron.finish(self.weights.values)

    def _learnable(self) -> npt.NDArray[np.float64]:
        """The weights that may change; for other features there is room in the gradient."""
        if self._all_may_change:
            self.weights.grow()
        elif len(self.gradient) < len(self.weights.index):
            room = np.zeros(2 * len(self.weights.index))
            room[: len(self.gradient)] = self.gradient
            self.gradient = room
        return self.weights.values
