"""OSCAR: tuning with a large number of features by grouping them (Liu, Zhao, Watanabe and Sumita 2013), algorithm 1."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from demotic.base.errors import DemoticError
from demotic.evaluate import bleu_score
from demotic.features import FeatureGroups, Weights
from demotic.features.groups import GROUPS
from demotic.learn.batch_learner import BatchLearner
from demotic.learn.block_work import run_blocks
from demotic.learn.checkpoints import digest, outside_view, task_key
from demotic.learn.decoding import DecodingJob, Recipe
from demotic.learn.fold_models import train_fold_models
from demotic.learn.grouping import GroupingOptions, group_features
from demotic.learn.learner import Learner, LearnSettings, Tuned
from demotic.learn.options import ShardOptions
from demotic.learn.pro import ProOptions
from demotic.learn.saved_shards import SavedShards
from demotic.learn.shards import divide, make_blocks
from demotic.learn.task import TuningTask
from demotic.learn.timed_stage import add_seconds, timed_stage
from demotic.learn.tuples import TupleOptions, Tuples, TupleWork, merge

_SENTENCES = 20  # decoded as one piece of work; no influence on the result
_TUPLES, _ROW = "tuples.packed", "row.json"


@dataclass(frozen=True)
class OscarOptions(TupleOptions, GroupingOptions, ShardOptions):
    """OSCAR; defaults: section 5 of the paper.

    Training data are decoded in parallel whatever the number of shards; `shards` divides the tuples of algorithm 2. `iterations` of
    `pro` are those within each iteration of algorithm 1; its starting weights are always those of the iteration before.
    """

    iterations: int = 15  # T
    shards: int = 1  # of grouping; more: iterative mixing; 0: about 1,000 sentences a shard
    keep: int = 0  # iterations whose tuples are kept, the newest ones; 0: all, as the paper merges lists
    pro: ProOptions = field(default_factory=lambda: ProOptions(iterations=10))

    def __post_init__(self) -> None:
        TupleOptions.__post_init__(self)
        GroupingOptions.__post_init__(self)
        ShardOptions.__post_init__(self)
        if self.iterations < 1 or self.keep < 0:
            raise DemoticError(
                f"{self.iterations} iterations, tuples of {self.keep} kept",
                hint="at least 1 iteration; keep 0 or more",
            )
        if self.leave_out == "shard":
            raise DemoticError(
                "all data are decoded before they are divided into shards",
                hint="leave_out is sentence, fold or none",
            )


class OscarLearner(Learner):
    """Learns groups of sparse features on training data, tunes a weight per group on a dev set, and repeats.

    The result is the last iteration, as in the paper, or the best on held-out sentences if there are any. The weights are unpacked: each
    feature has the weight of its group; the groups come with them.
    """

    name = "oscar"
    uses_dev = True
    uses_groups = False

    def __init__(self, options: OscarOptions) -> None:
        self.options = options

    def fit(self, task: TuningTask, settings: LearnSettings) -> Tuned:
        """Algorithm 1, with checkpoints after each of its steps."""
        if not task.dev:
            raise DemoticError(
                "OSCAR groups features on training data and tunes the groups on a dev set",
                hint="give --on-train, and --src and --ref of the dev set",
            )
        if not task.templates:
            raise DemoticError("no sparse features to group", hint="add --features id")
        fitting = _Fitting(self.options, task, settings)
        vectors, groups, history = [fitting.start], [], []
        for i in range(1, self.options.iterations + 1):
            row = {"epoch": i, **fitting.decode(i, vectors[-1])}
            found, figures = fitting.group(i, vectors[-1])
            weights, tuned = fitting.tune(i, found, vectors[-1])
            seconds = add_seconds([row, figures, tuned])
            history.append(fitting.report({**row, **figures, **tuned, **seconds}, weights))
            vectors.append(weights)
            groups.append(found)
        best = max(range(len(history)), key=lambda i: history[i].get("held_out_bleu", i))
        return Tuned(vectors[best + 1], best + 1, history, vectors[1:], groups[best].read_bytes())


class _Fitting:
    """One call of `fit`: the steps of an iteration are stages of a run folder, keyed by all that has led to them."""

    def __init__(self, options: OscarOptions, task: TuningTask, settings: LearnSettings) -> None:
        self.options, self.task, self.settings = options, task, settings
        model = settings.model(task.model)
        fold_lms = train_fold_models(model, options.lm_folds, settings)
        self.job = DecodingJob(Recipe(task.model, task.templates, fold_lms))
        self.start = task.model_weights().pack()
        self.blocks = make_blocks(task, _SENTENCES, options, len(model.index), settings.seed)
        # Tuples have been decoded when they are divided: folds do not matter any more.
        self.shards = divide(task.examples, options, settings.seed)
        # More iterations go on where fewer ended.
        self.key = task_key(task, replace(options, iterations=1), settings)
        self.chain = ""  # digest of all weights that have been decoded with
        self.tuples: list[Path] = []  # of each iteration

    def decode(self, i: int, weights: bytes) -> dict[str, Any]:
        """Line 3: the tuples of training data under these weights."""
        self.chain = digest((self.chain + digest(weights)).encode())
        key = {**self.key, "weights": self.chain}
        saved = SavedShards(self.settings.run.folder / "shards", key)

        def work(folder: Path) -> None:
            tuples = merge(self._decoded(i, weights, saved))
            (folder / _TUPLES).write_bytes(tuples.pack())
            row = {"train_bleu": bleu_score(tuples.best).score, "pairs": len(tuples)}
            (folder / _ROW).write_text(json.dumps(row), "utf-8")

        folder, seconds = timed_stage(self.settings.run, f"tuples{i:03}", work, key, "decode_seconds")
        saved.clear()
        self.tuples.append(folder)
        row: dict[str, Any] = json.loads((folder / _ROW).read_text("utf-8"))
        return row | seconds

    def group(self, i: int, weights: bytes) -> tuple[Path, dict[str, Any]]:
        """Line 4: algorithm 2 on the tuples so far; the file of the groups."""

        def work(folder: Path) -> None:
            kept = self.tuples[-self.options.keep :] if self.options.keep else self.tuples
            tuples = merge(Tuples.unpack((each / _TUPLES).read_bytes()) for each in kept)
            seed = int(np.random.SeedSequence((self.settings.seed, i)).generate_state(1, np.uint64)[0])
            found = group_features(
                tuples, weights, self.options, self.shards, self.settings.executor, self.job, seed
            )
            groups = found.groups()
            groups.save(folder / GROUPS)
            row = {
                "grouping_loss": found.report["loss"],
                "tuples": found.report["tuples"],
                "active_features": found.report["dimension"],
                "kept_features": groups.features,
                "groups": len(groups),
            }
            (folder / _ROW).write_text(json.dumps(row), "utf-8")

        key = {**self.key, "weights": self.chain}
        folder, seconds = timed_stage(self.settings.run, f"groups{i:03}", work, key, "learn_seconds")
        row: dict[str, Any] = json.loads((folder / _ROW).read_text("utf-8"))
        return folder / GROUPS, row | seconds

    def tune(self, i: int, groups: Path, weights: bytes) -> tuple[bytes, dict[str, Any]]:
        """Lines 5 and 6: weights of the groups by PRO on the dev set, unpacked, and their BLEU there."""
        grouped = FeatureGroups.load(groups)
        model, templates, dev = self.task.model, self.task.templates, self.task.dev
        task = TuningTask(model, templates, dev, groups=groups, start=weights)
        with self.settings.part(f"pro{i:03}") as settings:
            tuned = BatchLearner("pro", replace(self.options.pro, start="model")).fit(task, settings)
        return grouped.untie(tuned.weights), {"bleu": tuned.bleu, **add_seconds(tuned.history)}

    def report(self, row: dict[str, Any], weights: bytes) -> dict[str, Any]:
        """The row with the quality on other sentences; told to whoever looks on."""
        row = row | {"weights": len(Weights.unpack(weights))}
        row |= outside_view(f"{row['epoch']:03}", weights, self.task, self.job, self.key, self.settings)
        self.settings.run.log(row)
        self.settings.on_epoch(row)
        return row

    def _decoded(self, i: int, weights: bytes, saved: SavedShards) -> Iterator[Tuples]:
        work = [TupleWork(block, self.options, self.settings.seed, i) for block in self.blocks]
        messages = run_blocks(
            f"iteration {i}",
            work,
            weights,
            job=self.job,
            executor=self.settings.executor,
            saved=saved,
        )
        return map(Tuples.unpack, messages)
