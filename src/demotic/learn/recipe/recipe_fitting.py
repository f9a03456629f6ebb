"""What the steps of the recipe share: the division of the training pairs, and how well weights translate those set aside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from demotic.base.errors import DemoticError
from demotic.evaluate import bleu_score
from demotic.features import PackedWeights
from demotic.learn.fitting.fitting import Fitting, Row
from demotic.learn.learner import LearnSettings
from demotic.learn.options import CandidateOptions, LeaveOutOptions
from demotic.learn.recipe.choosing import STATISTICS, ChoiceWork, Way, ways_of_choosing
from demotic.learn.recipe.recipe_options import RecipeOptions
from demotic.learn.task import Example, TuningTask
from demotic.learn.workers.kbest_lists import KBestLists
from demotic.learn.workers.kbest_work import KBestWork
from demotic.learn.workers.shards import make_blocks

_SENTENCES = 20  # decoded as one piece of work; no influence on the result


class RecipeFitting(Fitting):
    """The training pairs in two parts: those that are learnt from, and those that choose.

    Args:
        options: of the recipe.
        task: what it learns from.
        settings: where it works.
    """

    def __init__(self, options: RecipeOptions, task: TuningTask, settings: LearnSettings) -> None:
        only_leave_out = LeaveOutOptions(**_leave_out(options))
        self.learnt, chosen = set_aside(task.examples, options.held_out)
        super().__init__(only_leave_out, replace(task, examples=chosen, dev=()), settings)
        self._options = options
        self._blocks = make_blocks(self.task, _SENTENCES, only_leave_out, settings.seed)

    @property
    def starts_with_mert(self) -> bool:
        """Whether the dense weights are still to be found."""
        tuned = self.task.initial_weights is not None or "tuned" in self.model.values
        return self._options.start == "mert" or (self._options.start == "auto" and not tuned)

    def leave_out(self) -> dict[str, Any]:
        """What training pairs must not have been seen by, for the learner in the middle."""
        return _leave_out(self._options)

    def held_out_bleu(self, step: str, weights: PackedWeights) -> Row:
        """BLEU of the training pairs that were set aside, each translated as if it were not in the corpus."""

        def work(folder: Path) -> Row:
            jobs = [KBestWork(block, CandidateOptions(k=1), self.settings.seed, 0) for block in self._blocks]
            answers = self.answers(f"pairs set aside, {step}", jobs, weights)
            best = np.concatenate([KBestLists.from_message(answer).best for answer in answers])
            score = bleu_score(best.sum(axis=0, dtype=np.int64))
            return {"held_out_bleu": score.score, "length_ratio": score.ratio}

        _, row = self.stage(f"set_aside.{step.replace(' ', '_')}", work, {"weights": weights.digest()})
        return {**row, "kept_features": weights.features}

    def chosen(self, weights: PackedWeights) -> tuple[Way, Row]:
        """The way of choosing translations that does best on the pairs that were set aside, and its BLEU; of equals the first."""
        ways = ways_of_choosing(self._options.mbr_scales, self._options.penalties)

        def work(folder: Path) -> Row:
            jobs = [ChoiceWork(block, tuple(ways)) for block in self._blocks]
            answers = self.answers("pairs set aside, consensus", jobs, weights, key)
            sums = sum(answer.arrays[STATISTICS] for answer in answers)
            return {"bleu": [bleu_score(row).score for row in np.asarray(sums)]}

        key = {"ways": [way.values() for way in ways]}
        _, row = self.stage("choice", work, {**key, "weights": weights.digest()})
        best = int(np.argmax(row["bleu"]))
        self.settings.run.log({**key, **row})
        return ways[best], {"chosen": ways[best].values(), "chosen_bleu": row["bleu"][best]}


def set_aside(examples: Sequence[Example], count: int) -> tuple[list[Example], list[Example]]:
    """Examples to learn from, and evenly spaced ones that are set aside.

    Raises:
        DemoticError: if there are too few.
    """
    count = min(count, len(examples) // 5)
    if count == 0:
        raise DemoticError(f"the recipe needs at least 5 training pairs (got {len(examples)})")
    places = {i * len(examples) // count for i in range(count)}
    learnt = [example for i, example in enumerate(examples) if i not in places]
    return learnt, [examples[i] for i in sorted(places)]


def _leave_out(options: LeaveOutOptions) -> dict[str, Any]:
    return {field.name: getattr(options, field.name) for field in fields(LeaveOutOptions)}
