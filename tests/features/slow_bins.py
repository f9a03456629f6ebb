"""The bin of a value as Clark, Dyer and Lavie (2014) define it, for comparison with the core."""

from __future__ import annotations

import numpy as np

from demotic.features import FeatureBins


def bin_of(bins: FeatureBins, value: float) -> int:
    """The number of the bin of a value, seen or not; a 32-bit number, as in the core."""
    return int(np.searchsorted(bins.boundaries, np.float32(value), side="left"))
