"""Linear BLEU by its definition, and derivations whose parts join to n-grams."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from decode.brute_force import PlainRule

from .slow_metrics import ngrams

WEIGHTS = {"A": -0.7, "B": 0.4, "Glue": -0.2, "WordPenalty": 0.3, "PassThrough": -0.5}
# Parts of one, two and three words that join to n-grams across one another, in both orders.
JOINTS = (
    [
        PlainRule(("a",), ("x",), {"A": 0.3}),
        PlainRule(("a",), ("x", "y"), {"A": 0.5}),
        PlainRule(("b",), ("y", "z", "x"), {"A": 0.1}),
        PlainRule((1, "b"), ("y", 1), {"B": 0.5}),
        PlainRule((1, "c", 2), (2, "x", 1), {"B": 1.0}),
        PlainRule((1, "c", 2), (1, 2), {"B": 0.2}),
    ],
    ["a", "b", "c", "a"],
)
JOINT_REFERENCE = [["x", "y", "x", "y", "z", "x"]]


def per_match(n: int, words: float) -> float:
    """Tromble et al. (2008), with p = 0.7 and r = 0.65."""
    return 1 / (4 * words * 0.7 * 0.65 ** (n - 1))


def linear_bleu(words: Sequence[str], refs: list[list[str]]) -> float:
    length = max(1.0, float(np.mean([len(reference) for reference in refs])))
    gain = -len(words) / length
    for n in range(1, 5):
        known = {ngram for reference in refs for ngram in ngrams(reference, n)}
        gain += sum(per_match(n, length) for ngram in ngrams(list(words), n).elements() if ngram in known)
    return gain
