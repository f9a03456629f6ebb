"""One epoch of online learning on one shard, and the work that a worker is sent for it."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass

import numpy as np
import numpy.typing as npt

from demotic import _core
from demotic.corpus.splits import random_order
from demotic.features import PackedWeights, Weights
from demotic.learn.online.rule import DataSize, RuleOptions
from demotic.learn.workers.decoding import DecodingContext
from demotic.learn.workers.epoch_statistics import EpochStatistics
from demotic.learn.workers.message import Message
from demotic.learn.workers.shards import Shard


@dataclass(frozen=True)
class EpochPart:
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
class OnlineWork:
    """A shard, and what it learns in one go: an epoch (algorithms 1, 3 and 4), or all of them alone (algorithm 2).

    Attributes:
        shard: its examples.
        epochs: one after the other, without hearing of other shards.
        options: of the rule.
        seed: of everything random.
    """

    shard: Shard
    epochs: tuple[EpochPart, ...]
    options: RuleOptions
    seed: int

    def run(self, context: DecodingContext, weights: PackedWeights) -> Message:
        """Learn from these weights; of several epochs the answer is the mean of their weights, with the last gradient."""
        averages, statistics = _core.FeatureColumns(), []
        gradient = PackedWeights()
        for part in self.epochs:
            weights, gradient, seen = self._learn(context, weights, part)
            averages.add(weights)
            statistics.append(asdict(seen))
        if len(self.epochs) > 1:
            weights = PackedWeights(averages.select(_core.Selection()))
        return Message({"statistics": statistics}, weights={"weights": weights, "gradient": gradient})

    def _learn(
        self, context: DecodingContext, initial: PackedWeights, part: EpochPart
    ) -> tuple[PackedWeights, PackedWeights, EpochStatistics]:
        """The two inner loops of algorithms 1 to 4: decode each example with the current weights, then learn from it.

        The result is a function of the arguments: features get their ids here, in the order of names and then of appearance.
        """
        weights, statistics = Weights.unpack(initial), EpochStatistics()
        rule = self.options.rule(weights, DataSize(len(self.shard.examples), context.corpus_size))
        decoder = context.decoder(weights, self.shard)
        for position in np.array_split(self._order(part.epoch), part.parts)[part.part]:
            example = self.shard.examples[position]
            number = position if example.number is None else example.number
            draw = int(
                np.random.SeedSequence((self.seed, part.epoch, number)).generate_state(1, np.uint64)[0]
            )
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
        gradient = Weights(weights.index, rule.gradient).pack() if len(rule.gradient) else PackedWeights()
        return weights.pack(), gradient, statistics

    def _order(self, epoch: int) -> npt.NDArray[np.int64]:
        """The order of the examples: that of the data, or a random one for this shard and epoch."""
        size = len(self.shard.examples)
        if not self.options.shuffle:
            return np.arange(size)
        key = np.random.SeedSequence((self.seed, epoch, self.shard.number)).generate_state(1, np.uint64)[0]
        return random_order(size, int(key))
