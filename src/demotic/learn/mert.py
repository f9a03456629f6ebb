"""Minimum error rate training on accumulated k-best lists (Och 2003)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from demotic import _core
from demotic.features import Weights
from demotic.learn.line_search import MertOptions, Vector, mert, normalized
from demotic.learn.pool import KBestPool


class ListCorpus:
    """Lists of hypotheses with dense features, to be searched.

    Args:
        features: shape (hypotheses, dimensions).
        begins: where the hypotheses of each sentence begin, and the end.
        statistics: shape (hypotheses, 10).
        threads: the result does not depend on them.
    """

    def __init__(self, features: Vector, pool: KBestPool, threads: int) -> None:
        self._native = _core.LineSearch(np.ascontiguousarray(features), pool.begins, pool.statistics)
        self._threads = threads

    def search(self, point: Vector, directions: Vector) -> Sequence[_core.Optimum]:
        """The best interval along each direction."""
        return self._native.search(point, np.ascontiguousarray(directions), self._threads)

    def score(self, point: Vector) -> float:
        """BLEU at a point, 0 to 1."""
        return self._native.score(point)


@dataclass(frozen=True)
class MertOptimizer:
    """Finds dense weights; the sparse features that have weights take part as one feature, their sum."""

    options: MertOptions
    threads: int = 1

    def optimize(self, pool: KBestPool, weights: Weights, seed: int) -> tuple[Weights, float]:
        """New weights over the pool's index, and the BLEU of the lists under them, 0 to 1."""
        names = [pool.index.name(i) for i in range(len(pool.index))]
        dense = sorted(name for name in names if ":" not in name)
        sparse = Weights(pool.index, [0.0 if ":" not in name else weights.get(name) for name in names])
        columns = [pool.dense(dense)]
        point = [weights.get(name) for name in dense]
        if len(sparse):
            columns.append(pool.scores(sparse)[:, None])
            point.append(1.0)
        corpus = ListCorpus(np.concatenate(columns, axis=1), pool, self.threads)
        result = mert(corpus, np.array(point), self.options, seed)
        found = normalized(result.weights)
        tuned = Weights(pool.index, sparse.values * (found[-1] if len(sparse) else 0.0))
        for name, value in zip(dense, found, strict=False):
            tuned.set(name, float(value))
        return tuned, result.score
