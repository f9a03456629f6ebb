"""Language models in use: scores, perplexity, states."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from os import fspath
from typing import TYPE_CHECKING, Any, NamedTuple

from demotic._core import ArpaReader, Model, build_model
from demotic.base.errors import DemoticError, os_error, warn
from demotic.base.files import Pathish, read_blocks
from demotic.base.lazy import LazyModule
from demotic.base.parallel import default_threads
from demotic.base.progress import Progress
from demotic.lm.files import is_arpa, write_ngrams

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
else:
    np = LazyModule("numpy")

__all__ = ["LanguageModel", "TextScores", "WordScore"]

_MAGIC = b"DEMOTIC\n"
_ARPA_BLOCK = 1 << 18  # stays in the cache, and the system need not clear fresh memory for each


class WordScore(NamedTuple):
    """One word of a sentence, after the words before it."""

    log10: float  # log10 probability
    matched: int  # length of the longest n-gram of the model that ends here
    oov: bool  # the model does not know the word


@dataclass(frozen=True)
class TextScores:
    """Scores of many sentences, as arrays with one value per line."""

    log10: npt.NDArray[np.float64]  # with <s> before and </s> after each
    oov_log10: npt.NDArray[np.float64]  # what unknown words contribute to it
    words: npt.NDArray[np.uint32]  # without <s> and </s>
    oov: npt.NDArray[np.uint32]  # unknown ones among them

    @property
    def total_log10(self) -> float:
        """Log10 probability of the whole text."""
        return float(self.log10.sum())

    @property
    def perplexity(self) -> float:
        """Of words and sentence ends, unknown words included."""
        return _perplexity(self.total_log10, int(self.words.sum()) + len(self.words))

    @property
    def perplexity_without_oov(self) -> float:
        """Of known words and sentence ends."""
        known = int(self.words.sum()) - int(self.oov.sum()) + len(self.words)
        return _perplexity(self.total_log10 - float(self.oov_log10.sum()), known)


class LanguageModel:
    """An n-gram model with backoff. Immutable; safe to use from several threads; pickled by its path.

    Probabilities are log10. Use `LanguageModel.load(path)`.
    """

    def __init__(self, core: Model, path: str | None = None) -> None:
        self._core = core
        self._path = path

    @classmethod
    def load(cls, path: Pathish) -> LanguageModel:
        """Open a model: a binary one (mapped into memory, shared between processes) or ARPA (plain, .gz, .xz)."""
        try:
            with open(path, "rb") as file:
                binary = file.read(len(_MAGIC)) == _MAGIC
        except OSError as error:
            raise os_error(error, path) from error
        return cls(Model.map(fspath(path)) if binary else _read_arpa(path), fspath(path))

    def __reduce__(self) -> tuple[Any, ...]:
        """Processes share the file."""
        if self._path is None:
            raise TypeError("a model without a file cannot be pickled: save it first")
        return LanguageModel.load, (self._path,)

    @property
    def core(self) -> Model:
        """The native object, for the decoder."""
        return self._core

    @property
    def order(self) -> int:
        """Length of the longest n-grams."""
        return self._core.order

    @property
    def ngram_counts(self) -> tuple[int, ...]:
        """How many n-grams of each order the model has."""
        return tuple(self._core.counts)

    def __contains__(self, word: str) -> bool:
        """Whether the model knows a word."""
        return word in self._core

    def save(self, path: Pathish, threads: int = 0) -> None:
        """Write the model: `.bin`, or `.arpa`, `.arpa.gz`, `.arpa.xz`."""
        if is_arpa(path):
            write_ngrams(self._core.ngrams(), path, threads or default_threads())
        else:
            self._core.write(fspath(path))

    def score(self, sentence: str | Sequence[str]) -> float:
        """Log10 probability of a sentence, with `<s>` before and `</s>` after it."""
        return self._core.score_sentence(_line(sentence))

    def score_words(self, sentence: str | Sequence[str]) -> list[WordScore]:
        """The words of a sentence one by one, `</s>` the last."""
        return [WordScore(*details) for details in self._core.score_words(_line(sentence))]

    def score_text(self, text: Pathish, threads: int = 0) -> TextScores:
        """Score every line of a file (plain, .gz, .xz)."""
        with Progress("lm score", unit="sentences") as bar:
            return self._score_blocks(read_blocks(text), threads or default_threads(), bar)

    def perplexity(self, sentences: Iterable[str]) -> float:
        """Perplexity of sentences, unknown words included."""
        lines = (" ".join(sentence.split("\n")) for sentence in sentences)
        with Progress("lm score", unit="sentences") as bar:
            return self._score_blocks((f"{line}\n".encode() for line in lines), 1, bar).perplexity

    def begin_state(self) -> int:
        """The state after `<s>`. States are plain numbers: equal states have equal futures."""
        return self._core.begin_state()

    def score_word(self, state: int, word: str) -> tuple[float, int]:
        """Log10 probability of a word after a state, and the state after the word."""
        return self._core.score_word(state, word)

    def score_end(self, state: int) -> float:
        """Log10 probability that the sentence ends after a state."""
        return self._core.score_end(state)

    def _score_blocks(self, blocks: Iterator[bytes], threads: int, bar: Progress) -> TextScores:
        parts = []
        for block in blocks:
            parts.append(self._core.score_block(block, threads))
            bar.advance(len(parts[-1][0]))
        if not parts:
            raise DemoticError("the text is empty")
        return TextScores(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def _read_arpa(path: Pathish) -> Model:
    reader = ArpaReader(fspath(path))
    with Progress("read ARPA", unit="MB") as bar:
        megabytes, size = 0, 0
        for block in read_blocks(path, _ARPA_BLOCK):
            reader.add(block)
            size += len(block)
            bar.advance((size >> 20) - megabytes)
            megabytes = size >> 20
    ngrams = reader.finish()
    if not reader.has_unknown:
        warn(f"{fspath(path)}: the model has no <unk>; unknown words get a log10 probability of -100")
    return build_model(ngrams)


def _line(sentence: str | Sequence[str]) -> str:
    return sentence if isinstance(sentence, str) else " ".join(sentence)


def _perplexity(log10: float, events: int) -> float:
    return float(10 ** (-log10 / events)) if events else float("nan")
