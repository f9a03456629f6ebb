"""A few numbers that stand for all weights, so that line searches can handle them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from demotic.features import FeatureIndex, Weights
from demotic.learn.batch.pool import KBestPool

Vector = npt.NDArray[np.float64]


class Basis:
    """Every dense feature has a number of its own; sparse ones share a number for each of a few vectors.

    With the vector of the sparse weights, line search scales them as a whole. With a gradient beside it, line search also finds the
    step along the gradient: the features f1 = ws . fs and f2 = g . fs of Flanigan, Dyer and Carbonell (2013), section 5.1.

    Args:
        dense: names; everything else is sparse.
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
        for vector, coefficient in zip(self.sparse, point[len(self.dense) :], strict=True):
            own = self._sparse_part(vector, index)
            result.grow()
            result.values += float(coefficient) * own
        for name, value in zip(self.dense, point, strict=False):
            result.set(name, float(value))
        return result

    def coefficients(self, weights: Weights) -> list[float]:
        """Of the vectors, for weights that are a sum of them; for others those of the nearest sum."""
        index = FeatureIndex()
        rows = [self._sparse_part(each, index) for each in (weights, *self.sparse)]
        target, *vectors = (np.pad(row, (0, len(index) - len(row))) for row in rows)
        matrix = np.array(vectors).reshape(len(vectors), len(index))
        # The small system of the normal equations: millions of rows would be slow, and a vector twice has no unique answer.
        return list(map(float, np.linalg.lstsq(matrix @ matrix.T, matrix @ target, rcond=None)[0]))

    def features(self, pool: KBestPool) -> Vector:
        """The value of every number's feature for every hypothesis of a pool, shape (hypotheses, len(self))."""
        vectors = [Weights(pool.index, self._sparse_part(vector, pool.index)) for vector in self.sparse]
        columns = [pool.dense(self.dense), *(pool.scores(vector)[:, None] for vector in vectors)]
        return np.concatenate(columns, axis=1)

    def _sparse_part(self, vector: Weights, index: FeatureIndex) -> Vector:
        """Values by the ids of an index, to which new names are added."""
        own = Weights.unpack(vector.pack(), index)
        ids = [id_ for id_ in map(index.find, self.dense) if id_ is not None and id_ < len(own.values)]
        own.values[ids] = 0.0
        return own.values
