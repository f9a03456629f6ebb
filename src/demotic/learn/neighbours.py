"""Structured regularisation of bins: neighbours have similar weights (Clark, Dyer and Lavie 2014, sections 4.2 and 4.3).

Bins of one feature form a chain, in the order of their values; no chain goes from one feature to another. Their first and last
bins are neighbours of one bin only, and only appear in the terms of those.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from demotic.base.checks import at_least, positive
from demotic.features import FeatureIndex
from demotic.features.binning import chains, is_bin
from demotic.learn.regularizers import Vector

_FAR = 600.0  # x / sinh x is less than any other number that matters


@dataclass(frozen=True)
class NeighbourOptions:
    """Regularisation of bins, for any learner that follows a gradient.

    `beta` stands beside the mean loss, of a sentence or (PRO) of a pair, so it means the same whatever their number.
    """

    regularizer: Literal["none", "lnr", "mnr"] = (
        "none"  # of bins: lnr (linear) or mnr (monotone neighbour regularisation)
    )
    beta: float = 5e-4  # strength of `regularizer`; 0.0005 corresponds to 1 on a sum over 2,000 sentences
    gamma: float = 2.0  # mnr: how steeply the penalty rises outside the range of the neighbours

    def __post_init__(self) -> None:
        at_least(0, beta=self.beta)
        positive(gamma=self.gamma)

    def neighbours(self, bins: Chains) -> LinearNeighbours | MonotoneNeighbours | None:
        """The regulariser of bins; None if there is none to be."""
        if self.regularizer == "none" or self.beta == 0:
            return None
        if self.regularizer == "lnr":
            return LinearNeighbours(bins, self.beta)
        return MonotoneNeighbours(bins, self.beta, self.gamma)


class Chains:
    """The bins of an index, by triples of neighbours.

    Args:
        index: looked at now; default: none yet.

    Attributes:
        left, middle, right: ids; triple t is three bins in a row of one feature.
    """

    def __init__(self, index: FeatureIndex | None = None) -> None:
        self.left = self.middle = self.right = np.zeros(0, dtype=np.int64)
        self._names: list[str] = []
        self._ids: list[int] = []
        self._seen = 0
        if index is not None:
            self.extend(index)

    def extend(self, index: FeatureIndex) -> None:
        """Take in the bins that were added to an index since the last call."""
        fresh = [(i, name) for i in range(self._seen, len(index)) if is_bin(name := index.name(i))]
        self._seen = len(index)
        if not fresh:
            return
        self._ids += [i for i, _ in fresh]
        self._names += [name for _, name in fresh]
        ids = np.array(self._ids, dtype=np.int64)
        found = [ids[chain] for chain in chains(self._names)]
        self.left = np.concatenate([chain[:-2] for chain in found])
        self.middle = np.concatenate([chain[1:-1] for chain in found])
        self.right = np.concatenate([chain[2:] for chain in found])

    def scatter(self, left: Vector, middle: Vector, right: Vector, size: int) -> Vector:
        """A gradient over all features from its parts in each triple."""
        ids = np.concatenate([self.left, self.middle, self.right])
        gradient = np.bincount(ids, np.concatenate([left, middle, right]), minlength=size)
        return gradient.astype(np.float64, copy=False)


@dataclass(frozen=True)
class LinearNeighbours:
    """LNR: beta times the sum of squares of the distance of a weight from the middle of its neighbours (equations 9 and 10).

    As beta grows, the weights of a feature's bins come to lie on a line.
    """

    bins: Chains
    beta: float

    def __call__(self, weights: Vector) -> tuple[float, Vector]:
        """Its value and its gradient."""
        left, middle, right = weights[self.bins.left], weights[self.bins.middle], weights[self.bins.right]
        distance = 0.5 * (left + right) - middle
        slope = self.beta * distance  # half of the derivative
        return self.beta * float(distance @ distance), self.bins.scatter(
            slope, -2 * slope, slope, len(weights)
        )


@dataclass(frozen=True)
class MonotoneNeighbours:
    """MNR: the same, damped where a weight lies between its neighbours (equations 12 and 13).

    With a = (w_l + w_r) / 2 - w_j and b = (w_l - w_r) / 2 a term is a^2 tanh^(2 gamma)(a / b). Where b is 0 it is a^2, its limit as
    b approaches 0: the neighbours are equal, and any other weight between them breaks the order. That settles 0/0 as well: all
    three are equal and the term is 0. The gradient approaches (2a, 0) in (a, b) there, so it is continuous.
    As beta and gamma grow, the weights of a feature's bins come to rise or to fall throughout.
    """

    bins: Chains
    beta: float
    gamma: float

    def __call__(self, weights: Vector) -> tuple[float, Vector]:
        """Its value and its gradient."""
        left, middle, right = weights[self.bins.left], weights[self.bins.middle], weights[self.bins.right]
        a, b = 0.5 * (left + right) - middle, 0.5 * (left - right)
        with np.errstate(divide="ignore", over="ignore"):
            ratio = np.divide(a, b, out=np.full_like(a, np.inf), where=b != 0)
        damping = np.abs(np.tanh(ratio)) ** (2 * self.gamma)
        # r times the derivative of tanh^(2 gamma) r, which is 2 gamma tanh^(2 gamma) r x 2r / sinh 2r.
        double = np.maximum(2 * np.abs(ratio), 1e-9)
        steep = np.where(
            double < _FAR, 2 * self.gamma * damping * double / np.sinh(np.minimum(double, _FAR)), 0.0
        )
        by_a = self.beta * a * (2 * damping + steep)
        by_b = self.beta * np.divide(-a * a * steep, b, out=np.zeros_like(a), where=b != 0)
        gradient = self.bins.scatter(0.5 * (by_a + by_b), -by_a, 0.5 * (by_a - by_b), len(weights))
        return self.beta * float(damping @ (a * a)), gradient
