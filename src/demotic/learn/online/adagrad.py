"""AdaGrad with proximal steps on the pairs of a list.

Green, Wang, Cer and Manning (2013), after Duchi, Hazan and Singer (2011) and Duchi and Singer (2009): for the gradient g of the summed
loss of a list's pairs,  G_i <- G_i + g_i^2,  w_i <- prox(w_i - rate / sqrt(G_i) g_i).  So a rule that was met twice takes steps as large
as a feature of every sentence, and the regulariser brings weights to exactly 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from demotic import _core
from demotic.base.checks import at_least, positive
from demotic.base.errors import DemoticError
from demotic.decode import Hypergraph
from demotic.evaluate import References
from demotic.features import PackedWeights, Weights
from demotic.learn.fitting.weight_length import LengthOptions
from demotic.learn.online.online_learner import OnlineLearner, iter_sel_learner, one_or_mixed
from demotic.learn.online.rule import DataSize, OnlineRule, RuleOptions
from demotic.learn.options import OnlineOptions, PairOptions, SelectionOptions
from demotic.learn.task import Example
from demotic.learn.workers.candidates import Candidates
from demotic.learn.workers.epoch_statistics import EpochStatistics


@dataclass(frozen=True)
class AdaGradOptions(LengthOptions, RuleOptions, PairOptions, SelectionOptions):
    """AdaGrad; pairs as PRO samples them, 15 a list, from the weights of the model.

    On one shard (`shards = 1`, algorithm 1, the last weights), on several that are mixed (algorithm 3), or with joint selection of
    features (`select`, algorithm 4). `l1` and `l2` stand beside the sum of the losses of a list's pairs; both together are the
    elastic net. `margin` is for the hinge. With `accumulate` the sums of squares G are handed on: shards are mixed in them as in
    the weights.
    """

    shards: int = 1  # number of shards; 0 makes shards of about 1,000 sentences
    start: Literal["zero", "model"] = "model"
    pairs: Literal["multipartite", "all", "top", "pro", "reranking"] = "pro"
    pairs_kept: int = 15
    select: int | str = 0
    loss: Literal["logistic", "hinge"] = "logistic"  # of a pair
    learning_rate: float = 0.02  # size of the first step of a sparse feature, whatever its gradient
    dense_rate: float = 0.02  # size of the first step of a dense feature
    margin: float = 1.0  # loss = hinge: by how much the better translation must lead
    l1: float = 0.0  # strength of the l1 regulariser, which brings weights to 0
    l2: float = 0.0  # strength of the l2 regulariser
    regularize_dense: bool = False  # regularise dense features too
    min_lists: int = 1  # a sparse feature is learnt from the n-th list of its shard on that moves it
    accumulate: bool = True  # learning rates go on falling from epoch to epoch; false: each begins anew
    epoch_average: bool = False  # an epoch ends with the mean of the weights after each of its lists

    def __post_init__(self) -> None:
        for group in (OnlineOptions, LengthOptions, PairOptions, SelectionOptions):
            group.__post_init__(self)
        positive(learning_rate=self.learning_rate, dense_rate=self.dense_rate)
        at_least(0, margin=self.margin, l1=self.l1, l2=self.l2)
        at_least(1, min_lists=self.min_lists)
        if self.select_by == "gradient":
            raise DemoticError(
                "adagrad selects features by weights only", hint="leave select_by out, or choose itersel"
            )
        self.native()

    def native(self) -> _core.AdaGrad:
        """A fresh learner of the core."""
        return _core.AdaGrad(
            loss=self.loss,
            learning_rate=self.learning_rate,
            dense_rate=self.dense_rate,
            margin=self.margin,
            l1=self.l1,
            l2=self.l2,
            regularize_dense=self.regularize_dense,
            min_lists=self.min_lists,
            scale=self.pairs == "reranking",
            average=self.epoch_average,
            learn=self.learn,
        )

    @property
    def averaged(self) -> bool:
        """The last weights: a mean would hold on to what has been given up."""
        return False

    def rule(self, weights: Weights, size: DataSize) -> OnlineRule:
        """One step per list."""
        return AdaGradRule(self, weights)


class AdaGradRule(OnlineRule):
    """All pairs of a list, one step."""

    def __init__(self, options: AdaGradOptions, weights: Weights) -> None:
        super().__init__(weights)
        self._options = options
        self._adagrad = options.native()
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

    def finish(self, statistics: EpochStatistics) -> None:
        """Take the proximal steps that are due, and average."""
        self.weights.grow()
        self._adagrad.finish(self.weights.values)

    def memory(self) -> PackedWeights:
        """The sums of squares."""
        if not self._options.accumulate:
            return PackedWeights()
        return Weights(self.weights.index, self._adagrad.squares()).pack()

    def recall(self, memory: PackedWeights) -> None:
        """The sums of squares of the epoch before."""
        self._adagrad.set_squares(Weights.unpack(memory, self.weights.index).values)


def adagrad_learner(options: AdaGradOptions, name: str) -> OnlineLearner:
    """Algorithm 4 if features are selected, 3 on several shards, else 1."""
    return iter_sel_learner(options, name) if options.select else one_or_mixed(options, name)
