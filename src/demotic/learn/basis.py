"""A few numbers that stand for all weights, so that line searches can handle them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from demotic.features import FeatureIndex, Weights
from demotic.learn.pool import KBestPool

Vector = npt.NDArray[np.float64]


class Basis:
    """Every dense feature has a number of its own; sparse ones share a number for each of a few vectors.

    With the vector of the sparse weights, line search scales them as a whole. With a gradient beside it, line search also finds the
    step along the gradient: the features f1 = ws . fs and f2 = g . fs of Flanigan, Dyer and Carbonell (2013), section 5.1.

    Args:
        dense: names.
        sparse: vectors, each over an index of its own or the same; their dense features are ignored.
    """

    def __init__(self, dense: Sequence[str], sparse: Sequence[Weights] = ()) -> None:
        self.dense = list(dense)
        self.sparse = list(sparse)

    def __len__(self) -> int:
        return len(self.dense) + len(self.sparse)

    def point(self, weights: Weights, coefficients: Sequence[float]) -> Vector:
        """The dense weights, then a coefficient for each vector."""
        return np.array([*(weights.get(name) for name in self.dense), *coefficients], dtype=np.float64)

    def weights(self, point: Vector, index: FeatureIndex) -> Weights:
        """The weights that a point stands for."""
        result = Weights(index)
        for name, value in zip(self.dense, point, strict=False):
            result.set(name, float(value))
        for vector, coefficient in zip(self.sparse, point[len(self.dense) :], strict=True):
            for name, value in vector.items():
                if is_sparse(name):
                    result.set(name, result.get(name) + float(coefficient) * value)
        return result

    def features(self, pool: KBestPool) -> Vector:
        """The value of every number's feature for every hypothesis of a pool, shape (hypotheses, len(self))."""
        columns = [pool.dense(self.dense)]
        for vector in self.sparse:
            own = Weights.from_dict(split(vector)[1], pool.index)
            columns.append(pool.scores(own)[:, None])
        return np.concatenate(columns, axis=1)


def is_sparse(name: str) -> bool:
    """Features of templates have a colon in their names, dense ones have none."""
    return ":" in name


def split(weights: Weights) -> tuple[dict[str, float], dict[str, float]]:
    """Dense and sparse weights by name, without zeros."""
    named = weights.to_dict()
    return {n: v for n, v in named.items() if not is_sparse(n)}, {
        n: v for n, v in named.items() if is_sparse(n)
    }
