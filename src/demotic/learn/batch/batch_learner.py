"""Batch learners: decode all sentences, optimise over what was decoded so far, repeat; with checkpoints."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from demotic.features import FeatureIndex, PackedWeights, Weights
from demotic.learn.batch.batch_fitting import BatchFitting
from demotic.learn.batch.batch_options import BatchOptions
from demotic.learn.batch.list_fitting import ListFitting
from demotic.learn.cost import DataSizes, Decodings
from demotic.learn.fitting.fitting import Row
from demotic.learn.fitting.seconds import add_seconds
from demotic.learn.learner import Learner, LearnSettings, Tuned
from demotic.learn.quality import quality
from demotic.learn.task import TuningTask

MakeFitting = Callable[[Any, TuningTask, LearnSettings], BatchFitting]  # of options that it knows


class BatchLearner(Learner):
    """An optimiser over the translations of a corpus, in turns with decoding.

    The result is the iteration with the highest BLEU (or what the options have as objective) on the held-out sentences or, without
    any, on those learnt from. It stops early when an iteration brings no new hypothesis, when the weights stand still, or when
    the quality has not risen for `patience` iterations.

    Args:
        name: of the learner.
        options: make the optimiser.
        fitting: what is decoded: k-best lists that grow, or hypergraphs.
    """

    def __init__(self, name: str, options: BatchOptions, fitting: MakeFitting = ListFitting) -> None:
        self.name, self.options, self._fitting = name, options, fitting

    def fit(self, task: TuningTask, settings: LearnSettings) -> Tuned:
        """Learn, with checkpoints after decoding and after optimising."""
        fitting = self._fitting(self.options, task, settings)
        vectors, history = [fitting.initial_weights], []
        initial_lists = fitting.decode(0, fitting.initial_weights)
        for t in range(1, self.options.iterations + 1):
            weights, optimum = fitting.optimize(t, vectors[-1])
            decoded = fitting.decode(t, weights)
            # The first iteration also paid for the lists that it began with.
            seconds = add_seconds([initial_lists, optimum, decoded] if t == 1 else [optimum, decoded])
            row = {"epoch": t, **optimum, **decoded, **seconds}
            history.append(fitting.judge(row, weights, vectors[-1]))
            vectors.append(weights)
            if self._is_done(vectors, history):
                break
        fitting.clear(len(history))
        best = _best(history)
        return Tuned(vectors[best + 1], best + 1, history, vectors[1:])

    def decodings(self, sizes: DataSizes) -> Decodings:
        """Everything once before the first iteration and once after each; all lists are kept."""
        rounds = self.options.iterations
        return Decodings(self.options.k, (rounds + 1) * sizes.learnt, rounds * sizes.select, sizes.learnt)

    def _is_done(self, vectors: Sequence[PackedWeights], history: Sequence[Row]) -> bool:
        """Whether more iterations would be in vain."""
        waited = len(history) - 1 - _best(history)
        return (
            history[-1].get("new_hypotheses") == 0
            or _change(vectors[-2], vectors[-1]) < self.options.tolerance
            or (self.options.patience > 0 and waited >= self.options.patience)
        )


def list_learner(options: BatchOptions, name: str) -> BatchLearner:
    """A learner on k-best lists."""
    return BatchLearner(name, options)


def _best(history: Sequence[Row]) -> int:
    return max(range(len(history)), key=lambda t: quality(history[t]) or 0.0)


def _change(old: PackedWeights, new: PackedWeights) -> float:
    """How far the weights moved, relative to how long they were."""
    index = FeatureIndex()
    before = Weights.unpack(old, index)
    after = Weights.unpack(new, index)
    before.grow()
    length = float(np.linalg.norm(before.values))
    distance = float(np.linalg.norm(after.values - before.values))
    return distance / length if length else float(distance > 0)
