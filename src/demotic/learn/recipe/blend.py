"""Weights between those that MERT has found on the dev set and those that AdaGrad has learnt on training pairs."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

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

    def digest(self) -> str:
        """Of both vectors."""
        return hashlib.blake2b(self.start + self.end, digest_size=16).hexdigest()

    def at(self, shares: Shares, onto: Weights | None = None) -> Weights:
        """The weights at these shares.

        Args:
            shares: of the way, for dense and for sparse features.
            onto: weights whose feature index is used; default: an index of its own.
        """
        first = Weights.unpack(self.start, onto.index if onto else None)
        second = Weights.unpack(self.end, first.index)
        first.grow()
        second.grow()
        dense = [first.index.intern(name) for name in FeatureSplit().dense_names(first.index)]
        values = first.values + shares.sparse * (second.values - first.values)
        values[dense] = first.values[dense] + shares.dense * (second.values[dense] - first.values[dense])
        return Weights(first.index, values)


def grid(dense: Sequence[float], sparse: Sequence[float]) -> list[Shares]:
    """The start of a blend, then all combinations of these shares in their order."""
    return list(dict.fromkeys([START, *(Shares(*pair) for pair in product(dense, sparse))]))
