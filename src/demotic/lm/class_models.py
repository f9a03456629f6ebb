"""Language models over word classes: the n-grams of a text in which every word is replaced by its class.

Classes generalise where words are rare, so longer n-grams have counts (Brown et al. 1992). As a feature beside a model of words, only
the sequence of classes counts; the words inside a class do not (Wuebker et al. 2013).
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from demotic.base.files import Pathish, atomic_write, read_lines
from demotic.corpus.text import split_words
from demotic.corpus.word_classes import WordClasses
from demotic.lm.estimate import LmOptions, LmSummary, train
from demotic.lm.folds import train_folds

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


def train_class_model(
    texts: Iterable[Pathish],
    classes: WordClasses,
    options: LmOptions,
    out: Pathish,
    *,
    extra: Iterable[Pathish] = (),
    threads: int = 0,
) -> LmSummary:
    """Estimate a model over the classes of the words of a text.

    Args:
        texts: tokenised text.
        classes: of its words.
        options: order and pruning.
        out: `.bin`.
        extra: monolingual text.
        threads: 0: all cores.
    """
    with _in_classes([*texts, *extra], classes) as files:
        return train(files, options, out, threads=threads, quiet=True)


def train_class_folds(
    text: Pathish,
    classes: WordClasses,
    folds: Sequence[int] | npt.NDArray[np.integer],
    options: LmOptions,
    out: Pathish,
    *,
    extra: Iterable[Pathish] = (),
) -> None:
    """Write `out/lm.0.bin`, ...: model i is that of all sentences outside fold i; the classes are those of the whole text."""
    with _in_classes([text, *extra], classes) as (own, *others):
        train_folds(own, folds, options, out, extra=others, quiet=True)


@contextmanager
def _in_classes(texts: Sequence[Pathish], classes: WordClasses) -> Iterator[list[Path]]:
    """Files with the classes of the words of texts, line by line."""
    known: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for number, text in enumerate(texts):
            files.append(Path(folder) / f"{number}.txt")
            with atomic_write(files[-1]) as file:
                for line in read_lines(text):
                    words = split_words(line)
                    for word in words:
                        if word not in known:
                            known[word] = classes.of(word)
                    file.write(" ".join([known[word] for word in words]) + "\n")
        yield files
