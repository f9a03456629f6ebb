"""Online learning: one epoch over one shard, with any rule that learns from the translations of one sentence."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from demotic import _core
from demotic.corpus.splits import random_order
from demotic.decode import Hypergraph
from demotic.features import Weights
from demotic.learn.options import OnlineOptions
from demotic.learn.task import Example
from demotic.learn.workers.decoding import DecodingContext
from demotic.learn.workers.epoch_statistics import EpochStatistics
from demotic.learn.workers.shards import Shard


@dataclass(frozen=True)
class DataSize:
    """How much there is to learn from.

    Attributes:
        sentences: that the rule will see in an epoch: those of its shard.
        corpus: sentence pairs that the rules of the grammar were extracted from.
    """

    sentences: int
    corpus: int


@dataclass(frozen=True)
class Stretch:
    """What is learnt before weights are looked at from outside: an epoch, or one of several parts of it.

    Attributes:
        epoch: from 0.
        part: from 0.
        parts: as many as the epoch has.
    """

    epoch: int
    part: int = 0
    parts: int = 1

    @property
    def name(self) -> str:
        """For stages: `epoch001`, or `epoch001.01` of several."""
        part = f".{self.part + 1:0{len(str(self.parts))}}" if self.parts > 1 else ""
        return f"epoch{self.epoch + 1:03}{part}"


@dataclass(frozen=True)
class EpochResult:
    """Weights at the end of an epoch, packed; with gradient-based selection also what inactive features would have gained."""

    weights: bytes
    gradient: bytes
    statistics: EpochStatistics


class OnlineRule(ABC):
    """Learns from one sentence at a time, changing weights in place.

    Args:
        weights: over the index that numbers the features of the lists; `weights.grow()` makes room for new ones.
    """

    gradient: npt.NDArray[np.float64] = np.zeros(0)  # of features that may not have a weight yet, by id

    def __init__(self, weights: Weights) -> None:
        self.weights = weights

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


class RuleOptions(OnlineOptions, ABC):
    """Options of an online learner: they make its rule."""

    @abstractmethod
    def rule(self, weights: Weights, size: DataSize) -> OnlineRule:
        """A rule without memory that starts from these weights."""

    def first(self, weights: Weights) -> Weights:
        """Where to start, given the weights of a model."""
        return weights


def run_epoch(
    context: DecodingContext,
    shard: Shard,
    start: bytes,
    options: RuleOptions,
    *,
    stretch: Stretch,
    seed: int,
) -> EpochResult:
    """The two inner loops of algorithms 1 to 4: decode each example with the current weights, then learn from it.

    The result is a function of the arguments: features get their ids here, in the order of names and then of appearance.
    """
    weights = Weights.unpack(start)
    rule = options.rule(weights, DataSize(len(shard.examples), context.corpus_size))
    decoder = context.decoder(weights, shard)
    statistics = EpochStatistics()
    epoch = stretch.epoch
    for position in np.array_split(_order(shard, options.shuffle, epoch, seed), stretch.parts)[stretch.part]:
        example = shard.examples[position]
        number = position if example.number is None else example.number
        draw = int(np.random.SeedSequence((seed, epoch, number)).generate_state(1, np.uint64)[0])
        started = time.perf_counter()
        graph = decoder.decode(example)
        decoded = time.perf_counter()
        rule.learn(example, graph, draw, statistics)
        statistics.sentences += 1
        statistics.decoding += decoded - started
        statistics.learning += time.perf_counter() - decoded
    started = time.perf_counter()
    rule.finish(statistics)
    statistics.learning += time.perf_counter() - started
    gradient = _core.pack_weights(weights.index, rule.gradient) if len(rule.gradient) else b""
    return EpochResult(weights.pack(), gradient, statistics)


def _order(shard: Shard, shuffle: bool, epoch: int, seed: int) -> npt.NDArray[np.int64]:
    """The order of the examples: that of the data, or a random one for this shard and epoch."""
    size = len(shard.examples)
    if not shuffle:
        return np.arange(size)
    key = np.random.SeedSequence((seed, epoch, shard.number)).generate_state(1, np.uint64)[0]
    return random_order(size, int(key))
