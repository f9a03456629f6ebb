"""How many learnt features are of use on new text: "reused" of table 1 of Liu, Zhao, Watanabe and Sumita (2013)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from demotic.decode import TranslationModel
from demotic.learn import Example


def reused_features(
    model: TranslationModel, examples: Sequence[Example], k: int = 1000, threads: int = 0
) -> int:
    """Features with a weight that occur in the k-best lists of these sentences.

    Args:
        model: tuned.
        examples: of the test set.
        k: length of the lists; the paper has 1,000.
        threads: 0: all cores.
    """
    weights = model.weights
    active = set(np.flatnonzero(weights.values).tolist())
    found: set[int] = set()
    for kbest in model.decoder.kbest((example.source for example in examples), k, threads=threads):
        found.update(active.intersection(np.unique(kbest.features).tolist()))
    return len(found)
