"""The steps of an iteration of OSCAR, each with a checkpoint: tuples, groups, weights of groups."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from demotic.base.digests import digest_of
from demotic.evaluate import bleu_score
from demotic.features import FeatureGroups, PackedWeights
from demotic.features.groups import GROUPS
from demotic.learn.batch.batch_learner import BatchLearner
from demotic.learn.fitting.fitting import Fitting, Row
from demotic.learn.fitting.seconds import add_seconds
from demotic.learn.learner import LearnSettings
from demotic.learn.oscar.grouping import group_features
from demotic.learn.oscar.oscar_options import OscarOptions
from demotic.learn.oscar.tuples import Tuples, TupleWork, merge
from demotic.learn.task import TuningTask
from demotic.learn.workers.message import Message
from demotic.learn.workers.shards import divide, make_blocks

_SENTENCES = 20  # decoded as one piece of work; no influence on the result
_TUPLES = "tuples.packed"


class OscarFitting(Fitting):
    """The steps of an iteration of algorithm 1, each a stage.

    Args:
        options: of the learner.
        task: what it learns from.
        settings: where it works.
    """

    def __init__(self, options: OscarOptions, task: TuningTask, settings: LearnSettings) -> None:
        lasting = replace(options, iterations=1)  # more iterations go on where fewer ended
        super().__init__(options, task, settings, lasting=lasting)
        self.options = options
        self.initial_weights = task.model_weights().pack()
        self._blocks = make_blocks(task, _SENTENCES, options, settings.seed)
        # Tuples have been decoded when they are divided: folds do not matter any more.
        self._shards = divide(task.examples, options, len(self.model.index), settings.seed)
        self._chain = ""  # digest of all weights that have been decoded with
        self._tuples: list[Path] = []  # of each iteration

    def decode(self, i: int, weights: PackedWeights) -> Row:
        """Line 3: the tuples of training data under these weights."""
        self._chain = digest_of((self._chain + weights.digest()).encode())
        key = {"weights": self._chain}

        def work(folder: Path) -> Row:
            parts = [TupleWork(block, self.options, self.settings.seed, i) for block in self._blocks]
            tuples = merge(map(Tuples.from_message, self.answers(f"iteration {i}", parts, weights, key)))
            (folder / _TUPLES).write_bytes(tuples.message().pack())
            return {"train_bleu": bleu_score(tuples.best).score, "pairs": len(tuples)}

        folder, row = self.stage(f"tuples{i:03}", work, key, "decode_seconds")
        self._tuples.append(folder)
        return row

    def group(self, i: int, weights: PackedWeights) -> tuple[Path, Row]:
        """Line 4: algorithm 2 on the tuples so far; the file of the groups."""

        def work(folder: Path) -> Row:
            kept = self._tuples[-self.options.keep :] if self.options.keep else self._tuples
            packed = ((each / _TUPLES).read_bytes() for each in kept)
            tuples = merge(Tuples.from_message(Message.unpack(each)) for each in packed)
            seed = int(np.random.SeedSequence((self.settings.seed, i)).generate_state(1, np.uint64)[0])
            found = group_features(
                tuples, weights, self.options, self._shards, self.settings.executor, self.job, seed
            )
            groups = found.groups()
            groups.save(folder / GROUPS)
            return {
                "grouping_loss": found.report["loss"],
                "tuples": found.report["tuples"],
                "active_features": found.report["dimension"],
                "kept_features": groups.features,
                "groups": len(groups),
            }

        folder, row = self.stage(f"groups{i:03}", work, {"weights": self._chain}, "learn_seconds")
        return folder / GROUPS, row

    def tune(self, i: int, groups: Path, weights: PackedWeights) -> tuple[PackedWeights, Row]:
        """Lines 5 and 6: weights of the groups by PRO on the dev set, unpacked, and their BLEU there."""
        model, templates, dev = self.task.model, self.task.templates, self.task.dev
        task = TuningTask(model, templates, dev, groups=groups, initial_weights=weights)
        with self.settings.part(f"pro{i:03}") as settings:
            tuned = BatchLearner("pro", replace(self.options.pro, start="model")).fit(task, settings)
        untied = FeatureGroups.load(groups).untie(tuned.weights)
        return untied, {"bleu": tuned.bleu, "weights": untied.features, **add_seconds(tuned.history)}
