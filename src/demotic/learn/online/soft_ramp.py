"""The soft ramp 3 loss of Gimpel and Smith (2012), and learning with it online (Flanigan, Dyer and Carbonell 2013, section 6.1)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from demotic import _core
from demotic.decode import KBest
from demotic.features import Weights
from demotic.learn.online.rule import DataSize, OnlineRule
from demotic.learn.online.sgd import Gradient, SgdOptions, SgdRule


def soft_ramp3(
    kbest: KBest, costs: npt.NDArray[np.float64], scores: npt.NDArray[np.float64] | None = None
) -> Gradient:
    """Loss and gradient of one list:  - log sum_y exp(w . f(y) - cost(y)) + log sum_y exp(w . f(y) + cost(y)).

    The first sum is that of hope, the second that of fear. The gradient is the difference of their expected features: exact,
    and without features that have the same value in all hypotheses.

    Args:
        kbest: hypotheses with features.
        costs: of each; the paper has 20 x (1 - BLEU+1), with BLEU+1 between 0 and 1.
        scores: w . f(y) of each; default: those of decoding.

    Returns:
        The loss, and ids (rising) and values of the features whose gradient is not 0; no gradient if the loss is not finite.
    """
    return _core.soft_ramp3(kbest.native, kbest.scores if scores is None else scores, costs)


@dataclass(frozen=True)
class SoftRampOptions(SgdOptions):
    """SOFTRAMP3; defaults: sections 6 and 6.1 of the paper."""

    k: int = 1000
    epochs: int = 5

    def rule(self, weights: Weights, size: DataSize) -> OnlineRule:
        """A step per sentence."""
        return SoftRampRule(self, weights, size)


class SoftRampRule(SgdRule):
    """From the expected features of fear to those of hope."""

    def loss_and_gradient(
        self, kbest: KBest, scores: npt.NDArray[np.float64], costs: npt.NDArray[np.float64]
    ) -> Gradient:
        """That of `soft_ramp3`."""
        return soft_ramp3(kbest, costs, scores)
