"""Line search over all derivations of the hypergraphs, without k-best lists: Kumar, Macherey, Dyer and Och (2009).

Hypergraphs do not travel: the worker that decodes a block of sentences keeps its hypergraphs (`GraphCache`) and sends what the line
search needs to know, a curve for each sentence. A worker that does not have them, because they are too many or because the block
went to another one before, decodes the block again, with the same result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from demotic import _core
from demotic.cluster import Executor
from demotic.evaluate import Metric, References
from demotic.features import FeatureIndex, PackedWeights, Weights
from demotic.learn.batch.basis import Basis, Vector
from demotic.learn.workers.decoding import DecodingContext, DecodingJob
from demotic.learn.workers.graph_cache import Graphs
from demotic.learn.workers.message import Message
from demotic.learn.workers.shards import Shard


@dataclass(frozen=True)
class GraphOptions:
    """Which hypergraphs are searched."""

    density: int = 50  # edges per source word, those of the best derivations; 0: all
    kept: int = 10_000  # hypergraphs that a process keeps between searches; no influence on the result


@dataclass(frozen=True)
class BlockOfGraphs:
    """A block of sentences, and how its hypergraphs are made."""

    shard: Shard
    options: GraphOptions

    def graphs(self, context: DecodingContext, weights: PackedWeights) -> Graphs:
        """Of each sentence, decoded with these packed weights; all have one feature index."""
        return context.graphs.get(
            weights.digest(), self.shard.number, self.options.kept, lambda: self._decode(context, weights)
        )

    def _decode(self, context: DecodingContext, weights: PackedWeights) -> Graphs:
        decoder = context.decoder(Weights.unpack(weights), self.shard)
        graphs = (decoder.decode(example) for example in self.shard.examples)
        density = self.options.density
        return [graph.prune_to(density * len(graph.sentence)) if density else graph for graph in graphs]


@dataclass(frozen=True)
class BestWork:
    """Statistics of the best translation of each sentence of a block; its hypergraphs are kept."""

    block: BlockOfGraphs
    objective: Metric

    @property
    def shard(self) -> Shard:
        """The sentences."""
        return self.block.shard

    def run(self, context: DecodingContext, weights: PackedWeights) -> Message:
        """With these packed weights."""
        rows = [
            self.objective.statistics(References(example.reference_words()), graph.viterbi())
            for example, graph in zip(
                self.block.shard.examples, self.block.graphs(context, weights), strict=True
            )
        ]
        return Message(arrays={"statistics": np.concatenate(rows).astype(np.int32)})


@dataclass(frozen=True)
class CurveWork:
    """A block whose sentences are searched along the `Lines` that are broadcast."""

    block: BlockOfGraphs
    objective: Metric

    def run(self, context: DecodingContext, lines: Lines) -> Message:
        """For each direction and sentence: where each best derivation begins, and its statistics."""
        context.graphs.keep_only([weights.digest() for weights in lines.decoded_with])
        versions = [_Scored(self.block.graphs(context, each), lines) for each in lines.decoded_with]
        curves: list[list[_Curve]] = [[] for _ in lines.directions]
        metric = self.objective.native
        for i, example in enumerate(self.block.shard.examples):
            references = References(example.reference_words()).native
            graphs = [version.at_the_point(i) for version in versions]
            for d, found in enumerate(curves):
                slopes = [version.slopes(i, d) for version in versions]
                found.append(_core.hypergraph_curve(graphs, slopes, references, metric))
        return _message(curves)


@dataclass(frozen=True)
class Lines:
    """Where to search: packed weights.

    Attributes:
        decoded_with: what the hypergraphs are decoded with; those of one sentence are searched together.
        point: where all lines begin.
        directions: of each line.
    """

    decoded_with: tuple[PackedWeights, ...]
    point: PackedWeights
    directions: tuple[PackedWeights, ...]


class _Scored:
    """The hypergraphs of a block under the point and the directions of lines."""

    def __init__(self, graphs: Graphs, lines: Lines) -> None:
        self._graphs = graphs
        index = graphs[0].index
        self._point = Weights.unpack(lines.point, index)
        self._directions = [Weights.unpack(each, index) for each in lines.directions]

    def at_the_point(self, i: int) -> _core.Hypergraph:
        return self._graphs[i].rescore(self._point).native

    def slopes(self, i: int, d: int) -> npt.NDArray[np.float64]:
        """Of the score of each edge of sentence i along direction d."""
        scores: npt.NDArray[np.float64] = self._graphs[i].rescore(self._directions[d]).native.edge_scores
        return scores


class HypergraphCorpus:
    """Sentences whose hypergraphs are searched; `Searchable`.

    Args:
        executor: where they are decoded.
        job: with which model.
        blocks: the sentences.
        decoded_with: packed weights.
        basis: what a point means.
        objective: what is searched for.
    """

    def __init__(
        self,
        executor: Executor,
        job: DecodingJob,
        blocks: Sequence[BlockOfGraphs],
        decoded_with: Sequence[PackedWeights],
        basis: Basis,
        objective: Metric,
    ) -> None:
        self._executor, self._job = executor, job
        self._work = [CurveWork(block, objective) for block in blocks]
        self._decoded_with, self._basis, self._objective = tuple(decoded_with), basis, objective

    def search(self, point: Vector, directions: Vector) -> Sequence[_core.Optimum]:
        """The best interval along each direction."""
        lines = Lines(self._decoded_with, self._packed(point), tuple(map(self._packed, directions)))
        parts = [Message.unpack(packed).arrays for packed in self._executor.map(self._job, self._work, lines)]
        optima = []
        for d in range(len(directions)):
            sizes = np.concatenate([part[f"sizes{d}"] for part in parts])
            begins = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
            rows_from = np.concatenate([part[f"from{d}"] for part in parts])
            statistics = np.concatenate([part[f"statistics{d}"] for part in parts])
            optima.append(_core.sweep_curves(begins, rows_from, statistics, self._objective.native))
        return optima

    def score(self, point: Vector) -> float:
        """The objective at a point: along a direction that leads nowhere."""
        return self.search(point, np.zeros((1, len(point))))[0].score

    def _packed(self, point: Vector) -> PackedWeights:
        return self._basis.weights(point, FeatureIndex()).pack()


_Curve = tuple[npt.NDArray[np.float64], npt.NDArray[np.int32]]


def _message(curves: list[list[_Curve]]) -> Message:
    """The curves of all sentences, for each direction."""
    arrays: dict[str, npt.NDArray[Any]] = {}
    for d, found in enumerate(curves):
        arrays[f"sizes{d}"] = np.array([len(rows_from) for rows_from, _ in found], dtype=np.int64)
        arrays[f"from{d}"] = np.concatenate([rows_from for rows_from, _ in found])
        arrays[f"statistics{d}"] = np.concatenate([statistics for _, statistics in found])
    return Message(arrays=arrays)
