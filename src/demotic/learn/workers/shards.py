"""Shards: the parts of the data that are learnt on independently of each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from demotic.base.errors import DemoticError
from demotic.corpus.splits import folds, random_order, shards
from demotic.learn.labels import read_labels
from demotic.learn.options import LeaveOut, LeaveOutOptions, ShardOptions
from demotic.learn.task import Example, TuningTask

SENTENCES_PER_SHARD = 1000  # "each shard holding about 1,000 sentences": Simianer et al. (2012), section 5.1
ORDER = "order"  # shard_by: neighbours in the corpus


@dataclass(frozen=True)
class Folds:
    """A division of the training data, by what is needed to make it again: small, so that it can travel.

    Attributes:
        n: number of folds.
        seed: of the division.
    """

    n: int
    seed: int

    def of_pairs(self, corpus_size: int) -> npt.NDArray[np.int32]:
        """The fold of each sentence pair, from 0."""
        return folds(corpus_size, self.n, self.seed)


@dataclass(frozen=True)
class Shard:
    """Examples, and what the grammar and the language model that decode them must not have seen.

    Attributes:
        number: from 0; also enters the random numbers of the shard.
        examples: in the order of the data.
        positions: their places in the data.
        leave_out: of the grammar: each example when it is decoded, all of them, their whole fold, or nothing.
        folds: of the training data, to one of which each example belongs; None: there are no folds.
        fold_lm: whether the language model is the one that has not seen the fold of the example.
    """

    number: int
    examples: tuple[Example, ...]
    positions: npt.NDArray[np.int64]
    leave_out: LeaveOut = "none"
    folds: Folds | None = None
    fold_lm: bool = False

    def sentences(self) -> list[int]:
        """The numbers of the examples in the index."""
        return [number for example in self.examples if (number := example.number) is not None]


def make_shards(task: TuningTask, options: ShardOptions, corpus_size: int, seed: int) -> list[Shard]:
    """Divide the examples of a task. Folds have no influence on it: each example of a shard is decoded without its own fold.

    Args:
        task: what is learnt from.
        options: number of shards, or labels; what is left out.
        corpus_size: sentence pairs in the index, for folds.
        seed: of the random division.
    """
    return _shards(task, divide(task.examples, options, corpus_size, seed), options, seed)


def make_blocks(task: TuningTask, size: int, options: LeaveOutOptions, seed: int) -> list[Shard]:
    """Divide the examples into blocks of consecutive ones, for work where nothing depends on the division."""
    positions = np.arange(len(task.examples))
    groups = [positions[first : first + size] for first in range(0, len(positions), size)]
    return _shards(task, groups, options, seed)


def _shards(
    task: TuningTask, groups: list[npt.NDArray[np.int64]], options: LeaveOutOptions, seed: int
) -> list[Shard]:
    """Shards of examples at these positions."""
    leave_out: LeaveOut = options.leave_out if task.on_train else "none"
    n = _folds(task, options)
    parts = Folds(n, seed) if n else None
    return [
        Shard(number, tuple(task.examples[i] for i in group), group, leave_out, parts, options.lm_folds > 0)
        for number, group in enumerate(groups)
    ]


def _folds(task: TuningTask, options: LeaveOutOptions) -> int:
    """How many folds the training data have; 0: none."""
    if options.lm_folds and not task.on_train:
        raise DemoticError("lm_folds needs training data", hint="add --on-train")
    return options.lm_folds or (options.folds if task.on_train and options.leave_out == "fold" else 0)


def divide(
    examples: Sequence[Example], options: ShardOptions, corpus_size: int, seed: int
) -> list[npt.NDArray[np.int64]]:
    """Positions of the examples of each shard."""
    groups = _groups(examples, options, corpus_size, seed)
    return _shuffled(groups, seed) if options.random_tasks else groups


def _groups(
    examples: Sequence[Example], options: ShardOptions, corpus_size: int, seed: int
) -> list[npt.NDArray[np.int64]]:
    if options.shard_by and options.shard_by != ORDER:
        return _by_label(examples, options.shard_by, corpus_size)
    z = options.shards or max(1, round(len(examples) / SENTENCES_PER_SHARD))
    if z > len(examples):
        raise DemoticError(f"shards must be at most the number of sentences, {len(examples)} (got {z})")
    if options.shard_by:
        if z == 1:
            raise DemoticError(
                "shard_by = order makes a single task", hint="set shards to the number of tasks"
            )
        return np.array_split(_in_order(examples), z)
    return shards(len(examples), z, seed)


def _in_order(examples: Sequence[Example]) -> npt.NDArray[np.int64]:
    """Positions of the examples as they lie in the corpus, where neighbours are of the same document."""
    numbers = [i if example.number is None else example.number for i, example in enumerate(examples)]
    return np.argsort(np.array(numbers), kind="stable").astype(np.int64)


def _shuffled(groups: list[npt.NDArray[np.int64]], seed: int) -> list[npt.NDArray[np.int64]]:
    """Groups of the same sizes whose members are drawn at random; each in the order of the data."""
    places = np.concatenate(groups)
    drawn = places[random_order(len(places), seed)]
    ends = np.cumsum([len(group) for group in groups])[:-1]
    return [np.sort(group) for group in np.split(drawn, ends)]


def _by_label(examples: Sequence[Example], file: str, corpus_size: int) -> list[npt.NDArray[np.int64]]:
    """One shard per task label: the natural tasks of the paper's closing remark."""
    groups: dict[str, list[int]] = {}
    for i, label in enumerate(read_labels(file, examples, corpus_size)):
        groups.setdefault(label, []).append(i)
    if len(groups) == 1:
        raise DemoticError(
            f"all {len(examples):,} sentences have the label '{next(iter(groups))}': that is a single task",
            file,
            hint="give labels that differ, or leave shard_by out",
        )
    return [np.array(groups[label], dtype=np.int64) for label in sorted(groups)]
