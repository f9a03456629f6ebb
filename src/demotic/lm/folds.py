"""One model per fold of the training data, each from everything but that fold, with the counting done once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from os import fspath
from pathlib import Path
from typing import TYPE_CHECKING

from demotic._core import FoldTrainer, NgramCounter
from demotic.base.errors import DemoticError
from demotic.base.files import Pathish, atomic_write, read_blocks, read_lines, staging
from demotic.base.lazy import LazyModule
from demotic.base.parallel import default_threads
from demotic.base.progress import Progress
from demotic.lm.estimate import (
    DEFAULT_MEMORY,
    LmOptions,
    LmSummary,
    count_lines,
    count_text,
    new_counter,
    summarise,
    train,
    warn_of_fallback,
)

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
else:
    np = LazyModule("numpy")

_MAX_FOLDS = (1 << 16) - 1


def train_folds(
    text: Pathish,
    folds: Sequence[int] | npt.NDArray[np.integer],
    options: LmOptions,
    out: Pathish,
    *,
    extra: Iterable[Pathish] = (),
    threads: int = 0,
    memory: int = DEFAULT_MEMORY,
    temporary: Pathish | None = None,
    quiet: bool = False,
) -> list[LmSummary]:
    """Write `out/lm.0.bin`, `out/lm.1.bin`, ...: model i is that of all sentences outside fold i, and of `extra`.

    The text is read, sorted and counted once; what a fold contributed is taken off the counts of its model. Each model has
    the n-grams and the probabilities that `train` gives for the same sentences. `vocab_size` and `vocab_from` refer to the whole
    text; words that occur in fold i alone are unknown to model i. `vocabulary = "parallel"` refers to the sentences outside fold i:
    monolingual words that only fold i has are <unk> in model i, as words of new text would be. This vocabulary differs between
    folds, so each model is then counted by itself, which takes as long as training that many models.

    Args:
        text: tokenised text, one sentence per line.
        folds: the fold (from 0) of each line, as `demotic.corpus.splits.folds` gives them.
        options: as for `train`.
        out: folder, created if absent. The files appear together when all are complete.
        extra: monolingual text that belongs to every model.
        threads: 0 for all cores; models are built in parallel. The result does not depend on it.
        memory: as for `train`.
        temporary: as for `train`.
        quiet: as for `train`.
    """
    fold_of = _checked_folds(folds)
    number, workers = int(fold_of.max()) + 1, threads or default_threads()
    extra_texts = list(extra)
    if options.vocabulary == "parallel" and extra_texts:
        return _train_one_by_one(text, fold_of, options, out, extra_texts, workers, memory, temporary)
    counter = new_counter([text], extra_texts, options, workers, memory, temporary, folds=True)
    _count_folds(counter, text, fold_of)
    count_text(counter, extra_texts, what="lm count extra", fold=number)
    with staging(out) as folder:
        summaries = _build_models(counter, options, folder, number, workers)
    for summary in summaries if not quiet else []:
        warn_of_fallback(summary, options.order)
    return summaries


def _build_models(
    counter: NgramCounter, options: LmOptions, folder: Path, number: int, workers: int
) -> list[LmSummary]:
    """Write the model of each fold from the counts of all; `folder` has `lm.0.bin`, `lm.1.bin`, ... afterwards."""
    sentences, words = counter.sentences, counter.words
    pool_size = min(workers, number)
    with Progress("lm folds", total=number + 1, unit="steps") as bar:
        bar.advance(0, "sorting")
        trie, vocab = counter.finish(), counter.vocab
        bar.advance(1, "estimating")

        def build(first: int) -> list[LmSummary]:
            """Every `pool_size`-th model; the memory of one serves the next."""
            trainer = FoldTrainer(trie, vocab, list(options.prune))
            result = []
            for fold in range(first, number, pool_size):
                file = fspath(folder / f"lm.{fold}.bin")
                result.append(summarise(trainer.train(fold, file), sentences, words))
                bar.advance()
            return result

        with ThreadPoolExecutor(pool_size) as pool:
            parts = list(pool.map(build, range(pool_size)))
    return [parts[fold % pool_size][fold // pool_size] for fold in range(number)]


def _train_one_by_one(
    text: Pathish,
    fold_of: npt.NDArray[np.uint16],
    options: LmOptions,
    out: Pathish,
    extra: Sequence[Pathish],
    threads: int,
    memory: int,
    temporary: Pathish | None,
) -> list[LmSummary]:
    """Models whose vocabularies differ, each from a copy of the text without its fold."""
    summaries = []
    with staging(out) as folder:
        rest = folder / "rest.txt"
        for fold in range(int(fold_of.max()) + 1):
            _write_rest(text, fold_of, fold, rest)
            model = folder / f"lm.{fold}.bin"
            summaries.append(
                train(
                    [rest], options, model, extra=extra, threads=threads, memory=memory, temporary=temporary
                )
            )
        rest.unlink()
    return summaries


def _write_rest(text: Pathish, fold_of: npt.NDArray[np.uint16], fold: int, out: Path) -> None:
    """The lines outside a fold."""
    lines = 0
    with atomic_write(out) as file:
        for lines, line in enumerate(read_lines(text), start=1):
            if lines <= len(fold_of) and fold_of[lines - 1] != fold:
                file.write(line + "\n")
    _check_lines(lines, fold_of, text)
    if (fold_of == fold).all():
        raise DemoticError("no sentence is left: all belong to the fold that is left out", text)


def _check_lines(lines: int, fold_of: npt.NDArray[np.uint16], text: Pathish) -> None:
    if lines != len(fold_of):
        raise DemoticError(f"expected a fold for each of {lines} lines (got {len(fold_of)})", text)


def _checked_folds(folds: Sequence[int] | npt.NDArray[np.integer]) -> npt.NDArray[np.uint16]:
    values = np.asarray(folds)
    if values.ndim != 1 or len(values) == 0 or not np.issubdtype(values.dtype, np.integer):
        raise DemoticError("folds must be a list of whole numbers, one for each line")
    if values.min() < 0 or values.max() >= _MAX_FOLDS:
        raise DemoticError(f"folds must be between 0 and {_MAX_FOLDS - 1}")
    return values.astype(np.uint16)


def _count_folds(counter: NgramCounter, text: Pathish, fold_of: npt.NDArray[np.uint16]) -> None:
    counter.begin_file(fspath(text))
    lines = 0
    with Progress("lm count", total=len(fold_of), unit="sentences") as bar:
        for block in read_blocks(text):
            size = count_lines(block)
            if lines + size <= len(fold_of):
                counter.add(block, fold_of[lines : lines + size])
            lines += size
            bar.advance(size)
    _check_lines(lines, fold_of, text)
