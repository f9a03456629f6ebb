"""Batch learners: decode all sentences, add the lists to the pool, optimise over the pool, repeat; with checkpoints."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from demotic.base.errors import warn
from demotic.base.files import atomic_copy
from demotic.decode import TranslationModel
from demotic.evaluate import bleu_score
from demotic.features import FeatureIndex, Weights
from demotic.learn.batch_options import BatchOptions, Optimizer
from demotic.learn.block_work import run_blocks
from demotic.learn.checkpoints import digest, outside_view, task_key
from demotic.learn.decoding import DecodingJob, Recipe
from demotic.learn.degenerate import complaints
from demotic.learn.fold_models import train_fold_models
from demotic.learn.kbest_lists import KBestLists, join
from demotic.learn.kbest_work import KBestWork
from demotic.learn.learner import Learner, LearnSettings, Tuned
from demotic.learn.pool import KBestPool
from demotic.learn.saved_shards import SavedShards
from demotic.learn.shards import make_blocks
from demotic.learn.task import TuningTask

_SENTENCES = 20  # per block; no influence on the result
_LISTS, _WEIGHTS, _ROW = "lists.packed", "weights.packed", "row.json"
Row = dict[str, Any]


class BatchLearner(Learner):
    """An optimiser over k-best lists that grow from iteration to iteration.

    The result is the iteration with the highest BLEU on the held-out sentences or, without any, on those learnt from. It stops
    early when an iteration brings no new hypothesis, when the weights stand still, or when BLEU has not risen for
    `patience` iterations.

    Args:
        name: of the learner.
        options: make the optimiser.
        optimizer: another one.
    """

    def __init__(self, name: str, options: BatchOptions, optimizer: Optimizer | None = None) -> None:
        self.name, self.options = name, options
        self._optimizer = optimizer or options.optimizer()

    def fit(
        self, task: TuningTask, settings: LearnSettings, start: bytes | None = None, since: str = ""
    ) -> Tuned:
        """Learn, with checkpoints after decoding and after optimising.

        Args:
            task: what is learnt from.
            settings: where.
            start: packed weights to start from, whatever the options say.
            since: digest of what else the optimiser depends on.
        """
        fitting = _Fitting(self.options, self._optimizer, task, settings, start, since)
        vectors, history = [fitting.start], []
        fitting.decode(0, fitting.start)
        for t in range(1, self.options.iterations + 1):
            weights, optimum = fitting.optimize(t, vectors[-1])
            decoded = fitting.decode(t, weights)
            history.append(fitting.report({"epoch": t, **optimum, **decoded}, weights, vectors[-1]))
            vectors.append(weights)
            if self._is_done(vectors, history):
                break
        fitting.clear(len(history))
        best = max(range(len(history)), key=lambda t: _quality(history[t]))
        return Tuned(vectors[best + 1], best + 1, history, vectors[1:])

    def _is_done(self, vectors: Sequence[bytes], history: Sequence[Row]) -> bool:
        """Whether more iterations would be in vain."""
        best = max(range(len(history)), key=lambda t: _quality(history[t]))
        waited = len(history) - 1 - best
        return (
            history[-1]["new_hypotheses"] == 0
            or _change(vectors[-2], vectors[-1]) < self.options.tolerance
            or (self.options.patience > 0 and waited >= self.options.patience)
        )


class _Fitting:
    """One call of `fit`: two stages of a run folder per iteration, each keyed by all that has led to it."""

    def __init__(
        self,
        options: BatchOptions,
        optimizer: Optimizer,
        task: TuningTask,
        settings: LearnSettings,
        start: bytes | None,
        since: str,
    ) -> None:
        self.options, self.optimizer, self.task, self.settings = options, optimizer, task, settings
        model = TranslationModel(task.model)
        fold_lms = train_fold_models(model, options.lm_folds, settings)
        self.job = DecodingJob(Recipe(task.model, task.templates, fold_lms, task.groups))
        self.start = start or task.tied(starting_weights(model, options.start, settings.seed))
        self.blocks = make_blocks(task, _SENTENCES, options, len(model.index), settings.seed)
        # More iterations go on where fewer ended, and when to stop is decided anew.
        lasting = replace(options, iterations=1, tolerance=0.0, patience=0)
        self.key = task_key(task, lasting, settings)
        self.since = since
        self.chain = ""  # digest of all weights that have been decoded with
        self.pool = _LazyPool(len(task.examples), self.start, model.bins.names if model.bins else [])

    def decode(self, t: int, weights: bytes) -> Row:
        """Add the lists of these weights to the pool; how good their first hypotheses are."""
        self.chain = digest((self.chain + digest(weights)).encode())
        key = {**self.key, "weights": self.chain}
        saved = SavedShards(self.settings.run.folder / "shards", key)

        def write_lists(folder: Path) -> None:
            lists = join(self._decoded(t, weights, saved), len(self.task.examples))
            fresh = self.pool.new(lists)
            (folder / _LISTS).write_bytes(fresh.pack())
            bleu = bleu_score(lists.best.sum(axis=0, dtype=np.int64))
            row = {"bleu": bleu.score, "length_ratio": bleu.ratio, "new_hypotheses": len(fresh)}
            (folder / _ROW).write_text(json.dumps(row), "utf-8")

        def lists() -> Path:
            return self.settings.run.stage(_lists_of(t), write_lists, options=key, inputs={})

        def work(folder: Path) -> None:
            self.pool.get()
            atomic_copy(lists() / _ROW, folder / _ROW)

        row = self._stage(f"decoded{t:03}", work, key, "decode_seconds")
        saved.clear()
        self.pool.append(lists)
        return row

    def optimize(self, t: int, start: bytes) -> tuple[bytes, Row]:
        """Weights for the pool as it is, and what the optimiser reports."""

        def work(folder: Path) -> None:
            pool = self.pool.get()
            optimum = self.optimizer.optimize(
                pool, Weights.unpack(start, pool.index), self.settings.seed, t - 1
            )
            (folder / _WEIGHTS).write_bytes(optimum.weights.pack())
            row = {
                "hypotheses": len(pool),
                "active_features": len(pool.index),
                "kept_features": len(optimum.weights),
                "list_bleu": pool.bleu(optimum.weights),
                **optimum.report,
            }
            (folder / _ROW).write_text(json.dumps(row), "utf-8")

        key = {**self.key, "weights": self.chain, "since": self.since}
        row = self._stage(f"weights{t:03}", work, key, "learn_seconds")
        return (self.settings.run.folder / f"weights{t:03}" / _WEIGHTS).read_bytes(), row

    def clear(self, iterations: int) -> None:
        """Remove what only a run that goes on would read: gigabytes; it is decoded again if need be."""
        for t in range(iterations + 1):
            shutil.rmtree(self.settings.run.folder / _lists_of(t), ignore_errors=True)

    def report(self, row: Row, weights: bytes, previous: bytes) -> Row:
        """The row with the quality on held-out sentences and what is wrong with the weights; told to whoever looks on."""
        t = row["epoch"]
        row |= outside_view(f"{t:03}", weights, self.task, self.job, self.key, self.settings)
        if found := complaints(Weights.unpack(weights), Weights.unpack(previous), row["length_ratio"]):
            row["degenerate"] = "; ".join(found)
            warn(f"iteration {t}: {row['degenerate']}")
        self.settings.run.log(row)
        self.settings.on_epoch(row)
        return row

    def _decoded(
        self, t: int, weights: bytes, saved: SavedShards
    ) -> Iterator[tuple[Sequence[int], KBestLists]]:
        """The lists of each block, with the places of its sentences."""
        work = [KBestWork(block, self.options, self.settings.seed, t) for block in self.blocks]
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

    def _stage(self, name: str, work: Callable[[Path], None], key: Mapping[str, Any], clock: str) -> Row:
        """Run a stage; its row, with the seconds if it ran now."""
        started = time.perf_counter()
        done: list[bool] = []

        def timed(folder: Path) -> None:
            work(folder)
            done.append(True)

        folder = self.settings.run.stage(name, timed, options=dict(key), inputs={})
        row: Row = json.loads((folder / _ROW).read_text("utf-8"))
        return {**row, clock: round(time.perf_counter() - started, 3)} if done else row


class _LazyPool:
    """The pool, read from the lists of the iterations when it is first asked for: a run that has ended never does.

    Args:
        sentences: how many.
        start: packed weights whose features the pool knows from the beginning.
        bins: names of all bins: those that no list has are neighbours of others, too.
    """

    def __init__(self, sentences: int, start: bytes, bins: Sequence[str]) -> None:
        index = FeatureIndex()
        Weights.unpack(start, index)
        for name in bins:
            index.intern(name)
        self._pool = KBestPool(sentences, index)
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


def starting_weights(model: TranslationModel, start: str, seed: int) -> Weights:
    """The model's weights, none, or for the dense features random ones from N(0, 1)."""
    if start == "model":
        return model.weights
    if start == "zero":
        return Weights.from_dict({})
    names = model.dense_features()
    values = np.random.default_rng(seed).standard_normal(len(names))
    return Weights.from_dict(dict(zip(names, values.tolist(), strict=True)))


def _quality(row: Row) -> float:
    return float(row["held_out_bleu"] if "held_out_bleu" in row else row["bleu"])


def _change(old: bytes, new: bytes) -> float:
    """How far the weights moved, relative to how long they were."""
    index = FeatureIndex()
    before = Weights.unpack(old, index)
    after = Weights.unpack(new, index)
    before.grow()
    length = float(np.linalg.norm(before.values))
    distance = float(np.linalg.norm(after.values - before.values))
    return distance / length if length else float(distance > 0)
