"""Batch learning from k-best lists that grow from iteration to iteration."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from demotic.base.files import atomic_copy
from demotic.evaluate import bleu_score
from demotic.features import FeatureIndex, Weights
from demotic.learn.batch.batch_options import BatchOptions, Optimizer
from demotic.learn.batch.fitting import ROW, Fitting, Row
from demotic.learn.batch.pool import KBestPool
from demotic.learn.fitting.block_work import run_blocks
from demotic.learn.fitting.saved_shards import SavedShards
from demotic.learn.learner import LearnSettings
from demotic.learn.task import TuningTask
from demotic.learn.workers.kbest_lists import KBestLists, join
from demotic.learn.workers.kbest_work import KBestWork

_LISTS = "lists.packed"


class ListFitting(Fitting):
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
        self._pool = _LazyPool(len(task.examples), self.start, options.objective().columns, bins)

    def decode(self, t: int, weights: bytes) -> Row:
        """Add the lists of these weights to the pool; how good their first hypotheses are."""
        key = self.extend_chain(weights)
        saved = SavedShards(self.settings.run.folder / "shards", key)

        def write_lists(folder: Path) -> None:
            lists = join(self._decoded(t, weights, saved), len(self.task.examples))
            fresh = self._pool.new(lists)
            (folder / _LISTS).write_bytes(fresh.pack())
            ratio = bleu_score(lists.best.sum(axis=0, dtype=np.int64)).ratio
            figures = self.options.objective().figures(lists.best)
            row = {**figures, "length_ratio": ratio, "new_hypotheses": len(fresh)}
            (folder / ROW).write_text(json.dumps(row), "utf-8")

        def lists() -> Path:
            return self.settings.run.stage(_lists_of(t), write_lists, options=key, inputs={})

        def work(folder: Path) -> None:
            self._pool.get()
            atomic_copy(lists() / ROW, folder / ROW)

        row = self.stage(f"decoded{t:03}", work, key, "decode_seconds")
        saved.clear()
        self._pool.append(lists)
        return row

    def optimize(self, t: int, start: bytes) -> tuple[bytes, Row]:
        """Weights for the pool as it is, and what the optimiser reports."""

        def find() -> tuple[Weights, Mapping[str, float]]:
            pool = self._pool.get()
            optimum = self._optimizer.optimize(
                pool, Weights.unpack(start, pool.index), self.settings.seed, t - 1
            )
            return optimum.weights, {
                "hypotheses": len(pool),
                "active_features": len(pool.index),
                "list_bleu": pool.bleu(optimum.weights),
                **optimum.report,
            }

        return self.weights_stage(t, find)

    def clear(self, iterations: int) -> None:
        """Remove the lists: gigabytes."""
        for t in range(iterations + 1):
            shutil.rmtree(self.settings.run.folder / _lists_of(t), ignore_errors=True)

    def _decoded(
        self, t: int, weights: bytes, saved: SavedShards
    ) -> Iterator[tuple[Sequence[int], KBestLists]]:
        """The lists of each block, with the places of its sentences."""
        with_ter = self.options.objective().with_ter
        work = [KBestWork(block, self.options, self.settings.seed, t, with_ter) for block in self.blocks]
        messages = run_blocks(
            f"iteration {t}",
            work,
            weights,
            job=self.job,
            executor=self.settings.executor,
            saved=saved,
        )
        for block, message in zip(self.blocks, messages, strict=True):
            yield block.positions.tolist(), KBestLists.unpack(message)


class _LazyPool:
    """The pool, read from the lists of the iterations when it is first asked for: a run that has ended never does.

    Args:
        sentences: how many.
        start: packed weights whose features the pool knows from the beginning.
        columns: of the statistics.
        bins: names of all bins: those that no list has are neighbours of others, too.
    """

    def __init__(self, sentences: int, start: bytes, columns: int, bins: Sequence[str]) -> None:
        index = FeatureIndex()
        Weights.unpack(start, index)
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
            self._pool.add(KBestLists.unpack((lists / _LISTS).read_bytes()))
        return self._pool

    def new(self, lists: KBestLists) -> KBestLists:
        """What these would add to those that have been read."""
        return self._pool.new(lists)


def _lists_of(t: int) -> str:
    return f"lists{t:03}"
