"""Test sets and systems that make errors at random, for comparisons whose outcome is known."""

from __future__ import annotations

import numpy as np

WORDS = [
    "the",
    "a",
    "man",
    "woman",
    "dog",
    "runs",
    "walks",
    "sees",
    "house",
    "tree",
    ",",
    ".",
    "in",
    "on",
    "with",
    "red",
    "small",
    "It's",
    "of",
]


def reference(sentences: int, seed: int) -> list[str]:
    rng = np.random.default_rng(seed)
    return [" ".join(rng.choice(WORDS, rng.integers(4, 15))) for _ in range(sentences)]


def translate(lines: list[str], errors: float, seed: int) -> list[str]:
    """Each word is replaced, or left out, with a probability."""
    rng = np.random.default_rng(seed)
    out = []
    for line in lines:
        words = [str(rng.choice(WORDS)) if rng.random() < errors else word for word in line.split()]
        out.append(" ".join(word for word in words if rng.random() >= errors / 4))
    return out
