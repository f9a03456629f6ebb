"""Metrics of whole corpora, split into statistics per sentence and a function of their sums.

The split is what significance tests and tuners need: statistics are computed once per sentence, and any selection of sentences is
scored by adding them up. All figures are sacrebleu's, with its signature.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from demotic.base.errors import DemoticError
from demotic.base.lazy import LazyModule
from demotic.corpus.tokenize import tokenizer_for
from demotic.corpus.words import UNSPACED
from demotic.evaluate.bleu import Bleu, bleu_of_sums, bleu_score
from demotic.evaluate.chrf import Chrf
from demotic.evaluate.metric import Metric
from demotic.evaluate.references import References
from demotic.evaluate.ter import TER_UNIT, Ter

sacrebleu: Any = LazyModule("sacrebleu.metrics")  # not a part of an installation that only translates

# Languages without spaces that sacrebleu and the first version of the tokeniser take for one word a sentence.
_CHARACTERS_ONLY = UNSPACED - {"ja", "zh"}

Array = npt.NDArray[np.float64]
Lines = Sequence[str]


@dataclass(frozen=True)
class CorpusScore:
    """A figure with what it takes to compute it again."""

    metric: str
    score: float
    signature: str  # sacrebleu's
    details: str = ""


@dataclass(frozen=True)
class TextKind:
    """What kind of text is scored."""

    language: str = "en"  # ISO 639-1, of the target side
    tokenized: bool = False  # words separated by spaces, as models see them


class CorpusMetric(ABC):
    """A metric bound to the references of a test set.

    Args:
        references: one list of lines for each set of references.
        kind: of the lines.
    """

    name: str
    title: str
    higher_is_better = True
    counted: Metric  # what is counted on the words of a line

    def __init__(self, references: Sequence[Lines], kind: TextKind) -> None:
        self.references = references
        self.kind = kind
        self._sacrebleu = self._settings()
        self._prepared = [
            References([self._words(line) for line in lines]) for lines in zip(*references, strict=True)
        ]

    @abstractmethod
    def _settings(self) -> Any:
        """The metric of sacrebleu that the signature names."""

    @abstractmethod
    def scores(self, sums: Array) -> Array:
        """Scores of many corpora from their summed statistics: shape (..., columns) to shape (...)."""

    def length_ratio(self, sums: Array) -> float | None:
        """Words of the translations divided by those of the references; None for metrics that do not count them."""
        return None

    def statistics(self, hypotheses: Lines) -> Array:
        """What the score is a function of, for every sentence: shape (sentences, columns)."""
        words = [self._words(line) for line in hypotheses]
        return self.counted.corpus_statistics(words, self._prepared).astype(np.float64)

    def signature(self) -> str:
        """What somebody else needs to know to get the same figure."""
        self._sacrebleu.num_refs = len(self.references)
        return str(self._sacrebleu.get_signature().format())

    def score(self, hypotheses: Lines) -> CorpusScore:
        """The figure for one translation of the test set."""
        sums = self.statistics(hypotheses).sum(axis=0)
        return CorpusScore(self.name, float(self.scores(sums)), self.signature(), self._details(sums))

    def _words(self, line: str) -> list[str]:
        """Tokens of a line."""
        words: list[str] = self._sacrebleu.tokenizer(line.rstrip()).split()
        return words

    def _details(self, sums: Array) -> str:
        return ""


class TextBleu(CorpusMetric):
    """BLEU for users: text as people write it, tokenised by sacrebleu (13a, or the one of the language; or characters)."""

    name, title, counted = "bleu", "BLEU", Bleu()

    def _settings(self) -> Any:
        bleu = sacrebleu.BLEU
        if self.kind.language in _CHARACTERS_ONLY:
            return bleu(tokenize="char", force=True)
        try:
            return bleu(trg_lang=self.kind.language, force=True)
        except (ImportError, RuntimeError) as error:  # sacrebleu names the package that it lacks
            raise DemoticError(
                f"no BLEU for language '{self.kind.language}': {str(error).strip().splitlines()[0]}",
                hint=f"pip install 'sacrebleu[{self.kind.language}]', or use bleu-tokens or chrf",
            ) from error

    def scores(self, sums: Array) -> Array:
        """As sacrebleu has it."""
        return bleu_of_sums(sums)

    def length_ratio(self, sums: Array) -> float | None:
        """To the closest references, as the brevity penalty has it."""
        return bleu_score(sums).ratio

    def _details(self, sums: Array) -> str:
        bleu = bleu_score(sums)
        precisions = "/".join(f"{value:.1f}" for value in bleu.precisions)
        return f"{precisions} BP {bleu.brevity_penalty:.3f} ratio {bleu.ratio:.3f}"


class TokenBleu(TextBleu):
    """BLEU as the papers report it: lowercased, on Moses' tokens with escapes, which sacrebleu leaves as they are."""

    name, title = "bleu-tokens", "BLEU (tokens)"

    def _settings(self) -> Any:
        return sacrebleu.BLEU(tokenize="none", lowercase=True, force=True)

    def _words(self, line: str) -> list[str]:
        if self.kind.tokenized:
            return line.lower().split()
        return " ".join(tokenizer_for(self.kind.language, version=1).tokenize(line)).lower().split()


class TextChrf(CorpusMetric):
    """Character n-gram F-score (Popovic 2015): chrF2 as sacrebleu has it by default."""

    name, title, counted = "chrf", "chrF2", Chrf()

    def _settings(self) -> Any:
        return sacrebleu.CHRF()

    def _words(self, line: str) -> list[str]:
        return line.split()

    def scores(self, sums: Array) -> Array:
        """F-score of the mean precision and the mean recall over the orders that hypotheses and references have."""
        hypothesis, reference, matches = sums[..., 0::3], sums[..., 1::3], sums[..., 2::3]
        used = (hypothesis > 0) & (reference > 0)
        orders = np.maximum(used.sum(axis=-1), 1)
        precision = np.where(used, matches / np.maximum(hypothesis, 1), 0).sum(axis=-1) / orders
        recall = np.where(used, matches / np.maximum(reference, 1), 0).sum(axis=-1) / orders
        factor = sacrebleu.CHRF.BETA**2
        total = factor * precision + recall
        f_scores: Array = (1 + factor) * precision * recall / np.where(total > 0, total, 1.0)
        return 100 * f_scores


class TextTer(CorpusMetric):
    """Translation edit rate (Snover et al. 2006); lower is better. The edits are sacrebleu's, counted a hundred times as fast."""

    name, title, higher_is_better, counted = "ter", "TER", False, Ter()

    def _settings(self) -> Any:
        return sacrebleu.TER()

    def statistics(self, hypotheses: Lines) -> Array:
        """Edits and reference length, in words."""
        return super().statistics(hypotheses) / TER_UNIT

    def scores(self, sums: Array) -> Array:
        """Edits by words of the references; with no such word, 0 or 100."""
        edits, words = sums[..., 0], sums[..., 1]
        return 100 * np.where(words > 0, edits / np.where(words > 0, words, 1.0), edits > 0)


CORPUS_METRICS: dict[str, Callable[[Sequence[Lines], TextKind], CorpusMetric]] = {
    metric.name: metric for metric in (TextBleu, TokenBleu, TextChrf, TextTer)
}


def default_metrics(kind: TextKind) -> list[str]:
    """Metrics that make sense for a kind of text.

    Escapes and split-off punctuation would distort the others, and so would whole sentences that count as one word.
    """
    if kind.tokenized:
        return ["bleu-tokens", "ter"]
    if kind.language in _CHARACTERS_ONLY:
        return ["bleu", "chrf"]
    return ["bleu", "bleu-tokens", "chrf", *([] if kind.language in UNSPACED else ["ter"])]


def corpus_metric(name: str, references: Sequence[Lines], kind: TextKind | None = None) -> CorpusMetric:
    """A metric by its name, bound to references.

    Args:
        name: `bleu`, `bleu-tokens`, `chrf` or `ter`.
        references: one list of lines for each set of references, all of one length.
        kind: of the text; default: English as people write it.
    """
    kind = kind or TextKind()
    if name not in CORPUS_METRICS:
        raise DemoticError(
            f"no corpus metric is called '{name}'", hint=f"choose one of {', '.join(CORPUS_METRICS)}"
        )
    if kind.tokenized and name not in default_metrics(kind):
        raise DemoticError(
            f"{name} needs detokenised text",
            hint="detokenise it first (`demotic detokenize`), or use bleu-tokens",
        )
    return CORPUS_METRICS[name](references, kind)
