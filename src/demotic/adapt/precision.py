"""From which probability on translations are good enough often enough, by a bound and not by what happened to be seen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
LEVEL = 0.95  # confidence of the bound
_GROUPS = 40  # that are looked at: the most probable fortieth, the two most probable fortieths, ...


@dataclass(frozen=True)
class Threshold:
    """A probability, and what the sentences from it on were like that it was chosen on."""

    probability: float
    share: float  # of all sentences
    precision: float  # share of the good ones among them
    at_least: float  # lower bound of the precision, at `LEVEL`


def lower_bound(good: int, of: int, level: float = LEVEL) -> float:
    """Of a share, one-sided (Clopper and Pearson, 1934): with a smaller one, so many good ones have a chance of at most 1 - level.

    Args:
        good: number of good ones.
        of: number of all.
        level: of confidence.
    """
    from scipy.stats import beta

    return float(beta.ppf(1 - level, good, of - good + 1)) if good else 0.0


def threshold_for(precision: float, probabilities: Array, good: npt.NDArray[np.bool_]) -> Threshold | None:
    """The lowest probability from which on the lower bound of the precision is high enough; None if there is none.

    The lowest one that was precise enough in the sample is too low for other text more often than not: among many it is one that had luck. So a
    bound is asked for, and only in forty groups, the fewer the less luck.

    Args:
        precision: that is wanted, between 0 and 1.
        probabilities: shape (n,), of sentences that the probabilities were not fitted on.
        good: shape (n,).
    """
    falling = np.sort(probabilities)[::-1]
    for group in range(_GROUPS, 0, -1):
        probability = float(falling[-(-len(falling) * group // _GROUPS) - 1])
        inside = probabilities >= probability
        bound = lower_bound(int(good[inside].sum()), int(inside.sum()))
        if bound >= precision:
            return Threshold(probability, float(inside.mean()), float(good[inside].mean()), bound)
    return None
