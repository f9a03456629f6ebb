"""Weights that no longer translate, told in plain words."""

from __future__ import annotations

import numpy as np

from demotic.features import Weights

LARGEST = 1e6  # beyond this, differences between hypotheses drown in rounding errors of their scores
GROWTH = 1e3  # in one iteration


def complaints(weights: Weights, previous: Weights, length_ratio: float) -> list[str]:
    """What is wrong with weights, if anything.

    Args:
        weights: new ones.
        previous: those before.
        length_ratio: words of the translations by words of the references.
    """
    found = []
    size, before = _largest(weights), _largest(previous)
    if size == 0:
        found.append("all weights are zero: every translation is as good as any other")
    elif size > LARGEST:
        found.append(f"the weights explode: the largest is {size:.3g}")
    elif before > 0 and size > GROWTH * before:
        found.append(f"the weights explode: the largest grew from {before:.3g} to {size:.3g}")
    if length_ratio < 0.5:
        found.append(f"translations are too short: {length_ratio:.2f} of the length of the references")
    elif length_ratio > 2:
        found.append(f"translations are too long: {length_ratio:.2f} times the length of the references")
    return found


def _largest(weights: Weights) -> float:
    return float(np.abs(weights.values).max(initial=0.0))
