"""Online learners under algorithms 1 to 4 of Simianer, Riezler and Dyer (2012), with checkpoints."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

from demotic._core import FeatureColumns
from demotic.base.errors import DemoticError
from demotic.features import Weights
from demotic.learn.algorithms import (
    EVERYTHING,
    EpochOutcome,
    EpochStep,
    ParallelShards,
    iter_mix_sgd,
    iter_sel_sgd,
    mix_sgd,
)
from demotic.learn.checkpoints import digest, outside_view, task_key
from demotic.learn.decoding import DecodingJob, Recipe
from demotic.learn.fold_models import train_fold_models
from demotic.learn.learner import Learner, LearnSettings, Tuned
from demotic.learn.online import RuleOptions, Stretch
from demotic.learn.options import SelectionOptions
from demotic.learn.saved_shards import SavedShards
from demotic.learn.shards import make_shards
from demotic.learn.task import TuningTask

Algorithm = Literal["sgd", "mix", "itermix", "itersel"]
_WEIGHTS, _ROWS = "weights.packed", "statistics.json"


class OnlineLearner(Learner):
    """An online rule under one of the four algorithms.

    Args:
        name: of the learner.
        algorithm: `sgd` (1), `mix` (2), `itermix` (3) or `itersel` (4).
        options: make the rule; for `itersel` also `SelectionOptions`.
        average: with `sgd`, return the mean of the weights after each epoch, as algorithm 1 does, instead of the last.
    """

    def __init__(self, name: str, algorithm: Algorithm, options: RuleOptions, average: bool = True) -> None:
        self.name, self.algorithm, self.average = name, algorithm, average
        if algorithm == "sgd":  # one shard, whatever the number of sentences
            options = replace(options, shards=1, shard_by="")
        if isinstance(options, SelectionOptions) and algorithm != "itersel":
            off: dict[str, Any] = {"select": 0, "select_by": "weights"}
            options = replace(options, **off)
        self.options = options

    def fit(self, task: TuningTask, settings: LearnSettings) -> Tuned:
        """Learn, with a checkpoint after every epoch."""
        fitting = _Fitting(self.algorithm, self.options, task, settings)
        if self.algorithm == "mix":
            if self.options.report_every:
                raise DemoticError(
                    "shards that meet at the end only cannot report before", hint="leave report_every out"
                )
            return fitting.mix()
        step: EpochStep = iter_mix_sgd
        if self.algorithm == "itersel":
            if not isinstance(self.options, SelectionOptions):
                raise ValueError(f"{self.name} has no options for feature selection")
            step = iter_sel_sgd(self.options, fitting.dense)
        return fitting.iterate(step, average=self.average and self.algorithm == "sgd")


def one_or_mixed(name: str, options: RuleOptions, average: bool = True) -> OnlineLearner:
    """A learner on one shard (algorithm 1) or, if the options ask for several, on shards that are mixed (algorithm 3)."""
    is_one = options.shards == 1 and not options.shard_by
    return OnlineLearner(name, "sgd" if is_one else "itermix", options, average)


class _Fitting:
    """One call of `fit`: stages of a run folder, each keyed by everything that it depends on."""

    def __init__(self, name: str, options: RuleOptions, task: TuningTask, settings: LearnSettings) -> None:
        self.options, self.task, self.settings = options, task, settings
        model = settings.model(task.model)
        self.dense = model.dense_features()
        fold_lms = train_fold_models(model, options.lm_folds, settings)
        self.job = DecodingJob(Recipe(task.model, task.templates, fold_lms, task.groups))
        weights = options.first(task.model_weights()) if options.start == "model" else Weights.from_dict({})
        self.start = task.tied(weights)
        self.key = {
            "algorithm": name,
            **task_key(task, replace(options, epochs=1), settings),  # more epochs go on where fewer ended
        }
        self.shards = ParallelShards(
            settings.executor,
            self.job,
            make_shards(task, options, len(model.index), settings.seed),
            options,
            settings.seed,
            SavedShards(settings.run.folder / "shards", self.key),
        )

    def iterate(self, step: EpochStep, average: bool) -> Tuned:
        """Algorithms 1, 3 and 4. `average`: the result is the mean of the weights after each epoch, as in algorithm 1."""
        v, averages = self.start, FeatureColumns()
        vectors: list[bytes] = []
        results: list[bytes] = []
        history: list[dict[str, Any]] = []
        for t in self._stretches():
            v, (row,) = self._learn(t.name, v, partial(_nth, step, t))
            if average:
                averages.add(v)
            vectors.append(v)
            results.append(averages.select(EVERYTHING) if average else v)
            history.append(self._report(t.name, row, results[-1]))
        best = max(range(len(results)), key=lambda t: history[t].get("held_out_bleu", t))
        return Tuned(results[best], history[best]["epoch"], history, vectors)

    def mix(self) -> Tuned:
        """Algorithm 2: one stage and one vector, since shards do not meet before the end."""
        epochs = self.options.epochs
        weights, rows = self._learn(f"mix{epochs:03}", self.start, partial(mix_sgd, epochs=epochs))
        last = self._report(f"mix{epochs:03}", rows[-1], weights)
        return Tuned(weights, epochs, [*rows[:-1], last], [weights])

    def _stretches(self) -> list[Stretch]:
        every = self.options.report_every
        parts = -(-len(self.task.examples) // every) if every else 1
        return [Stretch(t, part, parts) for t in range(self.options.epochs) for part in range(parts)]

    def _learn(
        self, name: str, start: bytes, step: Callable[[ParallelShards, bytes], EpochOutcome]
    ) -> tuple[bytes, list[dict[str, Any]]]:
        """Learn on all shards unless it has been done before; the weights and a row per stretch."""

        def work(folder: Path) -> None:
            outcome = step(self.shards, start)
            features = {"active_features": outcome.features, "kept_features": outcome.kept}
            rows = []
            for t, statistics in self.shards.statistics.items():
                part = {"sentences": statistics.sentences} if t.parts > 1 else {}
                rows.append({"epoch": t.epoch + 1, **part, **statistics.summary(), **features})
                seconds.append(statistics.seconds())
            (folder / _WEIGHTS).write_bytes(outcome.weights)
            (folder / _ROWS).write_text(json.dumps(rows), "utf-8")

        seconds: list[dict[str, float]] = []  # of what was learnt now, not before
        folder = self.settings.run.stage(name, work, options={**self.key, "start": digest(start)}, inputs={})
        self.shards.saved.clear()
        known = json.loads((folder / _ROWS).read_text("utf-8"))
        rows = [row | spent for row, spent in zip(known, seconds or [{}] * len(known), strict=True)]
        return (folder / _WEIGHTS).read_bytes(), rows

    def _report(self, name: str, row: dict[str, Any], weights: bytes) -> dict[str, Any]:
        """A row with the quality on held-out sentences, if there are any; told to whoever looks on."""
        row = row | outside_view(name, weights, self.task, self.job, self.key, self.settings)
        self.settings.run.log(row)
        self.settings.on_epoch(row)
        return row


def _nth(step: EpochStep, t: Stretch, shards: ParallelShards, start: bytes) -> EpochOutcome:
    """Stretch t of an algorithm."""
    return step(shards, start, t)
