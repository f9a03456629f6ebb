"""The length of weights: without influence on what is translated best, but not on losses that weigh scores against costs."""

from __future__ import annotations

import numpy as np

from demotic.features import Weights
from demotic.learn.basis import FeatureSplit

# On Multi30k with 12 features (costs of 20 x (1 - BLEU+1)), the soft ramp from MERT's weights ended at 39.4 BLEU with their length of 1,
# at 39.5 with 5 and at 41.0 with 15; MERT itself at 41.4.
SCALE = 15.0


def stretched(weights: Weights, length: float, split: FeatureSplit | None = None) -> Weights:
    """All weights times a factor, so that the magnitudes of the dense ones add up to `length`; weights of length 0 as they are.

    MERT knows directions only and leaves weights of length 1. With these, costs alone would decide what hope and fear are.
    """
    names = (split or FeatureSplit()).dense_names(weights.index)
    own = float(np.abs([weights.get(name) for name in names]).sum())
    return Weights(weights.index, weights.values * (length / own)) if own > 0 else weights
