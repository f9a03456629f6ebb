"""One epoch of online learning on one shard, and the work that a worker is sent for it."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass, replace

import numpy as np
import numpy.typing as npt

from demotic import _core
from demotic.base.errors import DemoticError
from demotic.corpus.splits import random_order
from demotic.features import PackedWeights, Weights
from demotic.learn.online.rule import DataSize, RuleOptions
from demotic.learn.workers.decoding import DecodingContext, ShardDecoder
from demotic.learn.workers.epoch_statistics import EpochStatistics
from demotic.learn.workers.forest_store import DecodedGraphs, ForestName, ForestStore, KeptGraphs
from demotic.learn.workers.message import Message
from demotic.learn.workers.shards import Shard
from demotic.learn.workers.state import State


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
        forests: keeps the hypergraphs of epochs that decode; None: all do.
        starts: digests of the states that the parts of the last such epoch began with, unless it is among `epochs`.
    """

    shard: Shard
    epochs: tuple[EpochPart, ...]
    options: RuleOptions
    seed: int
    forests: ForestStore | None = None
    starts: tuple[str, ...] = ()

    def run(self, context: DecodingContext, state: State) -> Message:
        """Learn from this state; of several epochs the answer is the mean of their weights, with the last gradient."""
        averages, statistics = _core.FeatureColumns(), []
        gradient = PackedWeights()
        starts: list[tuple[str, State | None]] = [(digest, None) for digest in self.starts]
        for part in self.epochs:
            files = None
            if self.forests is not None:
                if self.options.decodes(part.epoch):
                    starts = [(state.digest(), state)]
                else:
                    files = [
                        self._kept(context, self.forests, replace(part, part=number), *start)
                        for number, start in enumerate(starts)
                    ]
            state, gradient, seen = self._learn(context, state, part, files)
            averages.add(state.weights)
            statistics.append(asdict(seen))
        if len(self.epochs) > 1:
            state = replace(state, weights=PackedWeights(averages.select(_core.Selection())))
        return Message({"statistics": statistics}, weights={**state.parts(), "gradient": gradient})

    def _kept(
        self,
        context: DecodingContext,
        forests: ForestStore,
        part: EpochPart,
        start: str,
        state: State | None,
    ) -> _core.ForestFile:
        """Hypergraphs of the shard that a part of an earlier epoch decoded; if they are lost, that part is repeated."""
        decoding = replace(part, epoch=self.options.decoded_in(part.epoch))
        name = ForestName(self.shard.number, part.part, decoding.name, start)
        file = forests.open(name)
        if file is None:
            self._learn(context, forests.load_start(name) if state is None else state, decoding)
            file = forests.open(name)
        if file is None:
            raise DemoticError("hypergraphs vanish as soon as they are written", forests.folder)
        return file

    def _learn(
        self,
        context: DecodingContext,
        initial: State,
        part: EpochPart,
        files: list[_core.ForestFile] | None = None,
    ) -> tuple[State, PackedWeights, EpochStatistics]:
        """The two inner loops of algorithms 1 to 4: decode each example with the current weights, then learn from it.

        Kept hypergraphs are rescored instead of decoding. The result is a function of the arguments: features get their ids here,
        in the order of names and then of appearance.
        """
        weights, statistics = Weights.unpack(initial.weights), EpochStatistics()
        rule = self.options.rule(weights, DataSize(len(self.shard.examples), context.corpus_size))
        if initial.memory:
            rule.recall(initial.memory)
        positions = np.array_split(self._order(part.epoch), part.parts)[part.part].tolist()
        decoder = context.decoder(weights, self.shard, self.options.search)
        rule.use_forced(decoder.decode_reference)
        graphs = self._graphs(decoder, initial, part, len(positions), files)
        for position in positions:
            example = self.shard.examples[position]
            number = position if example.number is None else example.number
            draw = int(
                np.random.SeedSequence((self.seed, part.epoch, number)).generate_state(1, np.uint64)[0]
            )
            started = time.perf_counter()
            graph = graphs.graph(position, example, statistics)
            decoded = time.perf_counter()
            rule.learn(example, graph, draw, statistics)
            statistics.sentences += 1
            statistics.decoding += decoded - started
            statistics.learning += time.perf_counter() - decoded
        graphs.finish()
        started = time.perf_counter()
        rule.finish(statistics)
        statistics.learning += time.perf_counter() - started
        known = rule.gradient[: len(weights.index)]  # it has room for more
        gradient = Weights(weights.index, known).pack() if len(known) else PackedWeights()
        return State(weights.pack(), rule.memory()), gradient, statistics

    def _graphs(
        self,
        decoder: ShardDecoder,
        initial: State,
        part: EpochPart,
        sentences: int,
        files: list[_core.ForestFile] | None,
    ) -> DecodedGraphs | KeptGraphs:
        """Where the hypergraphs of a part of an epoch come from."""
        if files is not None:
            return KeptGraphs(decoder, files)
        writer = None
        if self.forests is not None and self.options.keeps(part.epoch):
            name = ForestName(self.shard.number, part.part, part.name, initial.digest())
            writer = self.forests.writer(name, sentences)
        return DecodedGraphs(decoder, writer, self.options.forest_edges, self.options.k)

    def _order(self, epoch: int) -> npt.NDArray[np.int64]:
        """The order of the examples: that of the data, or a random one for this shard and epoch."""
        size = len(self.shard.examples)
        if not self.options.shuffle:
            return np.arange(size)
        key = np.random.SeedSequence((self.seed, epoch, self.shard.number)).generate_state(1, np.uint64)[0]
        return random_order(size, int(key))
