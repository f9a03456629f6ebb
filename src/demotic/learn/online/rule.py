"""What an online learner does with one sentence: the part that differs from one to the other."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from demotic.decode import Hypergraph
from demotic.features import PackedWeights, Weights
from demotic.learn.options import OnlineOptions
from demotic.learn.task import Example
from demotic.learn.workers.epoch_statistics import EpochStatistics

ForcedDecoding = Callable[[Example, list[str]], Hypergraph | None]
"""All derivations of an example that yield a reference, given by its words; None if there is none."""


@dataclass(frozen=True)
class DataSize:
    """How much there is to learn from.

    Attributes:
        sentences: that the rule will see in an epoch: those of its shard.
        corpus: sentence pairs that the rules of the grammar were extracted from.
    """

    sentences: int
    corpus: int


class OnlineRule(ABC):
    """Learns from one sentence at a time, changing weights in place.

    Args:
        weights: over the index that numbers the features of the lists; `weights.grow()` makes room for new ones.
    """

    gradient: npt.NDArray[np.float64] = np.zeros(0)  # of features that may not have a weight yet, by id

    def __init__(self, weights: Weights) -> None:
        self.weights = weights

    def use_forced(self, decode: ForcedDecoding) -> None:  # noqa: B027 - most rules are given all they need
        """For rules that decode references on their own; called before the first sentence."""

    @abstractmethod
    def learn(self, example: Example, graph: Hypergraph, seed: int, statistics: EpochStatistics) -> None:
        """Learn from the derivations of an example; adds to `statistics` (pairs, errors, updates, metric of the 1-best).

        Args:
            example: with its references.
            graph: decoded with the current weights.
            seed: for everything random about this sentence in this epoch.
            statistics: sums of the epoch.
        """

    def finish(self, statistics: EpochStatistics) -> None:  # noqa: B027 - most rules are done after each sentence
        """The epoch ends; rules that wait with their updates make them here."""

    def memory(self) -> PackedWeights:
        """What the next epoch is to know of each feature beside its weight; shards are mixed in it as they are in weights."""
        return PackedWeights()

    def recall(self, memory: PackedWeights) -> None:  # noqa: B027 - most rules have none
        """Go on from the memory of the epoch before; called before the first sentence, if there is any."""


class RuleOptions(OnlineOptions, ABC):
    """Options of an online learner: they make its rule."""

    @abstractmethod
    def rule(self, weights: Weights, size: DataSize) -> OnlineRule:
        """A rule without memory that starts from these weights."""

    @property
    def averaged(self) -> bool:
        """Whether algorithm 1 returns the mean of the weights after each epoch, as printed, or the last ones."""
        return True

    def check_epoch(self, statistics: EpochStatistics) -> None:
        """Refuse data that nothing could be learnt from; called with the sums over all shards."""

    def initial(self, weights: Weights) -> Weights:
        """Where to start, given the weights of a model."""
        return weights
