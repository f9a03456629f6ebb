"""The step of AdaGrad with a proximal regulariser, for any loss of a sentence.

Duchi, Hazan and Singer (2011), Duchi and Singer (2009): for the gradient g of the loss,  G_i <- G_i + g_i^2,
w_i <- prox(w_i - rate / sqrt(G_i) g_i).  So a rule that was met twice takes steps as large as a feature of every sentence, and the regulariser
brings weights to exactly 0.
"""

from __future__ import annotations

from abc import ABC
from dataclasses import dataclass
from typing import Literal

from demotic import _core
from demotic.base.checks import at_least, positive
from demotic.base.errors import DemoticError
from demotic.features import PackedWeights, Weights
from demotic.learn.fitting.weight_length import LengthOptions
from demotic.learn.online.online_learner import OnlineLearner, iter_sel_learner, one_or_mixed
from demotic.learn.online.rule import OnlineRule, RuleOptions
from demotic.learn.options import OnlineOptions, SelectionOptions
from demotic.learn.workers.epoch_statistics import EpochStatistics


@dataclass(frozen=True)
class AdaGradStepOptions(LengthOptions, RuleOptions, SelectionOptions, ABC):
    """What learners that take steps of AdaGrad share.

    On one shard (`shards = 1`, algorithm 1, the last weights), on several that are mixed (algorithm 3), or with joint selection of
    features (`select`, algorithm 4). `l1` and `l2` stand beside the loss of a sentence; both together are the elastic net. With
    `accumulate` the sums of squares G are handed on: shards are mixed in them as in the weights.
    """

    shards: int = 1  # number of shards; 0 makes shards of about 1,000 sentences
    start: Literal["zero", "model"] = "model"
    select: int | str = 0
    learning_rate: float = 0.02  # size of the first step of a sparse feature, whatever its gradient
    dense_rate: float = 0.02  # size of the first step of a dense feature
    l1: float = 0.0  # strength of the l1 regulariser, which brings weights to 0
    l2: float = 0.0  # strength of the l2 regulariser
    regularize_dense: bool = False  # regularise dense features too
    min_lists: int = 1  # a sparse feature is learnt from the n-th list of its shard on that moves it
    accumulate: bool = True  # learning rates go on falling from epoch to epoch; false: each begins anew
    epoch_average: bool = False  # an epoch ends with the mean of the weights after each of its lists

    def __post_init__(self) -> None:
        for group in (OnlineOptions, LengthOptions, SelectionOptions):
            group.__post_init__(self)
        positive(learning_rate=self.learning_rate, dense_rate=self.dense_rate)
        at_least(0, l1=self.l1, l2=self.l2)
        at_least(1, min_lists=self.min_lists)
        if self.select_by == "gradient":
            raise DemoticError(
                "AdaGrad selects features by weights only", hint="leave select_by out, or choose itersel"
            )
        self.native()

    def native(self) -> _core.AdaGrad:
        """A fresh learner of the core."""
        return self.native_with("logistic", 1.0, False)

    def native_with(self, loss: str, margin: float, scale: bool) -> _core.AdaGrad:
        """The same with the loss of a pair, for those who learn from pairs."""
        return _core.AdaGrad(
            loss=loss,
            learning_rate=self.learning_rate,
            dense_rate=self.dense_rate,
            margin=margin,
            l1=self.l1,
            l2=self.l2,
            regularize_dense=self.regularize_dense,
            min_lists=self.min_lists,
            scale=scale,
            average=self.epoch_average,
            learn=self.learn,
        )

    @property
    def averaged(self) -> bool:
        """The last weights: a mean would hold on to what has been given up."""
        return False


class AdaGradStepRule(OnlineRule):
    """One step per sentence.

    Args:
        options: of the step.
        weights: to be learnt.
        adagrad: takes the steps.
    """

    def __init__(self, options: AdaGradStepOptions, weights: Weights, adagrad: _core.AdaGrad) -> None:
        super().__init__(weights)
        self._adagrad = adagrad
        self._accumulates = options.accumulate

    def finish(self, statistics: EpochStatistics) -> None:
        """Take the proximal steps that are due, and average."""
        self.weights.grow()
        self._adagrad.finish(self.weights.values)

    def memory(self) -> PackedWeights:
        """The sums of squares."""
        if not self._accumulates:
            return PackedWeights()
        return Weights(self.weights.index, self._adagrad.squares()).pack()

    def recall(self, memory: PackedWeights) -> None:
        """The sums of squares of the epoch before."""
        self._adagrad.set_squares(Weights.unpack(memory, self.weights.index).values)


def adagrad_learner(options: AdaGradStepOptions, name: str) -> OnlineLearner:
    """Algorithm 4 if features are selected, 3 on several shards, else 1."""
    return iter_sel_learner(options, name) if options.select else one_or_mixed(options, name)
