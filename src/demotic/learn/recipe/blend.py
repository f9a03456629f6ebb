"""Weights between those that MERT has found on the dev set and those that AdaGrad has learnt on training pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from demotic.base.digests import digest_of
from demotic.features import PackedWeights, Weights
from demotic.learn.fitting.feature_split import FeatureSplit


@dataclass(frozen=True)
class Shares:
    """How far weights go from the first vector of a blend (0) to the second (1)."""

    dense: float
    sparse: float


START, END, MIDDLE = Shares(0.0, 0.0), Shares(1.0, 1.0), Shares(0.5, 0.5)


@dataclass(frozen=True)
class Blend:
    """Two weight vectors and all that lie between them.

    Sparse weights are worth something only where new text resembles the pairs that they were learnt on, and dense weights that suit the
    training pairs may not suit the dev set. So each kind goes its own share of the way.

    Attributes:
        start: weights of the first step.
        end: weights that were learnt from there, of the same length.
    """

    start: PackedWeights
    end: PackedWeights

    def moved(self, start: PackedWeights) -> Blend:
        """From other weights: the end is as far from them, feature by feature, as this end is from this start."""
        end = Weights.unpack(self.end)
        own, other = (Weights.unpack(each, end.index) for each in (self.start, start))
        for weights in (end, own, other):
            weights.grow()
        return Blend(start, Weights(end.index, end.values + (other.values - own.values)).pack())

    def digest(self) -> str:
        """Of both vectors."""
        return digest_of(self.start + self.end)


class Between:
    """The weights of a blend, with both ends unpacked once: names of millions of features are read once for any number of shares.

    Args:
        blend: its ends. All weights in between share one feature index.
    """

    def __init__(self, blend: Blend) -> None:
        self._start = Weights.unpack(blend.start)
        end = Weights.unpack(blend.end, self._start.index)
        self._start.grow()
        end.grow()
        self._step = end.values - self._start.values
        names = FeatureSplit().dense_names(self._start.index)
        self._dense = [self._start.index.intern(name) for name in names]

    def at(self, shares: Shares) -> Weights:
        """The weights at these shares of the way, for dense and for sparse features."""
        start, dense = self._start.values, self._dense
        values = start + shares.sparse * self._step
        values[dense] = start[dense] + shares.dense * self._step[dense]
        return Weights(self._start.index, values)


def grid(dense: Sequence[float], sparse: Sequence[float]) -> list[Shares]:
    """The start of a blend, then all combinations of these shares in their order."""
    return list(dict.fromkeys([START, *(Shares(*pair) for pair in product(dense, sparse))]))
