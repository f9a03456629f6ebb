"""The structured support vector machine online: figure 1 of Flanigan, Dyer and Carbonell (2013).

The loss of a sentence is how far fear, with its cost on top of its score, lies above hope; each is chosen by the current weights:
max_y (w . f(y) + cost(y)) - (w . f(hope) + cost(hope)),  hope = argmax_y w . f(y) - cost(y).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from demotic import _core
from demotic.decode import KBest
from demotic.features import Weights
from demotic.learn.online.rule import DataSize, OnlineRule
from demotic.learn.online.sgd import Gradient, SgdOptions, SgdRule


@dataclass(frozen=True)
class SvmOptions(SgdOptions):
    """Structured SVM by stochastic gradient descent, started from the weights of the model.

    `report_every` with watched sets shows how quality moves within a pass.
    """

    k: int = 250
    epochs: int = 5
    step: float = 0.001
    condition: bool = False

    def rule(self, weights: Weights, size: DataSize) -> OnlineRule:
        """A step per sentence."""
        return SvmRule(self, weights, size)


class SvmRule(SgdRule):
    """From fear to hope."""

    def loss_and_gradient(
        self, kbest: KBest, scores: npt.NDArray[np.float64], costs: npt.NDArray[np.float64]
    ) -> Gradient:
        """Of the margin-rescaled hinge loss: f(fear) - f(hope)."""
        hope, fear = int(np.argmax(scores - costs)), int(np.argmax(scores + costs))
        loss = float((scores + costs)[fear] - (scores + costs)[hope])
        coefficients = np.zeros(len(kbest))
        coefficients[hope] -= 1.0
        coefficients[fear] += 1.0
        return loss, *_core.combine_rows(kbest.native, coefficients)
