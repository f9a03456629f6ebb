"""Stochastic gradient descent on a loss of hope and fear, with l2 regularisation that costs nothing per sentence."""

from __future__ import annotations

from abc import abstractmethod
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
from demotic.learn.neighbours import Chains, NeighbourOptions
from demotic.learn.online.conditioning import ExtractionFrequency
from demotic.learn.online.rule import DataSize, OnlineRule, RuleOptions
from demotic.learn.options import OnlineOptions
from demotic.learn.task import Example
from demotic.learn.workers.candidates import Candidates
from demotic.learn.workers.epoch_statistics import EpochStatistics

Gradient = tuple[float, npt.NDArray[np.uint32], npt.NDArray[np.float64]]  # loss, ids, values


@dataclass(frozen=True)
class SgdOptions(LengthOptions, RuleOptions, NeighbourOptions):
    """What learners that follow a gradient share.

    They minimise the mean over n sentences of loss + l2 / 2n ||w||^2: `l2` is the strength beside the sum of the losses, as the paper has
    it. With `condition`, feature i takes steps of `step` / n_i, where n_i is how many lists are likely to have it: gradient
    descent on features that are rescaled by the root of n_i, with the regulariser of the rescaled ones. Neighbouring bins are
    held together by `regularizer`, whose `beta` stands beside the mean loss; each sentence takes a step along that
    gradient that is never so long that it would overshoot.
    """

    metric: str = "nakov"  # sentence-level metric; nakov is BLEU+1 with smoothed brevity penalty
    shards: int = 1  # number of shards; more than 1 is iterative mixing
    start: Literal["zero", "model"] = "model"
    step: float = 1.0  # step size
    l2: float = 0.001  # strength of the l2 regulariser
    cost: float = 20.0  # cost of a translation is this x (1 - metric)
    condition: bool = True  # divide the step of a feature by its expected number of lists
    average: bool = True  # average the weights over epochs

    def __post_init__(self) -> None:
        OnlineOptions.__post_init__(self)
        NeighbourOptions.__post_init__(self)
        LengthOptions.__post_init__(self)
        positive(step=self.step, cost=self.cost)
        if not 0 <= self.step * self.l2 < 1:
            raise DemoticError(
                f"step x l2 must be at least 0 and below 1 (got {self.step} x {self.l2})",
                hint="lower step or l2",
            )

    @property
    def averaged(self) -> bool:
        """As the option says."""
        return self.average


class SgdRule(OnlineRule):
    """A step along the gradient per sentence.

    The weights are `scale` x `weights.values`, so that l2 shrinks all of them by one multiplication; they are multiplied out at
    the end. The decoder finds the same translations with either, and list scores are scaled here. In an epoch the scale
    does not fall below (1 - l2 x step / n)^n.
    """

    def __init__(self, options: SgdOptions, weights: Weights, size: DataSize) -> None:
        super().__init__(weights)
        self._options = options
        self._candidates = Candidates(options, options.metric)
        self._learnable = _core.LearnableFeatures(options.learn)
        self._frequency = ExtractionFrequency(size) if options.condition else None
        self._scale = 1.0
        self._shrinkage = 1.0 - options.step * options.l2 / max(1, size.sentences)
        self._neighbours = options.neighbours(Chains())
        # Twice as far would oscillate: the second derivative of linear neighbour regularisation is at most 8 beta.
        self._neighbour_step = min(options.step, 1 / (8 * max(options.beta, 1e-9)))

    @abstractmethod
    def loss_and_gradient(
        self, kbest: KBest, scores: npt.NDArray[np.float64], costs: npt.NDArray[np.float64]
    ) -> Gradient:
        """Loss of a list and its gradient.

        Args:
            kbest: hypotheses.
            scores: weights . features of each.
            costs: how bad each is.
        """

    def learn(self, example: Example, graph: Hypergraph, seed: int, statistics: EpochStatistics) -> None:
        """One step."""
        kbest = self._candidates.rated(example, graph, seed, statistics, self._scale)
        if not kbest.teaches():
            statistics.skipped += 1
            return
        costs = self._options.cost * (1.0 - kbest.metric)
        loss, ids, gradient = self.loss_and_gradient(kbest, self._scale * kbest.scores, costs)
        self._learnable.classify(self.weights.index)
        self._shrink()
        self._descend(graph, ids, gradient)
        self._pull_neighbours()
        statistics.loss += loss
        statistics.updates += len(ids) > 0

    def finish(self, statistics: EpochStatistics) -> None:
        """Multiply the weights out."""
        self.weights.values *= self._scale
        self._scale = 1.0

    def _shrink(self) -> None:
        """The share of this sentence in the regulariser, for the weights that may change."""
        learn, values = self._options.learn, self.weights.values
        if learn != "dense":
            self._scale *= self._shrinkage
        if learn != "all":
            dense = self._learnable.dense
            dense = dense[dense < len(values)]
            values[dense] *= self._shrinkage if learn == "dense" else 1.0 / self._shrinkage

    def _pull_neighbours(self) -> None:
        """A step along the gradient of the regulariser of bins."""
        if self._neighbours is None or self._options.learn == "dense":
            return
        self._neighbours.bins.extend(self.weights.index)
        _, gradient = self._neighbours(self._scale * self.weights.values)
        self.weights.values -= self._neighbour_step / self._scale * gradient

    def _descend(
        self, graph: Hypergraph, ids: npt.NDArray[np.uint32], gradient: npt.NDArray[np.float64]
    ) -> None:
        steps = np.where(self._learnable.mask(ids), self._options.step / self._scale, 0.0)
        if self._frequency is not None:
            self._frequency.observe(graph, self.weights.index)
            steps /= self._frequency.expected_lists(ids)
        self.weights.grow()
        self.weights.values[ids] -= steps * gradient
