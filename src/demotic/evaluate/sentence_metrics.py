"""Metrics of single sentences, which learners rank hypotheses by."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from demotic import _core
from demotic.base.errors import DemoticError
from demotic.decode import KBest
from demotic.evaluate.bleu import BLEU, BLEU_COLUMNS
from demotic.evaluate.chrf import Chrf
from demotic.evaluate.metric import Counts, Metric
from demotic.evaluate.references import References
from demotic.evaluate.ter import Ter

Scores = npt.NDArray[np.float64]


class SentenceMetric(ABC):
    """How good the hypotheses of one sentence are.

    Attributes:
        name: by which learners are told.
        corpus: the metric of a corpus that it stands in for; learners choose their epoch by that one.
    """

    name: str
    corpus: Metric = BLEU

    @abstractmethod
    def scores(self, references: References, kbest: KBest) -> Scores:
        """One number per hypothesis, shape (k,); higher is better."""

    def source_words(self, kbest: KBest) -> float:
        """Source words that the scores of a list speak of: a score times this is as large as a sentence's share of errors in words."""
        return float(kbest.native.source_words)

    def observe(self, references: References, kbest: KBest) -> None:  # noqa: B027 - most metrics have no memory
        """Take in the first hypothesis of a list as the translation of its sentence; only metrics with a memory do anything."""


class StatisticsMetric(SentenceMetric):
    """A function of the statistics that `corpus` counts, so that lists which keep these can be scored again."""

    @abstractmethod
    def scores_of(self, statistics: Counts) -> Scores:
        """One number per row."""

    def scores(self, references: References, kbest: KBest) -> Scores:
        """From the statistics of each hypothesis."""
        return self.scores_of(self.corpus.statistics(references, kbest))


class SingleSentence(StatisticsMetric):
    """A metric of corpora, of a corpus of one sentence: at most 1.

    Args:
        corpus: the metric.
    """

    def __init__(self, corpus: Metric) -> None:
        self.name, self.corpus = corpus.name, corpus

    def scores_of(self, statistics: Counts) -> Scores:
        """The score of each row."""
        return self.corpus.native.scores(statistics)


class BleuMetric(StatisticsMetric):
    """A form of BLEU: a function of the n-gram statistics of a hypothesis; between 0 and 1."""

    @property
    @abstractmethod
    def native(self) -> _core.SentenceBleu:
        """The formula as it is now."""

    def scores_of(self, statistics: Counts) -> Scores:
        """By the formula."""
        return self.native.scores(statistics)


class SentenceBleu(BleuMetric):
    """A form of BLEU that one sentence determines.

    Args:
        name: `liang`, `bleu+1` or `nakov`.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._native = _core.SentenceBleu(name)

    @property
    def native(self) -> _core.SentenceBleu:
        """The formula."""
        return self._native


class PseudoDocument(BleuMetric):
    """BLEU of the sentence as part of a document that fades (Chiang, Marton and Resnik 2008).

    The document starts with one of everything, so that sentences without a four-gram match differ from the first one on, and
    after each sentence becomes decay x (document + the statistics of its translation). Scores are not multiplied by
    `source_words`, as the paper does.
    """

    name = "pseudo"

    def __init__(self, decay: float = 0.9) -> None:
        if not 0 <= decay <= 1:
            raise DemoticError(f"decay must be between 0 and 1 (got {decay})")
        self.decay = decay
        self.document: npt.NDArray[np.float64] = np.ones(BLEU_COLUMNS)
        self._source_words = 1.0

    @property
    def native(self) -> _core.SentenceBleu:
        """BLEU of the document with the sentence added."""
        return _core.SentenceBleu(self.name, self.document)

    def source_words(self, kbest: KBest) -> float:
        """Source words of document and sentence: the paper multiplies scores by this."""
        return self._source_words + super().source_words(kbest)

    def observe(self, references: References, kbest: KBest) -> None:
        """Add the first hypothesis to the document and let all of it fade."""
        if len(kbest) == 0:
            return
        self.document = self.decay * (self.document + self.corpus.statistics(references, kbest)[0])
        self._source_words = self.decay * self.source_words(kbest)


class OneMinusWer(SentenceMetric):
    """1 - word error rate: 1 for a reference itself, negative where there are more errors than words."""

    name = "wer"

    def scores(self, references: References, kbest: KBest) -> Scores:
        """From the edit distance to the closest reference."""
        return 1.0 - references.wer(kbest)


SENTENCE_METRICS: dict[str, Callable[[], SentenceMetric]] = {
    "liang": lambda: SentenceBleu("liang"),
    "bleu+1": lambda: SentenceBleu("bleu+1"),
    "nakov": lambda: SentenceBleu("nakov"),
    "pseudo": PseudoDocument,
    "wer": OneMinusWer,
    "ter": lambda: SingleSentence(Ter()),
    "chrf": lambda: SingleSentence(Chrf()),
}


def sentence_metric(name: str) -> SentenceMetric:
    """A metric by its name.

    Args:
        name: `liang`: smoothed BLEU of Liang et al. (2006), the sum over n of BLEU_n / 2^(4 - n + 1), at most 15/16;
            `bleu+1`: Lin and Och (2004), one added to matches and totals of n > 1;
            `nakov`: Nakov, Guzman and Vogel (2012), BLEU+1 with a smoothed brevity penalty and grounded precision;
            `pseudo`: `PseudoDocument`; `wer`: 1 - word error rate; `ter`: 1 - translation edit rate; `chrf`: `Chrf`, 0 to 1.
    """
    try:
        return SENTENCE_METRICS[name]()
    except KeyError:
        known = ", ".join(SENTENCE_METRICS)
        raise DemoticError(f"no sentence metric is called '{name}'", hint=f"choose one of {known}") from None
