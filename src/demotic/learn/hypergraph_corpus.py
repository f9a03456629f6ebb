"""Line search over all derivations of the hypergraphs, without k-best lists: Kumar, Macherey, Dyer and Och (2009)."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from demotic import _core
from demotic.cluster import Executor
from demotic.evaluate import References
from demotic.features import FeatureIndex, Weights
from demotic.learn.basis import Basis, Vector
from demotic.learn.decoding import DecodingContext, DecodingJob
from demotic.learn.shards import Shard


@dataclass(frozen=True)
class CurveWork:
    """A shard, and a point and directions in weight space (packed weights).

    The hypergraphs are those of the weights that are broadcast, whatever the point: decoding again is cheaper than sending or
    keeping them.
    """

    shard: Shard
    point: bytes
    directions: tuple[bytes, ...]

    def run(self, context: DecodingContext, weights: bytes) -> bytes:
        """For each direction and sentence: where each best derivation begins, and its statistics."""
        own = Weights.unpack(weights)
        decoder = context.decoder(own, self.shard)
        point = Weights.unpack(self.point, own.index)
        directions = [Weights.unpack(each, own.index) for each in self.directions]
        curves: list[list[tuple[npt.NDArray[np.float64], npt.NDArray[np.int32]]]] = [[] for _ in directions]
        for example in self.shard.examples:
            graph = decoder.decode(example).rescore(point)
            references = References(example.reference_words())
            for direction, found in zip(directions, curves, strict=True):
                found.append(
                    _core.hypergraph_curve(graph.native, own.index, direction.values, references.native)
                )
        return _pack(curves)


class HypergraphCorpus:
    """Sentences whose hypergraphs are searched; `Searchable`.

    Args:
        executor: where they are decoded.
        job: with which model.
        shards: the sentences.
        weights: packed; what the hypergraphs are decoded with.
        basis: what a point means.
    """

    def __init__(
        self, executor: Executor, job: DecodingJob, shards: Sequence[Shard], weights: bytes, basis: Basis
    ) -> None:
        self._executor, self._job, self._shards = executor, job, shards
        self._weights, self._basis = weights, basis

    def search(self, point: Vector, directions: Vector) -> Sequence[_core.Optimum]:
        """The best interval along each direction."""
        packed = tuple(self._basis.weights(direction, FeatureIndex()).pack() for direction in directions)
        origin = self._basis.weights(point, FeatureIndex()).pack()
        work = [CurveWork(shard, origin, packed) for shard in self._shards]
        parts = [_unpack(message) for message in self._executor.map(self._job, work, self._weights)]
        optima = []
        for d in range(len(directions)):
            sizes = np.concatenate([part[d][0] for part in parts])
            begins = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
            rows_from = np.concatenate([part[d][1] for part in parts])
            statistics = np.concatenate([part[d][2] for part in parts])
            optima.append(_core.sweep_curves(begins, rows_from, statistics))
        return optima

    def score(self, point: Vector) -> float:
        """BLEU at a point, 0 to 1: along a direction that leads nowhere."""
        return self.search(point, np.zeros((1, len(point))))[0].score


_Arrays = tuple[npt.NDArray[np.int64], npt.NDArray[np.float64], npt.NDArray[np.int32]]


def _pack(curves: list[list[tuple[npt.NDArray[np.float64], npt.NDArray[np.int32]]]]) -> bytes:
    arrays: dict[str, npt.NDArray[np.generic]] = {}
    for d, found in enumerate(curves):
        arrays[f"sizes{d}"] = np.array([len(rows_from) for rows_from, _ in found], dtype=np.int64)
        arrays[f"from{d}"] = np.concatenate([rows_from for rows_from, _ in found])
        arrays[f"statistics{d}"] = np.concatenate([statistics for _, statistics in found])
    buffer = io.BytesIO()
    np.savez(buffer, allow_pickle=False, **arrays)
    return buffer.getvalue()


def _unpack(message: bytes) -> list[_Arrays]:
    with np.load(io.BytesIO(message), allow_pickle=False) as arrays:
        count = len(arrays.files) // 3
        return [(arrays[f"sizes{d}"], arrays[f"from{d}"], arrays[f"statistics{d}"]) for d in range(count)]
