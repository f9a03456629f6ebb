"""Shards: the parts of the data that are learnt on independently of each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from demotic.base.errors import DemoticError
from demotic.base.files import read_lines
from demotic.corpus.splits import folds, random_order, shards
from demotic.learn.options import LeaveOut, LeaveOutOptions, ShardOptions
from demotic.learn.task import Example, TuningTask

SENTENCES_PER_SHARD = 1000  # "each shard holding about 1,000 sentences": Simianer et al. (2012), section 5.1
ORDER = "order"  # shard_by: neighbours in the corpus


@dataclass(frozen=True)
class Fold:
    """A part of the training data, by what is needed to find its sentences again: small, so that it can travel.

    Attributes:
        number: from 0.
        n: number of folds.
        seed: of the division.
    """

    number: int
    n: int
    seed: int

    def sentences(self, corpus_size: int) -> npt.NDArray[np.int64]:
        """Its sentence pairs, in order."""
        return np.flatnonzero(folds(corpus_size, self.n, self.seed) == self.number)


@dataclass(frozen=True)
class Shard:
    """Examples, and what the grammar and the language model that decode them must not have seen.

    Attributes:
        number: from 0; also enters the random numbers of the shard.
        examples: in the order of the data.
        positions: their places in the data.
        leave_out: of the grammar: each example when it is decoded, all of them, their whole fold, or nothing.
        fold: to which all examples belong; None: there are no folds.
        fold_lm: whether the language model is the one that has not seen the fold.
    """

    number: int
    examples: tuple[Example, ...]
    positions: npt.NDArray[np.int64]
    leave_out: LeaveOut = "none"
    fold: Fold | None = None
    fold_lm: bool = False

    def sentences(self) -> list[int]:
        """The numbers of the examples in the index."""
        return [_number(example) for example in self.examples]


def make_shards(task: TuningTask, options: ShardOptions, corpus_size: int, seed: int) -> list[Shard]:
    """Divide the examples of a task.

    A shard must not cross the border of a fold. So that there are still as many as asked for, examples are divided into
    fewer parts before these are split by fold: 20 shards with 5 folds are 4 parts of each fold. There are at least as many
    shards as folds.

    Args:
        task: what is learnt from.
        options: number of shards, or labels; what is left out.
        corpus_size: sentence pairs in the index, for folds.
        seed: of the random division.
    """
    n = _folds(task, options)
    parts = divide(task.examples, options, corpus_size, seed, n)
    return _shards(task, parts, options, corpus_size, seed)


def make_blocks(
    task: TuningTask, size: int, options: LeaveOutOptions, corpus_size: int, seed: int
) -> list[Shard]:
    """Divide the examples into blocks of consecutive ones, for work where nothing depends on the division."""
    positions = np.arange(len(task.examples))
    groups = [positions[first : first + size] for first in range(0, len(positions), size)]
    return _shards(task, groups, options, corpus_size, seed)


def _shards(
    task: TuningTask,
    groups: list[npt.NDArray[np.int64]],
    options: LeaveOutOptions,
    corpus_size: int,
    seed: int,
) -> list[Shard]:
    """Shards of examples at these positions; split where they would cross the border of a fold."""
    leave_out: LeaveOut = options.leave_out if task.on_train else "none"
    n = _folds(task, options)
    fold_of = folds(corpus_size, n, seed) if n else None
    result = []
    for number, group in enumerate(_within_folds(task.examples, groups, fold_of)):
        examples = tuple(task.examples[i] for i in group)
        fold = None if fold_of is None else Fold(int(fold_of[_number(examples[0])]), n, seed)
        result.append(Shard(number, examples, group, leave_out, fold, options.lm_folds > 0))
    return result


def _folds(task: TuningTask, options: LeaveOutOptions) -> int:
    """How many folds no shard may cross; 0: none."""
    if options.lm_folds and not task.on_train:
        raise DemoticError("lm_folds needs training data", hint="add --on-train")
    return options.lm_folds or (options.folds if task.on_train and options.leave_out == "fold" else 0)


def divide(
    examples: Sequence[Example], options: ShardOptions, corpus_size: int, seed: int, n: int = 0
) -> list[npt.NDArray[np.int64]]:
    """Positions of the examples of each shard or, with `n` folds, of each part that will be split by fold."""
    groups = _groups(examples, options, corpus_size, seed, max(1, n))
    if options.random_tasks:
        groups = _shuffled(groups, examples, folds(corpus_size, n, seed) if n else None, seed)
    return groups


def _groups(
    examples: Sequence[Example], options: ShardOptions, corpus_size: int, seed: int, splits: int
) -> list[npt.NDArray[np.int64]]:
    if options.shard_by and options.shard_by != ORDER:
        return _by_label(examples, options.shard_by, corpus_size)
    z = options.shards or max(1, round(len(examples) / SENTENCES_PER_SHARD))
    if z > len(examples):
        raise DemoticError(f"shards must be at most the number of sentences, {len(examples)} (got {z})")
    parts = -(-z // splits)
    if options.shard_by:
        if parts == 1:
            raise DemoticError(
                "shard_by = order makes a single task", hint="set shards to the number of tasks"
            )
        return np.array_split(_in_order(examples), parts)
    return shards(len(examples), parts, seed)


def _in_order(examples: Sequence[Example]) -> npt.NDArray[np.int64]:
    """Positions of the examples as they lie in the corpus, where neighbours are of the same document."""
    numbers = [i if example.number is None else example.number for i, example in enumerate(examples)]
    return np.argsort(np.array(numbers), kind="stable").astype(np.int64)


def _shuffled(
    groups: list[npt.NDArray[np.int64]],
    examples: Sequence[Example],
    fold_of: npt.NDArray[np.int32] | None,
    seed: int,
) -> list[npt.NDArray[np.int64]]:
    """Groups of the same sizes, also within each fold, whose members are drawn at random; each in the order of the data."""
    places = np.concatenate(groups)
    own = np.array([0 if fold_of is None else fold_of[_number(examples[i])] for i in places])
    drawn = places.copy()
    for fold in np.unique(own):
        members = np.flatnonzero(own == fold)
        order = random_order(
            len(members), int(np.random.SeedSequence((seed, int(fold))).generate_state(1)[0])
        )
        drawn[members] = places[members[order]]
    ends = np.cumsum([len(group) for group in groups])[:-1]
    return [np.sort(group) for group in np.split(drawn, ends)]


def _within_folds(
    examples: Sequence[Example],
    groups: list[npt.NDArray[np.int64]],
    fold_of: npt.NDArray[np.int32] | None,
) -> list[npt.NDArray[np.int64]]:
    if fold_of is None:
        return groups
    by_fold = [
        group[[fold_of[_number(examples[i])] == fold for i in group]]
        for fold in range(int(fold_of.max()) + 1)
        for group in groups
    ]
    return [group for group in by_fold if len(group)]


def _by_label(examples: Sequence[Example], file: str, corpus_size: int) -> list[npt.NDArray[np.int64]]:
    """One shard per task label: the natural tasks of the paper's closing remark."""
    labels = [line.strip() for line in read_lines(file)]
    on_train = examples[0].number is not None
    wanted = corpus_size if on_train else len(examples)
    if len(labels) != wanted:
        raise DemoticError(
            f"expected {wanted:,} labels (got {len(labels):,})",
            file,
            hint="give one label per line: for each pair of the model's index"
            if on_train
            else "give one label per line: for each sentence",
        )
    groups: dict[str, list[int]] = {}
    for i, example in enumerate(examples):
        groups.setdefault(labels[i if example.number is None else example.number], []).append(i)
    if len(groups) == 1:
        raise DemoticError(
            f"all {len(examples):,} sentences have the label '{next(iter(groups))}': that is a single task",
            file,
            hint="give labels that differ, or leave shard_by out",
        )
    return [np.array(groups[label], dtype=np.int64) for label in sorted(groups)]


def _number(example: Example) -> int:
    if example.number is None:
        raise ValueError("an example that is not in the index has no fold")
    return example.number
