"""The division of data for held-out line search: what gives gradients must not be what steps are measured on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from demotic.base.errors import DemoticError
from demotic.corpus.splits import folds, random_order
from demotic.learn.task import Example, TuningTask

_SEARCH_FOLD = 0


@dataclass(frozen=True)
class HolsData:
    """Sentences by their use: Dg and Dl of Flanigan, Dyer and Carbonell (2013), section 4.

    Attributes:
        gradient: a part for each update of a pass, each in the order of the data.
        search: for line searches.
        start_examples: for the first dense weights; some of those for line searches.
    """

    gradient: list[list[Example]]
    search: list[Example]
    start_examples: list[Example]


def divide(
    task: TuningTask,
    corpus_size: int,
    *,
    n: int,
    parts: int,
    search_sentences: int,
    start_sentences: int,
    held_in: bool,
    seed: int,
) -> HolsData:
    """One fold is for line searches, all others give gradients; with `held_in` (HILS) all of them do.

    Args:
        task: with training pairs, which are divided as grammars and language models are, or other sentences.
        corpus_size: sentence pairs in the index.
        n: number of folds.
        parts: of the gradient data, for updates.
        search_sentences: at most so many of the fold.
        start_sentences: at most so many of these.
        held_in: search where gradients come from.
        seed: of the division.
    """
    examples = task.examples
    if len(examples) < n:
        raise DemoticError(
            f"too few sentences for {n} folds (got {len(examples):,})",
            hint="learn on more sentences, or use fewer folds",
        )
    if task.on_train:
        numbers = np.array([example.number for example in examples], dtype=np.int64)
        fold_of = folds(corpus_size, n, seed)[numbers]
    else:
        fold_of = folds(len(examples), n, seed)
    held_out = np.flatnonzero(fold_of == _SEARCH_FOLD)
    rest = np.arange(len(examples)) if held_in else np.flatnonzero(fold_of != _SEARCH_FOLD)
    search = held_out[random_order(len(held_out), seed)[:search_sentences]]
    if len(search) == 0 or len(rest) < parts:
        raise DemoticError(
            f"too few sentences: {len(search):,} for line searches, {len(rest):,} for {parts} gradients",
            hint="learn on more sentences",
        )
    order = rest[random_order(len(rest), seed)]
    return HolsData(
        [_pick(examples, part) for part in np.array_split(order, parts)],
        _pick(examples, search),
        _pick(examples, search[:start_sentences]),
    )


def _pick(examples: Sequence[Example], positions: npt.NDArray[np.int64]) -> list[Example]:
    return [examples[i] for i in np.sort(positions)]
