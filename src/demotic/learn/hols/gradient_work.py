"""The gradient of the soft ramp over many sentences: a streaming sum whose memory grows with distinct features only."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field

import numpy as np
import numpy.typing as npt

from demotic.decode import KBest
from demotic.features import FeatureIndex, PackedWeights, Weights
from demotic.learn.online.soft_ramp import soft_ramp3
from demotic.learn.options import CandidateOptions
from demotic.learn.workers.candidates import Candidates
from demotic.learn.workers.decoding import DecodingContext
from demotic.learn.workers.epoch_statistics import EpochStatistics
from demotic.learn.workers.message import Message
from demotic.learn.workers.shards import Shard


@dataclass
class GradientSum:
    """Gradients of lists, added up.

    Attributes:
        gradient: their sum.
        lists: by feature, in how many lists it is not 0 in every hypothesis.
        statistics: loss and quality of the sentences.
    """

    gradient: Weights
    lists: Weights
    statistics: EpochStatistics = field(default_factory=EpochStatistics)

    @classmethod
    def empty(cls, index: FeatureIndex) -> GradientSum:
        """Nothing yet, over the features of an index."""
        return cls(Weights(index), Weights(index))

    def add_list(self, kbest: KBest, cost: float) -> None:
        """Take in one list with its metric; hypotheses cost `cost` x (1 - metric)."""
        present = np.unique(kbest.features[kbest.values != 0])
        self._add(self.lists, present, np.ones(len(present)))
        if not kbest.teaches():
            self.statistics.skipped += 1
            return
        loss, ids, values = soft_ramp3(kbest, cost * (1.0 - kbest.metric))
        self._add(self.gradient, ids, values)
        self.statistics.loss += loss
        self.statistics.updates += len(ids) > 0

    def add(self, message: Message) -> None:
        """Take in the sum of another worker."""
        for total, packed in (
            (self.gradient, message.weights["gradient"]),
            (self.lists, message.weights["lists"]),
        ):
            part = Weights.unpack(packed, self.gradient.index)
            total.grow()
            total.values[: len(part.values)] += part.values
        self.statistics.add(EpochStatistics(**message.figures["statistics"]))

    def message(self) -> Message:
        """As it travels."""
        vectors = {"gradient": self.gradient.pack(), "lists": self.lists.pack()}
        return Message({"statistics": asdict(self.statistics)}, weights=vectors)

    def conditioned(self) -> Weights:
        """The gradient divided by the number of lists in which the feature is not 0: section 5.2 of the paper."""
        self.gradient.grow()
        self.lists.grow()
        return Weights(self.gradient.index, self.gradient.values / np.maximum(self.lists.values, 1.0))

    def _add(self, total: Weights, ids: npt.NDArray[np.uint32], values: npt.NDArray[np.float64]) -> None:
        total.grow()
        total.values[ids] += values


@dataclass(frozen=True)
class GradientWork:
    """A shard whose sentences are decoded with the weights that are broadcast; the answer is a `GradientSum`.

    Attributes:
        shard: its examples.
        options: how many candidates, and how they are found.
        metric: of a sentence.
        cost: that a hypothesis has for a metric of 0.
        seed: of samples.
        update: also enters their seeds.
    """

    shard: Shard
    options: CandidateOptions
    metric: str
    cost: float
    seed: int
    update: int

    def run(self, context: DecodingContext, weights: PackedWeights) -> Message:
        """Decode with these packed weights."""
        own = Weights.unpack(weights)
        decoder = context.decoder(own, self.shard)
        total, found = GradientSum.empty(own.index), Candidates(self.options, self.metric)
        for position, example in zip(self.shard.positions.tolist(), self.shard.examples, strict=True):
            draw = np.random.SeedSequence((self.seed, self.update, position)).generate_state(1, np.uint64)
            graph = decoder.decode(example)
            total.add_list(found.rated(example, graph, int(draw[0]), total.statistics), self.cost)
            total.statistics.sentences += 1
        return total.message()
