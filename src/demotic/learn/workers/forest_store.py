"""Hypergraphs that are kept on disk from an epoch that decodes to those that only rescore."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from demotic import _core
from demotic.base.errors import DemoticError
from demotic.base.files import atomic_write_bytes, make_folder
from demotic.decode import Hypergraph
from demotic.learn.task import Example
from demotic.learn.workers.decoding import ShardDecoder
from demotic.learn.workers.epoch_statistics import EpochStatistics
from demotic.learn.workers.state import State


@dataclass(frozen=True)
class ForestName:
    """What a file of hypergraphs belongs to.

    Attributes:
        shard: its number.
        part: of the epoch that decoded, from 0.
        epoch: name of that epoch, or of its part.
        start: digest of the state that it began with.
    """

    shard: int
    part: int
    epoch: str
    start: str


@dataclass(frozen=True)
class ForestStore:
    """A folder with a file of hypergraphs for each shard, and the state that the epoch began with which decoded them.

    Small, so that it can travel. A file is replaced when its shard is decoded anew.

    Attributes:
        folder: where workers write and read.
        key: what the hypergraphs depend on besides that state.
        sentence_bytes: disk space for a sentence: that of a file is this times its sentences, whatever other workers do.
    """

    folder: Path
    key: str
    sentence_bytes: float

    def writer(self, name: ForestName, sentences: int) -> _core.ForestFileWriter:
        """A new file in place of an older one, which makes room first."""
        path = self._path(name)
        make_folder(self.folder)
        path.unlink(missing_ok=True)
        limit = int(self.sentence_bytes * sentences)
        return _core.ForestFileWriter(str(path), self._key(name), limit)

    def open(self, name: ForestName) -> _core.ForestFile | None:
        """A file that was written; None if it is absent, damaged, or of another run or epoch."""
        try:
            return _core.ForestFile(str(self._path(name)), self._key(name))
        except DemoticError:
            return None

    def save_start(self, part: int, state: State) -> None:
        """Remember the state that a part of the epoch begins with, so that it can be repeated."""
        make_folder(self.folder)
        with atomic_write_bytes(self._start(part)) as file:
            file.write(state.pack())

    def load_start(self, name: ForestName) -> State:
        """The state that the epoch began with which wrote a file."""
        state = State.unpack(self._start(name.part).read_bytes())
        if state.digest() != name.start:
            raise DemoticError("these are not the weights that the epoch began with", self._start(name.part))
        return state

    def _path(self, name: ForestName) -> Path:
        return self.folder / f"{name.shard:05}.{name.part}.forests"

    def _start(self, part: int) -> Path:
        return self.folder / f"start.{part}.packed"

    def _key(self, name: ForestName) -> str:
        return f"{self.key} {name.epoch} {name.shard} {name.start}"


class DecodedGraphs:
    """The hypergraphs of an epoch that decodes.

    Args:
        decoder: for the shard.
        writer: keeps them; None: they are not kept.
        edges: of those that are kept.
        strings: different translations that come first when edges are chosen.
    """

    def __init__(
        self, decoder: ShardDecoder, writer: _core.ForestFileWriter | None, edges: int, strings: int
    ) -> None:
        self._decoder, self._writer = decoder, writer
        self._size = (edges, strings)

    def graph(self, place: int, example: Example, statistics: EpochStatistics) -> Hypergraph:
        """The derivations of the example at a place of the shard."""
        graph = self._decoder.decode(example)
        if self._writer is not None:
            self._writer.add(place, graph.prune_to(*self._size).native)
        return graph

    def finish(self) -> None:
        """All examples have been seen: the file appears."""
        if self._writer is not None:
            self._writer.finish()


class KeptGraphs:
    """The hypergraphs of an epoch that rescores those of an earlier one; examples without one are decoded.

    Args:
        decoder: for the shard.
        files: of the shard, one for each part of the epoch that decoded.
    """

    def __init__(self, decoder: ShardDecoder, files: list[_core.ForestFile]) -> None:
        self._decoder, self._files = decoder, files

    def graph(self, place: int, example: Example, statistics: EpochStatistics) -> Hypergraph:
        """The derivations of the example at a place of the shard."""
        for file in self._files:
            if packed := file.find(place):
                statistics.rescored += 1
                return self._decoder.unpack(packed, example)
        return self._decoder.decode(example)

    def finish(self) -> None:
        """Nothing is left to do."""
