"""Batch learning from k-best lists that grow from iteration to iteration."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from demotic.evaluate import bleu_score
from demotic.features import FeatureIndex, PackedWeights, Weights
from demotic.learn.batch.batch_fitting import BatchFitting
from demotic.learn.batch.batch_options import BatchOptions, Optimizer
from demotic.learn.batch.pool import KBestPool
from demotic.learn.fitting.fitting import Row
from demotic.learn.learner import LearnSettings
from demotic.learn.task import TuningTask
from demotic.learn.workers.kbest_lists import KBestLists, join
from demotic.learn.workers.kbest_work import KBestWork
from demotic.learn.workers.message import Message

_LISTS = "lists.packed"


class ListFitting(BatchFitting):
    """Decodes all sentences into lists and adds these to a pool, on which the optimiser works.

    Args:
        options: of the learner.
        task: what it learns from.
        settings: where it works.
        optimizer: another one than the options make.
        since: digest of what else that one depends on.
    """

    def __init__(
        self,
        options: BatchOptions,
        task: TuningTask,
        settings: LearnSettings,
        optimizer: Optimizer | None = None,
        since: str = "",
    ) -> None:
        super().__init__(options, task, settings, since)
        self._optimizer = optimizer or options.optimizer()
        bins = self.model.bins.names if self.model.bins else []
        self._pool = _LazyPool(len(task.examples), self.initial_weights, options.objective().columns, bins)

    def decode(self, t: int, weights: PackedWeights) -> Row:
        """Add the lists of these weights to the pool; how good their first hypotheses are."""
        key = self.extend_chain(weights)

        def write_lists(folder: Path) -> Row:
            lists = join(self._decoded(t, weights, key), len(self.task.examples))
            fresh = self._pool.new(lists)
            (folder / _LISTS).write_bytes(fresh.message().pack())
            sums = lists.best.sum(axis=0, dtype=np.int64)
            figures = {**self.options.objective().figures(sums), "length_ratio": bleu_score(sums).ratio}
            return {**figures, "new_hypotheses": len(fresh)}

        def lists() -> tuple[Path, Row]:
            return self.stage(_lists_of(t), write_lists, key)

        def work(folder: Path) -> Row:
            self._pool.get()
            return lists()[1]

        _, row = self.stage(f"decoded{t:03}", work, key, "decode_seconds")
        self._pool.append(lambda: lists()[0])
        return row

    def optimize(self, t: int, initial: PackedWeights) -> tuple[PackedWeights, Row]:
        """Weights for the pool as it is, and what the optimiser reports."""

        def find() -> tuple[PackedWeights, Row]:
            pool = self._pool.get()
            before = Weights.unpack(initial, pool.index)
            optimum = self._optimizer.optimize(pool, before, self.settings.seed, t - 1)
            return optimum.weights.pack(), {
                "hypotheses": len(pool),
                "active_features": len(pool.index),
                "list_bleu": pool.bleu(optimum.weights),
                **optimum.report,
            }

        return self.optimize_stage(t, find)

    def clear(self, iterations: int) -> None:
        """Remove the lists: gigabytes."""
        for t in range(iterations + 1):
            shutil.rmtree(self.settings.run.folder / _lists_of(t), ignore_errors=True)

    def _decoded(
        self, t: int, weights: PackedWeights, key: Row
    ) -> Iterator[tuple[Sequence[int], KBestLists]]:
        """The lists of each block, with the places of its sentences."""
        objective = self.options.objective()
        work = [KBestWork(block, self.options, self.settings.seed, t, objective) for block in self.blocks]
        answers = self.answers(f"iteration {t}", work, weights, key)
        for block, answer in zip(self.blocks, answers, strict=True):
            yield block.positions.tolist(), KBestLists.from_message(answer)


class _LazyPool:
    """The pool, read from the lists of the iterations when it is first asked for: a run that has ended never does.

    Args:
        sentences: how many.
        initial: packed weights whose features the pool knows from the beginning.
        columns: of the statistics.
        bins: names of all bins: those that no list has are neighbours of others, too.
    """

    def __init__(self, sentences: int, initial: PackedWeights, columns: int, bins: Sequence[str]) -> None:
        index = FeatureIndex()
        Weights.unpack(initial, index)
        for name in bins:
            index.intern(name)
        self._pool = KBestPool(sentences, index, columns)
        self._waiting: list[Callable[[], Path]] = []

    def append(self, lists: Callable[[], Path]) -> None:
        """These come next; decoded again if they are gone."""
        self._waiting.append(lists)

    def get(self) -> KBestPool:
        """With all lists so far."""
        while self._waiting:
            lists = self._waiting.pop(0)()
            self._pool.add(KBestLists.from_message(Message.unpack((lists / _LISTS).read_bytes())))
        return self._pool

    def new(self, lists: KBestLists) -> KBestLists:
        """What these would add to those that have been read."""
        return self._pool.new(lists)


def _lists_of(t: int) -> str:
    return f"lists{t:03}"
