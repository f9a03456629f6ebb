"""One run of a batch learner: stages of a run folder, each keyed by all that has led to it."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from demotic.base.errors import warn
from demotic.decode import TranslationModel
from demotic.features import Weights
from demotic.learn.batch_options import BatchOptions
from demotic.learn.checkpoints import digest, outside_view, task_key
from demotic.learn.decoding import DecodingJob, Recipe
from demotic.learn.degenerate import complaints
from demotic.learn.fold_models import train_fold_models
from demotic.learn.learner import LearnSettings
from demotic.learn.shards import make_blocks
from demotic.learn.task import TuningTask
from demotic.learn.timed_stage import timed_stage

ROW, WEIGHTS = "row.json", "weights.packed"
_SENTENCES = 20  # per block; no influence on the result
Row = dict[str, Any]


class Fitting(ABC):
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
        self.options, self.task, self.settings, self.since = options, task, settings, since
        self.model = settings.model(task.model)
        fold_lms = train_fold_models(self.model, options.lm_folds, settings)
        self.job = DecodingJob(Recipe(task.model, task.templates, fold_lms, task.groups))
        self.start = task.tied(starting_weights(task, self.model, options.start, settings.seed))
        self.blocks = make_blocks(task, _SENTENCES, options, len(self.model.index), settings.seed)
        self.key = task_key(task, options.lasting(), settings)
        self.chain = ""  # digest of all weights that have been decoded with

    @abstractmethod
    def decode(self, t: int, weights: bytes) -> Row:
        """Make ready to optimise with what these weights translate; how good their translations are."""

    @abstractmethod
    def optimize(self, t: int, start: bytes) -> tuple[bytes, Row]:
        """Better weights for all that has been decoded, and what the optimiser reports."""

    def clear(self, iterations: int) -> None:  # noqa: B027 - only some leave much behind
        """Remove what only a run that goes on would read; it is decoded again if need be."""

    def report(self, row: Row, weights: bytes, previous: bytes) -> Row:
        """The row with the quality on held-out sentences and what is wrong with the weights; told to whoever looks on."""
        t = row["epoch"]
        row |= outside_view(
            f"{t:03}", weights, self.task, self.job, self.key, self.settings, self.options.objective()
        )
        if found := complaints(Weights.unpack(weights), Weights.unpack(previous), row["length_ratio"]):
            row["degenerate"] = "; ".join(found)
            warn(f"iteration {t}: {row['degenerate']}")
        self.settings.run.log(row)
        self.settings.on_epoch(row)
        return row

    def extend_chain(self, weights: bytes) -> Row:
        """The key of what these weights decode, after all before."""
        self.chain = digest((self.chain + digest(weights)).encode())
        return {**self.key, "weights": self.chain}

    def stage(self, name: str, work: Callable[[Path], None], key: Mapping[str, Any], clock: str) -> Row:
        """Run a stage that leaves a row; the row, with the seconds if it ran now."""
        folder, seconds = timed_stage(self.settings.run, name, work, key, clock)
        row: Row = json.loads((folder / ROW).read_text("utf-8"))
        return row | seconds

    def weights_stage(
        self, t: int, find: Callable[[], tuple[Weights, Mapping[str, float]]]
    ) -> tuple[bytes, Row]:
        """The stage of an optimiser: its weights, packed, and what it reports."""

        def work(folder: Path) -> None:
            weights, report = find()
            (folder / WEIGHTS).write_bytes(weights.pack())
            row = {"kept_features": len(weights), **report}
            (folder / ROW).write_text(json.dumps(row), "utf-8")

        key = {**self.key, "weights": self.chain, "since": self.since}
        row = self.stage(f"weights{t:03}", work, key, "learn_seconds")
        return (self.settings.run.folder / f"weights{t:03}" / WEIGHTS).read_bytes(), row


def starting_weights(task: TuningTask, model: TranslationModel, start: str, seed: int) -> Weights:
    """The model's weights or those that the task has instead, none, or for the dense features random ones from N(0, 1)."""
    if start == "model":
        return task.model_weights()
    if start == "zero":
        return Weights.from_dict({})
    names = model.dense_features()
    values = np.random.default_rng(seed).standard_normal(len(names))
    return Weights.from_dict(dict(zip(names, values.tolist(), strict=True)))
