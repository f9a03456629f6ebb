"""Sentence metrics as the papers print them, on strings and counters."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

Words = Sequence[str]


def ngrams(words: Words, n: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))


def statistics(hypothesis: Words, references: Sequence[Words]) -> list[int]:
    matches, totals = [], []
    for n in range(1, 5):
        found = ngrams(hypothesis, n)
        allowed: Counter[tuple[str, ...]] = Counter()
        for reference in references:
            allowed |= ngrams(reference, n)
        matches.append(sum((found & allowed).values()))
        totals.append(sum(found.values()))
    closest = min((abs(len(r) - len(hypothesis)), len(r)) for r in references)[1]
    return [*matches, *totals, len(hypothesis), closest]


def brevity(c: float, r: float) -> float:
    if c == 0:
        return 0.0
    return 1.0 if c > r else math.exp(1 - r / c)


def bleu_n(row: Sequence[float], n: int) -> float:
    """BLEU with n-grams up to n."""
    precisions = [row[i] / row[4 + i] if row[4 + i] else 0.0 for i in range(n)]
    return brevity(row[8], row[9]) * math.prod(precisions) ** (1 / n)


def liang(row: Sequence[float]) -> float:
    return sum(bleu_n(row, n) / 2 ** (4 - n + 1) for n in range(1, 5))


def bleu_plus_one(row: Sequence[float]) -> float:
    if row[8] == 0:
        return 0.0
    precisions = [row[0] / row[4], *((row[i] + 1) / (row[4 + i] + 1) for i in range(1, 4))]
    return brevity(row[8], row[9]) * math.prod(precisions) ** 0.25


def nakov(row: Sequence[float]) -> float:
    precision = math.prod((row[i] + 1) / (row[4 + i] + 1) for i in range(4)) ** 0.25
    without_matches = math.prod(1 / (row[4 + i] + 1) for i in range(4)) ** 0.25
    return brevity(row[8], row[9] + 1) * (precision - without_matches)


def edit_distance(a: Words, b: Words) -> int:
    if not a or not b:
        return len(a) + len(b)
    return min(
        edit_distance(a[1:], b) + 1, edit_distance(a, b[1:]) + 1, edit_distance(a[1:], b[1:]) + (a[0] != b[0])
    )
