"""What the steps of the recipe share: the division of the training pairs, and how well weights translate what nobody learns from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from demotic.base.errors import DemoticError
from demotic.evaluate import bleu_score
from demotic.features import PackedWeights
from demotic.learn.fitting.fitting import Fitting, Row, WorkOnShard
from demotic.learn.fitting.keys import examples_digest
from demotic.learn.learner import LearnSettings
from demotic.learn.options import CandidateOptions, LeaveOutOptions
from demotic.learn.recipe.blend import END, MIDDLE, Blend, Shares, grid
from demotic.learn.recipe.choosing import (
    STATISTICS,
    ChoiceWork,
    Way,
    best_of,
    standard_error,
    ways_between,
    ways_of_choosing,
)
from demotic.learn.recipe.crossed import Crossed
from demotic.learn.recipe.recipe_options import RecipeOptions
from demotic.learn.task import Example, TuningTask
from demotic.learn.workers.kbest_lists import KBestLists
from demotic.learn.workers.kbest_work import KBestWork
from demotic.learn.workers.message import Message
from demotic.learn.workers.shards import Shard, make_blocks

_SENTENCES = 50  # of a block
_DEV, _HELD_OUT = "dev_bleu", "held_out_bleu"  # figures of the sets that decide


@dataclass(frozen=True)
class Group:
    """Sentences that decide, all of which are translated with the same weights.

    Attributes:
        figure: their BLEU in a row of figures; two groups may share one.
        title: for people.
        half: of the dev set, for which MERT has not seen it; None: weights as for new text.
        blocks: pieces of work, for each of which weights are unpacked once, and blocks of the jackknife.
    """

    figure: str
    title: str
    half: int | None
    blocks: list[Shard]


@dataclass(frozen=True)
class Compared:
    """What several ways of translating are worth.

    Attributes:
        bleu: a row for each way, a column for each set that decides.
        error: standard error of the difference between two of the ways on the first set.
    """

    bleu: npt.NDArray[np.float64]
    error: float


class RecipeFitting(Fitting):
    """The training pairs in two parts: those that are learnt from, and those that decide together with the dev set.

    Args:
        options: of the recipe.
        task: what it learns from.
        settings: where it works.
    """

    def __init__(self, options: RecipeOptions, task: TuningTask, settings: LearnSettings) -> None:
        only_leave_out = LeaveOutOptions(**_leave_out(options))
        self.learnt, chosen = set_aside(task.examples, options.held_out)
        more = {"held_out": examples_digest(task.held_out)}
        super().__init__(only_leave_out, replace(task, examples=chosen, held_out=()), settings, more=more)
        self._options = options

        def group(figure: str, title: str, examples: Sequence[Example], half: int | None = None) -> Group:
            leave_out = only_leave_out if examples is chosen else LeaveOutOptions()
            blocks = make_blocks(replace(task, examples=examples), _SENTENCES, leave_out, settings.seed)
            return Group(figure, title, half, blocks)

        # Whether halves of dev need weights of their own.
        self.crosses = (
            self.starts_with_mert and options.cross_validate and not task.held_out and len(task.dev) > 1
        )
        # The first is the kind of text that the model is for.
        if task.held_out:
            self._groups = [group(_HELD_OUT, "held-out sentences", task.held_out)]
        else:
            if self.crosses:
                dev = [group(_DEV, f"half {half + 1} of dev", task.dev[half::2], half) for half in (0, 1)]
            else:
                dev = [group(_DEV, "dev", task.dev)]
            self._groups = [*dev, group(_HELD_OUT, "pairs set aside", chosen)]
        self._sets = list(dict.fromkeys(each.figure for each in self._groups))

    @property
    def starts_with_mert(self) -> bool:
        """Whether the dense weights are still to be found."""
        tuned = self.task.initial_weights is not None or "tuned" in self.model.values
        return self._options.start == "mert" or (self._options.start == "auto" and not tuned)

    def leave_out(self) -> dict[str, Any]:
        """What training pairs must not have been seen by, for the learner in the middle."""
        return _leave_out(self._options)

    def figures(self, step: str, weights: Crossed[PackedWeights]) -> Row:
        """BLEU of the sets that decide; a training pair is translated as if it were not in the corpus."""

        def jobs(group: Group) -> list[KBestWork]:
            return [KBestWork(block, CandidateOptions(k=1), self.settings.seed, 0) for block in group.blocks]

        def work(folder: Path) -> Row:
            sums = self._sums(
                step, jobs, weights, lambda answer: KBestLists.from_message(answer).best.sum(axis=0)
            )
            scores = {figure: bleu_score(blocks.sum(axis=0)) for figure, blocks in sums.items()}
            ratio = scores[self._sets[0]].ratio
            return {**{figure: score.score for figure, score in scores.items()}, "length_ratio": ratio}

        _, row = self.stage(f"decides.{step}", work, {"weights": _digests(weights)})
        return {**row, "kept_features": weights.whole.features}

    def best_step(self, history: Sequence[Row], tolerance: float) -> int:
        """The step that is kept."""
        return best_of([[row[name] for name in self._sets] for row in history], tolerance)

    def left_of(self, tolerance: float, history: Sequence[Row], kept: int) -> float:
        """What a further choice may lose on dev, so that all of them together lose no more than the tolerance."""
        first = self._sets[0]
        return max(0.0, tolerance + float(history[kept][first] - history[0][first]))

    def blended(self, blends: Crossed[Blend]) -> tuple[Way, float]:
        """The shares of a blend, and the word penalty, that translate best what decides, and what on dev is no loss.

        Hypergraphs are made once, with weights in the middle. The tolerance is the standard error of the difference between the two
        ends on dev.
        """
        shares = grid(self._options.dense_shares, self._options.sparse_shares)
        ways = ways_between(shares, self._options.penalties)
        compared = self._compared("blend", blends, MIDDLE, ways, end=len(shares) - 1)
        return ways[best_of(compared.bleu, compared.error)], compared.error

    def chosen(self, weights: Crossed[PackedWeights], tolerance: float) -> tuple[Way, Row]:
        """The way of choosing translations with these weights that does best on what decides, and its BLEU."""
        ways = ways_of_choosing(END, self._options.mbr_scales, self._options.penalties)
        bleu = self._compared("choice", weights.map(lambda each: Blend(each, each)), END, ways).bleu
        best = best_of(bleu, tolerance)
        figures = {f"chosen_{name}": float(bleu[best][i]) for i, name in enumerate(self._sets)}
        return ways[best], {"chosen": ways[best].values(), **figures}

    def _compared(
        self, name: str, blends: Crossed[Blend], decoded_at: Shares, ways: Sequence[Way], end: int = -1
    ) -> Compared:
        """What ways are worth; the error is that between the first one and `end`."""
        # The key says what is in a row, for runs that an earlier version has begun.
        key = {"ways": [way.values() for way in ways], "figures": ["bleu", "error"]}

        def jobs(group: Group) -> list[ChoiceWork]:
            return [ChoiceWork(block, decoded_at, tuple(ways)) for block in group.blocks]

        def work(folder: Path) -> Row:
            sums = self._sums(name, jobs, blends, lambda answer: np.asarray(answer.arrays[STATISTICS]), key)
            row: Row = {
                figure: [bleu_score(each).score for each in blocks.sum(axis=0)]
                for figure, blocks in sums.items()
            }
            first = sums[self._sets[0]]
            return {**row, "error": standard_error(first[:, 0], first[:, end])}

        _, row = self.stage(name, work, {**key, "weights": _digests(blends)})
        self.settings.run.log({**key, **row})
        return Compared(np.array([row[each] for each in self._sets]).T, row["error"])

    def _sums(
        self,
        name: str,
        jobs: Callable[[Group], Sequence[WorkOnShard]],
        weights: Crossed[PackedWeights] | Crossed[Blend],
        sums_of: Callable[[Message], npt.NDArray[np.int64]],
        key: Mapping[str, Any] | None = None,
    ) -> dict[str, npt.NDArray[np.int64]]:
        """What is counted in the blocks of each set, with the weights that are meant for them; the first dimension is that of blocks."""
        found: dict[str, list[npt.NDArray[np.int64]]] = {}
        for group in self._groups:
            title = f"{name}: {group.title}"
            answers = self.answers(title, jobs(group), weights.of(group.half), key)
            found.setdefault(group.figure, []).extend(map(sums_of, answers))
        return {figure: np.array(blocks) for figure, blocks in found.items()}


def _digests(weights: Crossed[PackedWeights] | Crossed[Blend]) -> list[str]:
    return [each.digest() for each in (weights.whole, *weights.halves)]


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
