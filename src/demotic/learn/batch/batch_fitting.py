"""One run of a batch learner: decoding and optimising in turns, on the skeleton that all learners share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np

from demotic.base.digests import digest_of
from demotic.base.errors import warn
from demotic.decode import TranslationModel
from demotic.evaluate import BLEU
from demotic.evaluate.bleu import BLEU_ORDER
from demotic.features import PackedWeights, Weights
from demotic.learn.batch.batch_options import BatchOptions
from demotic.learn.fitting.degenerate import complaints
from demotic.learn.fitting.fitting import Fitting, Row
from demotic.learn.learner import LearnSettings
from demotic.learn.task import TuningTask
from demotic.learn.workers.shards import make_blocks

_SENTENCES = 20  # per block; no influence on the result


class BatchFitting(Fitting, ABC):
    """What the loop of a batch learner asks for; what is decoded and how it is kept is up to those who derive from this.

    Args:
        options: of the learner.
        task: what it learns from.
        settings: where it works.
        since: digest of what else the optimiser depends on.
    """

    def __init__(
        self, options: BatchOptions, task: TuningTask, settings: LearnSettings, since: str = ""
    ) -> None:
        super().__init__(options, task, settings, lasting=options.lasting())
        _warn_of_short_references(task, options)
        self.options, self._since = options, since
        self.initial_weights = task.tied(initial_weights(task, self.model, options.start, settings.seed))
        self.blocks = make_blocks(task, _SENTENCES, options, settings.seed)
        self._chain = ""  # digest of all weights that have been decoded with

    @abstractmethod
    def decode(self, t: int, weights: PackedWeights) -> Row:
        """Make ready to optimise with what these weights translate; how good their translations are."""

    @abstractmethod
    def optimize(self, t: int, initial: PackedWeights) -> tuple[PackedWeights, Row]:
        """Better weights for all that has been decoded, and what the optimiser reports."""

    def clear(self, iterations: int) -> None:
        """Remove what only a run that goes on would read; it is decoded again if need be."""

    def judge(self, row: Row, weights: PackedWeights, previous: PackedWeights) -> Row:
        """The report of an iteration, with what is wrong with its weights, if anything."""
        if found := complaints(Weights.unpack(weights), Weights.unpack(previous), row["length_ratio"]):
            row["degenerate"] = "; ".join(found)
            part = f"{self.settings.run.folder.name}, " if self.settings.shared else ""
            warn(f"{part}iteration {row['epoch']}: {row['degenerate']}")
        return self.report(f"{row['epoch']:03}", row, weights, self.options.objective())

    def extend_chain(self, weights: PackedWeights) -> dict[str, Any]:
        """The key of what these weights decode, after all before."""
        self._chain = digest_of((self._chain + weights.digest()).encode())
        return {"weights": self._chain}

    def optimize_stage(
        self, t: int, find: Callable[[], tuple[PackedWeights, Row]]
    ) -> tuple[PackedWeights, Row]:
        """The stage of an optimiser: its weights, and what it reports."""

        def work() -> tuple[PackedWeights, Row]:
            weights, report = find()
            return weights, {"kept_features": weights.features, **report}

        key = {"weights": self._chain, "since": self._since}
        return self.weights_stage(f"weights{t:03}", work, key, "learn_seconds")


def _warn_of_short_references(task: TuningTask, options: BatchOptions) -> None:
    """One-word lines, as in a glossary, have no n-grams of the highest order of BLEU, which is 0 however good translations are."""
    longest = max((len(words) for each in task.examples for words in each.reference_words()), default=0)
    if longest < BLEU_ORDER and options.objective() is BLEU:
        warn(
            f"no reference has {BLEU_ORDER} words, so BLEU cannot tell good weights from bad ones: "
            "tune with another metric, --learner mert --set metric=chrf"
        )


def initial_weights(task: TuningTask, model: TranslationModel, start: str, seed: int) -> Weights:
    """The model's weights or those that the task has instead, none, or for the dense features random ones from N(0, 1)."""
    if start == "model":
        return task.model_weights()
    if start == "zero":
        return Weights.from_dict({})
    names = model.dense_features()
    values = np.random.default_rng(seed).standard_normal(len(names))
    return Weights.from_dict(dict(zip(names, values.tolist(), strict=True)))
