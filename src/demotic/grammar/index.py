"""The index: a corpus that answers with the rules for a sentence, as if chosen sentence pairs were not in it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from copy import copy
from typing import TYPE_CHECKING, Any, TypeAlias

from demotic import _core
from demotic._core import Mask
from demotic.base.errors import DemoticError, warn
from demotic.base.files import Pathish, temporary_beside
from demotic.base.lazy import LazyModule
from demotic.base.parallel import default_threads
from demotic.base.progress import Progress
from demotic.grammar.options import ExtractOptions
from demotic.grammar.rules import Grammar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from demotic.corpus import Bitext
    from demotic.corpus.preprocess import Side
else:
    np = LazyModule("numpy")

Exclude: TypeAlias = "int | Iterable[int] | NDArray[np.bool_] | Mask | None"
"""Sentence pairs to leave out: a number, several, a boolean per pair, or a `Mask` that was made of these before."""


class GrammarIndex:
    """An index file in use: memory-mapped, checked when opened, safe for any number of threads.

    Args:
        path: a file written by `build_index`.
        options: how rules are extracted. What is cached belongs to these options.
        threads: for checking the file; 0: all cores.
    """

    def __init__(self, path: Pathish, options: ExtractOptions | None = None, threads: int = 0) -> None:
        native = _core.GrammarIndex(os.fspath(path), threads or default_threads())
        self.native = native
        self.options = options or ExtractOptions()
        self.extractor = _core.Extractor(native, self.options.native(), self.options.features)

    def with_options(self, options: ExtractOptions) -> GrammarIndex:
        """The same index with other options of extraction, and a cache of its own."""
        other = copy(self)
        other.options = options
        other.extractor = _core.Extractor(self.native, options.native(), options.features)
        return other

    def with_additions(self, pairs: Iterable[tuple[str, str, str]]) -> GrammarIndex:
        """The same file with these pairs added to it, in place of those that were added before; the file stays as it is.

        Rules, counts and lexical probabilities are those of an index of all pairs together. With sampling, file and additions
        are sampled separately, so that additions count even where the file alone fills the sample. Rules that an
        addition supports have the feature `Addition`. Added pairs are numbered from where the file ends.

        Args:
            pairs: source and target as tokenised lines of at most 254 words, links in Pharaoh format.
        """
        other = copy(self)
        other.native = self.native.with_additions(list(pairs))
        other.extractor = _core.Extractor(other.native, self.options.native(), self.options.features)
        return other

    @property
    def added(self) -> int:
        """How many of the sentence pairs were added to the file; they are the last ones."""
        return self.native.added

    def __len__(self) -> int:
        """Number of sentence pairs."""
        return len(self.native)

    def grammar(self, sentence: str | Sequence[str], exclude: Exclude = None) -> Grammar:
        """The rules that the patterns of a sentence give.

        Args:
            sentence: tokenised: a line, or its words. Words that the corpus does not know give no rules.
            exclude: sentence pairs that count as absent: in counts, probabilities, singletons and lexical tables. For a
                set that is used more than once make a `mask` first, which takes time.
        """
        line = sentence if isinstance(sentence, str) else " ".join(sentence)
        return Grammar(self.extractor.extract(line, None if exclude is None else self.mask(exclude)))

    def mask(self, exclude: Exclude) -> Mask:
        """Prepare a set of sentence pairs to leave out. Masks of the same sentences share their entries in the cache.

        A mask belongs to this index file; extraction with another one refuses it.
        """
        if isinstance(exclude, Mask):
            return exclude
        return Mask(self.native, _numbers(exclude, len(self)))

    def source(self, i: int) -> list[str]:
        """Words of source sentence i; empty if the pair was left out as too long."""
        return self.native.source(i)

    def target(self, i: int) -> list[str]:
        """Words of target sentence i; empty if the pair was left out as too long."""
        return self.native.target(i)

    def links(self, i: int) -> list[tuple[int, int]]:
        """Word alignment of pair i, sorted; empty if the pair was left out as too long."""
        return self.native.links(i)

    def examples(
        self, source: Sequence[str | int], target: Sequence[str | int]
    ) -> list[tuple[int, tuple[int, int], tuple[int, int], list[tuple[tuple[int, int], tuple[int, int]]]]]:
        """The places in the corpus that a rule was extracted from: as many as its c(f, e), by pair and place.

        Args:
            source: source side in words, and nonterminals as 1 and 2.
            target: target side.

        Returns:
            For each the pair, the source span, the target span and (source span, target span) of each gap, in the order of the source side.
        """
        return self.extractor.examples(list(source), list(target))

    def pair_scores(self, threads: int = 0) -> NDArray[np.float32]:
        """How well the rest of the corpus explains each pair.

        Args:
            threads: 0: all cores.

        Returns:
            Shape (pairs, 2): mean log10 probability of a target word given the source sentence, and the other way round, by IBM model 1 with
            the relative frequencies of the word alignment, those of the pair itself left out; at least -6. Words that no other pair has are
            passed over. 0 for pairs that were left out as too long.
        """
        return self.native.score_pairs(threads or default_threads())

    def longest_match(self, words: Sequence[str], side: Side = "source") -> tuple[int, int, int]:
        """The longest stretch of the words that a sentence of the corpus has, as (begin, length, pair); length 0: no word is known.

        Args:
            words: tokenised as the corpus is.
            side: of the corpus.
        """
        return self.native.longest_match(list(words), side == "target")

    def pairs_with(self, words: Sequence[str], side: Side = "source") -> list[int]:
        """Sentence pairs that have exactly these words on one side."""
        return self.native.equal_sentences(list(words), side == "target")

    def statistics(self) -> dict[str, Any]:
        """Size of the index in pairs, words and bytes."""
        native = self.native
        return {
            "pairs": len(native),
            "added": native.added,
            "left_out": native.left_out,
            "source_tokens": native.source_tokens,
            "target_tokens": native.target_tokens,
            "source_types": len(native.source_vocab),
            "target_types": len(native.target_vocab),
            "bytes": native.bytes,
            "bytes_per_source_token": round(native.bytes / max(1, native.source_tokens), 1),
        }


def build_index(bitext: Bitext, out: Pathish, threads: int = 0) -> GrammarIndex:
    """Write the index of a word-aligned bitext and open it.

    Pairs with more than 254 words on a side keep their number but give no rules; a warning says how many.
    """
    with Progress("index", total=_core.INDEX_STEPS, unit="steps") as bar:
        _, left_out = _core.build_index(
            bitext, os.fspath(out), threads or default_threads(), lambda step: bar.advance(1, step)
        )
    if left_out:
        warn(f"{left_out} sentence pairs with more than 254 words on a side are not in the index")
    return GrammarIndex(out, threads=threads)


def index_files(
    source: Pathish, target: Pathish, links: Pathish, out: Pathish, threads: int = 0
) -> GrammarIndex:
    """Write the index of tokenised, line-aligned text and its alignment in Pharaoh format, and open it."""
    from demotic.corpus import build_bitext

    with temporary_beside(out) as temporary:
        return build_index(build_bitext(source, target, links, temporary), out, threads)


def _numbers(exclude: int | Iterable[int] | NDArray[np.bool_] | None, size: int) -> NDArray[np.uint32]:
    if exclude is None:
        return np.zeros(0, dtype=np.uint32)
    if isinstance(exclude, np.ndarray) and exclude.dtype == np.bool_:
        if exclude.shape != (size,):
            raise DemoticError(
                f"the mask must have one entry for each of {size} sentence pairs (got shape {exclude.shape})"
            )
        return np.flatnonzero(exclude).astype(np.uint32)
    if isinstance(exclude, int | np.integer):
        exclude = [int(exclude)]
    numbers = exclude if isinstance(exclude, np.ndarray) else np.asarray(list(exclude))
    if not numbers.size:
        return np.zeros(0, dtype=np.uint32)
    if numbers.dtype.kind not in "iu" and not all(isinstance(number, int) for number in numbers.tolist()):
        raise DemoticError(
            "sentences to exclude must be whole numbers", hint="sentence pairs are numbered from 0"
        )
    for number in (numbers.min(), numbers.max()):
        if not 0 <= number < size:
            raise DemoticError(
                f"cannot exclude sentence {number}: the index has {size:,} sentence pairs",
                hint="sentence pairs are numbered from 0; is this the index of that corpus?",
            )
    return numbers.astype(np.uint32)
