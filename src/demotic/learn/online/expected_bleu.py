"""Expected BLEU as an online loss: Rosti, Zhang, Matsoukas and Schwartz (2011), He and Deng (2012).

The loss of a sentence is what its translations cost on average under the probabilities of the model,
sum_y p(y) cost(y),  p(y) = exp(w . f(y) / T) / Z: smooth, and with all of a list in its gradient.
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


def expected_cost(
    kbest: KBest,
    costs: npt.NDArray[np.float64],
    scores: npt.NDArray[np.float64] | None = None,
    temperature: float = 1.0,
) -> Gradient:
    """Expected cost of one list, and its gradient  1 / T sum_y p(y) (cost(y) - expected cost) f(y).

    Args:
        kbest: hypotheses with features.
        costs: of each: 1 - BLEU+1, say.
        scores: w . f(y) of each; default: those of decoding. 0 for a list that was drawn from p.
        temperature: T.

    Returns:
        The loss, and ids (rising) and values of the features whose gradient is not 0; no gradient if the loss is not finite.
    """
    return _core.expected_cost(kbest.native, kbest.scores if scores is None else scores, costs, temperature)


@dataclass(frozen=True)
class ExpectedBleuOptions(SgdOptions):
    """Expected BLEU by stochastic gradient descent.

    With `candidates = "samples"` all of a list count alike: they were drawn with the probabilities of the model.
    """

    k: int = 500
    epochs: int = 5
    temperature: float = 1.0  # T: a translation has a probability proportional to exp(score / T)

    def rule(self, weights: Weights, size: DataSize) -> OnlineRule:
        """A step per sentence."""
        return ExpectedBleuRule(self, weights, size)


class ExpectedBleuRule(SgdRule):
    """Towards the translations that are better than the average of their list."""

    def loss_and_gradient(
        self, kbest: KBest, scores: npt.NDArray[np.float64], costs: npt.NDArray[np.float64]
    ) -> Gradient:
        """That of `expected_cost`."""
        drawn = self._options.candidates == "samples"
        return expected_cost(
            kbest, costs, np.zeros(len(kbest)) if drawn else scores, self._options.temperature
        )
