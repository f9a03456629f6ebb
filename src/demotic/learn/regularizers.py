"""What a loss is added to keep weights small, or close to something."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

Vector = npt.NDArray[np.float64]


class Regularizer(Protocol):
    """A differentiable function of the weights; any number of them can be added to a loss."""

    def __call__(self, weights: Vector) -> tuple[float, Vector]:
        """Its value and its gradient."""


@dataclass(frozen=True)
class L2:
    """strength x ||w||^2."""

    strength: float

    def __call__(self, weights: Vector) -> tuple[float, Vector]:
        """Its value and its gradient."""
        return self.strength * float(weights @ weights), 2 * self.strength * weights


@dataclass(frozen=True)
class PullTo:
    """strength x ||w - target||^2: towards the weights of the iteration before, say."""

    strength: float
    target: Vector

    def __call__(self, weights: Vector) -> tuple[float, Vector]:
        """Its value and its gradient."""
        distance = weights - self.target
        return self.strength * float(distance @ distance), 2 * self.strength * distance
