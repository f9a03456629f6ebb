"""BLEU of a corpus from n-gram statistics: the figure that sacrebleu reports, to the last digits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from demotic.base.errors import DemoticError
from demotic.evaluate.references import (
    BLEU_COLUMNS,
    HYPOTHESIS_LENGTH,
    MATCHES,
    REFERENCE_LENGTH,
    TOTALS,
    References,
)

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class BleuScore:
    """BLEU and what it is made of; scores and precisions in percent."""

    score: float
    precisions: tuple[float, ...]  # n = 1 .. 4, smoothed
    brevity_penalty: float
    hypothesis_length: int
    reference_length: int

    @property
    def ratio(self) -> float:
        """Length of the hypotheses by that of the references."""
        return self.hypothesis_length / self.reference_length if self.reference_length else 0.0

    def __float__(self) -> float:
        return self.score


def corpus_bleu(hypotheses: Sequence[Sequence[str]], references: Sequence[References]) -> BleuScore:
    """BLEU of tokenised sentences.

    Args:
        hypotheses: one list of tokens per sentence.
        references: one set of references per sentence.
    """
    return bleu_score(corpus_statistics(hypotheses, references).sum(axis=0))


def corpus_statistics(
    hypotheses: Sequence[Sequence[str]], references: Sequence[References]
) -> npt.NDArray[np.int32]:
    """N-gram statistics of every sentence, shape (sentences, 10)."""
    check_lengths(hypotheses, references)
    rows = [each.statistics_of(words) for words, each in zip(hypotheses, references, strict=True)]
    return np.array(rows, dtype=np.int32).reshape(len(rows), BLEU_COLUMNS)


def check_lengths(hypotheses: Sequence[Any], references: Sequence[References]) -> None:
    """A hypothesis for every sentence, no more and no less."""
    if len(hypotheses) != len(references):
        raise DemoticError(
            f"expected one hypothesis per reference, {len(references)} (got {len(hypotheses)})"
        )


def bleu_score(sums: npt.ArrayLike) -> BleuScore:
    """BLEU from statistics added up over a corpus, shape (10,)."""
    values = np.asarray(sums, dtype=np.float64)
    return BleuScore(
        float(bleu_of_sums(values)),
        tuple(100 * _precisions(values)),
        float(_brevity_penalty(values)),
        int(values[HYPOTHESIS_LENGTH]),
        int(values[REFERENCE_LENGTH]),
    )


def bleu_of_sums(sums: Array) -> Array:
    """BLEU in percent of many corpora at once: shape (..., 10) to shape (...)."""
    with np.errstate(divide="ignore"):
        logs = np.log(_precisions(sums)).mean(axis=-1)
    found = np.any(sums[..., MATCHES] > 0, axis=-1)
    return np.where(found, 100 * _brevity_penalty(sums) * np.exp(logs), 0.0)


def _precisions(sums: Array) -> Array:
    """Precisions per order. The k-th order without a match counts 1 / 2^k matches, as in mteval-v13a and sacrebleu's `exp`."""
    matches, totals = sums[..., MATCHES], sums[..., TOTALS]
    is_empty = matches <= 0
    smoothed = np.where(is_empty, 0.5 ** np.cumsum(is_empty, axis=-1), matches)
    return np.divide(smoothed, totals, out=np.zeros_like(smoothed), where=totals > 0)


def _brevity_penalty(sums: Array) -> Array:
    hypothesis, reference = sums[..., HYPOTHESIS_LENGTH], sums[..., REFERENCE_LENGTH]
    without_words = np.where(reference > 0, np.inf, 0.0)
    ratio = np.divide(reference, hypothesis, out=without_words, where=hypothesis > 0)
    penalty: Array = np.exp(np.minimum(0.0, 1 - ratio))
    return penalty
