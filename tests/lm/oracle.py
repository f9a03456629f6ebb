"""Modified Kneser-Ney and backoff written down as in the papers, without any thought for speed."""

from __future__ import annotations

import math
from collections import Counter, defaultdict

Ngram = tuple[str, ...]


def kneser_ney(
    sentences: list[list[str]], order: int, prune: list[int] | None = None
) -> tuple[dict[Ngram, float], dict[Ngram, float]]:
    """Probabilities and backoff weights (not logarithms) of all n-grams."""
    occurrences: Counter[Ngram] = Counter()
    for words in sentences:
        padded = ("<s>", *words, "</s>")
        for n in range(1, order + 1):
            occurrences.update(padded[i : i + n] for i in range(len(padded) - n + 1))
    del occurrences[("<s>",)]
    before = defaultdict(set)
    for ngram in occurrences:
        before[ngram[1:]].add(ngram[0])
    adjusted = {
        ngram: count if len(ngram) == order or ngram[0] == "<s>" else len(before[ngram])
        for ngram, count in occurrences.items()
    }
    thresholds = (prune or [0]) + [(prune or [0])[-1]] * order
    kept = {ngram for ngram in adjusted if occurrences[ngram] > thresholds[len(ngram) - 1]}
    discount = {n: _discounts([a for g, a in adjusted.items() if len(g) == n]) for n in range(1, order + 1)}

    total: Counter[Ngram] = Counter()
    left_over: defaultdict[Ngram, float] = defaultdict(float)
    for ngram, count in adjusted.items():
        total[ngram[:-1]] += count
        left_over[ngram[:-1]] += discount[len(ngram)][min(count, 3)] if ngram in kept else count
    backoff = {context: left_over[context] / total[context] for context in total}

    vocabulary = {ngram[0] for ngram in adjusted if len(ngram) == 1} | {"<unk>"}
    prob: dict[Ngram, float] = {("<unk>",): backoff[()] / len(vocabulary)}
    for ngram in sorted(kept | {("<unk>",)}, key=len):
        lower = 1 / len(vocabulary) if len(ngram) == 1 else prob[ngram[1:]]
        count = adjusted.get(ngram, 0)
        own = max(count - discount[len(ngram)][min(count, 3)], 0) / total[ngram[:-1]]
        prob[ngram] = own + backoff[ngram[:-1]] * lower
    return prob, backoff


def _discounts(counts: list[int]) -> list[float]:
    n = [0] + [sum(count == k for count in counts) for k in range(1, 5)]
    if 0 in n[1:4]:
        return [0, 0.5, 1, 1.5]
    y = n[1] / (n[1] + 2 * n[2])
    result = [0.0] + [k - (k + 1) * y * n[k + 1] / n[k] for k in range(1, 4)]
    return [0, 0.5, 1, 1.5] if min(result) < 0 else result


def read_arpa(text: str) -> dict[Ngram, tuple[float, float]]:
    """N-gram -> (log10 probability, log10 backoff); a missing backoff is 0."""
    result = {}
    order = 0
    for line in text.split("\n"):
        if line.endswith("-grams:"):
            order = int(line[1:].split("-")[0])
        elif order and line and not line.startswith("\\"):
            fields = line.split()
            words = tuple(fields[1 : order + 1])
            assert words not in result
            result[words] = float(fields[0]), float(fields[order + 1]) if len(fields) > order + 1 else 0.0
    return result


def arpa_score(ngrams: dict[Ngram, tuple[float, float]], history: Ngram, word: str) -> float:
    """Log10 probability of a word after a history, by the definition of backoff."""
    for start in range(len(history) + 1):
        context = history[start:]
        if (*context, word) in ngrams:
            return ngrams[(*context, word)][0] + sum(
                ngrams.get(history[i:], (0.0, 0.0))[1] for i in range(start)
            )
    raise AssertionError(f"{word} has no unigram")


def log10(value: float) -> float:
    """Where zero stays finite."""
    return math.log10(value) if value > 0 else -99.0
