"""The voted perceptron at work: every vector has one vote."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from demotic.decode import KBest
from demotic.features import Weights


def vote(kbest: KBest, vectors: Sequence[Weights]) -> int:
    """The hypothesis that most weight vectors prefer (Freund and Schapire 1999); ties by the sum of their scores, then by rank.

    The loop of the MT Marathon (2011) slides returns the T vectors of its epochs for this. Averaging them is the usual
    approximation, which needs only one vector to decode with.

    Args:
        kbest: hypotheses of one sentence.
        vectors: weights over the index that numbered the list, such as those of `Tuned.vectors`.
    """
    matrix = kbest.to_scipy()
    votes, scores = np.zeros(len(kbest)), np.zeros(len(kbest))
    for weights in vectors:
        values = np.zeros(matrix.shape[1])
        known = min(len(values), len(weights.values))
        values[:known] = weights.values[:known]
        own = matrix @ values
        votes[int(np.argmax(own))] += 1
        scores += own
    return int(max(range(len(kbest)), key=lambda i: (votes[i], scores[i], -i)))
