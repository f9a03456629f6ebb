"""Training: from text to a modified Kneser-Ney model."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from os import fspath
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from demotic._core import Estimate, NgramCounter, Vocab, estimate, frequent_words
from demotic.base.errors import DemoticError, warn
from demotic.base.files import Pathish, read_blocks
from demotic.base.lazy import LazyModule
from demotic.base.parallel import default_threads
from demotic.base.progress import Progress
from demotic.lm.files import is_arpa, write_ngrams

if TYPE_CHECKING:
    import numpy as np
else:
    np = LazyModule("numpy")

DEFAULT_MEMORY = 2 << 30


@dataclass(frozen=True)
class LmOptions:
    """Options of a language model."""

    order: int = 5  # length of the longest n-grams
    # prune[n-1]: n-grams of order n that occur at most so often are left out. Never falling, 0 for order 1; orders beyond
    # the last value take it. () keeps everything.
    prune: tuple[int, ...] = ()
    vocab_size: int = 0  # keep so many of the most frequent words, the others become <unk>; 0: all
    vocab_from: tuple[Path, ...] = ()  # words that are not in these texts become <unk>; (): none
    # Words of monolingual text that are not in the parallel text: `all` keeps them, with `parallel` they become <unk>, as in
    # Simianer, Riezler and Dyer (2012), section 5.1.
    vocabulary: Literal["all", "parallel"] = "all"


@dataclass(frozen=True)
class LmSummary:
    """What was trained."""

    sentences: int  # that were read
    words: int  # in them, without <s> and </s>
    ngrams: tuple[int, ...]  # number of each order
    discounts: tuple[tuple[float, float, float], ...]  # of each order, for adjusted counts 1, 2, 3 and more
    fallback: tuple[int, ...]  # orders whose discounts were undefined: 0.5, 1 and 1.5 were used


def train(
    texts: Iterable[Pathish],
    options: LmOptions,
    out: Pathish,
    *,
    extra: Iterable[Pathish] = (),
    threads: int = 0,
    memory: int = DEFAULT_MEMORY,
    temporary: Pathish | None = None,
    quiet: bool = False,
) -> LmSummary:
    """Estimate an interpolated modified Kneser-Ney model, as Heafield et al. (2013) define it.

    Args:
        texts: tokenised text (plain, .gz, .xz), one sentence per line; several files count as one text.
        options: order, pruning, vocabulary.
        out: `.bin` (memory-mapped) or `.arpa`, `.arpa.gz`, `.arpa.xz`.
        extra: monolingual text, counted like `texts`; with `vocabulary = "parallel"` its words outside `texts` become <unk>.
        threads: 0 for all cores. The result does not depend on it.
        memory: bytes for the text that is being sorted; beyond, sorted parts go to disk and are merged. The counted n-grams
            and the finished model stay in memory all the same: about 60 bytes for each n-gram at the peak.
        temporary: folder for what goes to disk; None: the system's.
        quiet: no warning of discounts that cannot be computed: with few different words that is no surprise.

    Raises:
        DemoticError: for unreadable or empty text, `<s>` or `</s>` in it, and impossible options.
    """
    files, extra_files = list(texts), list(extra)
    arpa = is_arpa(out)  # a name that cannot be written fails before the work
    workers = threads or default_threads()
    counter = new_counter(files, extra_files, options, workers, memory, temporary, folds=False)
    count_text(counter, [*files, *extra_files])
    sentences, words = counter.sentences, counter.words
    with Progress("lm train", total=2, unit="steps") as bar:
        bar.advance(0, "sorting")
        trie = counter.finish()
        bar.advance(1, "estimating")
        model = estimate(trie, counter.vocab, list(options.prune), workers, arpa)
        del trie
        bar.advance(1)
    summary = summarise(model, sentences, words)
    write_ngrams(model.ngrams, out, workers)
    if not quiet:
        warn_of_fallback(summary, options.order)
    return summary


def new_counter(
    texts: Sequence[Pathish],
    extra: Sequence[Pathish],
    options: LmOptions,
    threads: int,
    memory: int,
    temporary: Pathish | None,
    *,
    folds: bool,
) -> NgramCounter:
    """A counter with the vocabulary that the options ask for."""
    if not texts:
        raise DemoticError("no text given")
    if not 1 <= options.order <= 255:
        raise DemoticError(f"order must be between 1 and 255 (got {options.order})")
    if any(value < 0 for value in options.prune) or options.vocab_size < 0:
        raise DemoticError("prune and vocab_size must be at least 0")
    folder = fspath(temporary) if temporary is not None else tempfile.gettempdir()
    vocabulary = _vocabulary(texts, extra, options, threads, memory, folder)
    return NgramCounter(options.order, threads, memory, folder, folds, vocabulary)


def _vocabulary(
    texts: Sequence[Pathish],
    extra: Sequence[Pathish],
    options: LmOptions,
    threads: int,
    memory: int,
    folder: str,
) -> Vocab | None:
    """The words that the model may know; None: all."""

    def words_of(files: Iterable[Pathish], allowed: Vocab | None, size: int = 0) -> Vocab:
        """Those of `allowed` that occur in the files, or the most frequent of these."""
        counter = NgramCounter(1, threads, memory, folder, False, allowed)
        count_text(counter, files, what="lm vocabulary")
        return frequent_words(counter.finish(), counter.vocab, size)

    known: Vocab | None = None
    if options.vocab_from:
        known = words_of(options.vocab_from, known)
    if options.vocabulary == "parallel" and extra:
        known = words_of(texts, known)
    if options.vocab_size:
        known = words_of([*texts, *extra], known, options.vocab_size)
    return known


def count_text(
    counter: NgramCounter, texts: Iterable[Pathish], what: str = "lm count", fold: int = 0
) -> None:
    """Feed files to a counter; all their sentences belong to one fold."""
    with Progress(what, unit="sentences") as bar:
        for path in texts:
            counter.begin_file(fspath(path))
            for block in read_blocks(path):
                before = counter.sentences
                counter.add(block, np.full(count_lines(block), fold, dtype=np.uint16))
                bar.advance(counter.sentences - before)


def count_lines(block: bytes) -> int:
    """Lines of a block; the last one may lack its line end."""
    return block.count(b"\n") + (not block.endswith(b"\n"))


def summarise(model: Estimate, sentences: int, words: int) -> LmSummary:
    """The figures of an estimated model."""
    return LmSummary(
        sentences,
        words,
        tuple(model.ngrams.counts),
        tuple(discounts.amounts for discounts in model.discounts),
        tuple(order for order, discounts in enumerate(model.discounts, start=1) if discounts.fallback),
    )


def warn_of_fallback(summary: LmSummary, order: int) -> None:
    """Tell the user where the discounts could not be computed."""
    if summary.fallback:
        orders = ", ".join(str(n) for n in summary.fallback)
        warn(
            f"the text is too small or too regular to compute Kneser-Ney discounts for order {orders} (of {order}): "
            "0.5, 1 and 1.5 are used instead"
        )
