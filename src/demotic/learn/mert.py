"""Minimum error rate training on accumulated k-best lists (Och 2003)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from demotic import _core
from demotic.base.parallel import default_threads
from demotic.features import Weights
from demotic.learn.basis import Basis, FeatureSplit
from demotic.learn.batch_options import BatchOptions, Optimizer, Optimum
from demotic.learn.line_search import ClimbOptions, Vector, mert, normalized
from demotic.learn.pool import KBestPool


class ListCorpus:
    """Lists of hypotheses with dense features, to be searched.

    Args:
        features: shape (hypotheses, dimensions).
        pool: where the hypotheses come from.
    """

    def __init__(self, features: Vector, pool: KBestPool) -> None:
        self._native = _core.LineSearch(np.ascontiguousarray(features), pool.begins, pool.statistics)
        self._threads = default_threads()  # no influence on the result

    def search(self, point: Vector, directions: Vector) -> Sequence[_core.Optimum]:
        """The best interval along each direction."""
        return self._native.search(point, np.ascontiguousarray(directions), self._threads)

    def score(self, point: Vector) -> float:
        """BLEU at a point, 0 to 1."""
        return self._native.score(point)


@dataclass(frozen=True)
class MertOptions(BatchOptions, ClimbOptions):
    """Minimum error rate training; defaults as in the usual implementations."""

    iterations: int = 10
    start: Literal["model", "zero", "random"] = "random"

    def __post_init__(self) -> None:
        BatchOptions.__post_init__(self)
        ClimbOptions.__post_init__(self)

    def optimizer(self) -> Optimizer:
        """Line searches on the lists of the pool."""
        return MertOptimizer(self)


@dataclass(frozen=True)
class MertOptimizer:
    """Finds dense weights; the sparse features that have weights take part as one feature, their sum.

    Attributes:
        options: of the climb.
        split: which features are dense.
    """

    options: ClimbOptions
    split: FeatureSplit = field(default_factory=FeatureSplit)

    def optimize(self, pool: KBestPool, weights: Weights, seed: int, iteration: int) -> Optimum:
        """Weights that add up to 1 in magnitude, with the BLEU of the lists under them."""
        dense = self.split.dense_names(pool.index)
        has_sparse = len(weights) > sum(weights.get(name) != 0 for name in dense)
        basis = Basis(dense, [weights.copy()] if has_sparse else [])
        corpus = ListCorpus(basis.features(pool), pool)
        start = basis.point(weights, [1.0] * len(basis.sparse))
        result = mert(corpus, start, self.options, chance(seed, iteration))
        return Optimum(
            basis.weights(normalized(result.weights), pool.index), {"pool_bleu": 100 * result.score}
        )


def chance(seed: int, iteration: int) -> int:
    """The seed of one iteration."""
    return int(np.random.SeedSequence((seed, iteration)).generate_state(1)[0])
