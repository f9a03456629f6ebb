"""What the steps of the recipe share: the division of the training pairs, and how well weights translate what nobody learns from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from demotic.base.errors import DemoticError
from demotic.evaluate import BLEU, bleu_score
from demotic.features import PackedWeights
from demotic.learn.fitting.fitting import Fitting, Row
from demotic.learn.fitting.keys import examples_digest
from demotic.learn.learner import LearnSettings
from demotic.learn.options import CandidateOptions, LeaveOutOptions
from demotic.learn.recipe.blend import END, MIDDLE, START, Blend, Shares, grid
from demotic.learn.recipe.choosing import (
    STATISTICS,
    ChoiceWork,
    Way,
    best_of,
    standard_error,
    ways_between,
    ways_of_choosing,
    without_optimism,
)
from demotic.learn.recipe.recipe_options import RecipeOptions
from demotic.learn.task import Example, TuningTask
from demotic.learn.workers.kbest_lists import KBestLists
from demotic.learn.workers.kbest_work import KBestWork
from demotic.learn.workers.shards import Shard, make_blocks

_SENTENCES = 50  # one piece of work, for which weights are unpacked once, and a block of the jackknife
_DEV, _HELD_OUT = "dev_bleu", "held_out_bleu"  # figures of the sets that decide


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
        given = replace(task, examples=task.held_out or task.dev)
        blocks = make_blocks(given, _SENTENCES, LeaveOutOptions(), settings.seed)
        # The first is the kind of text that the model is for.
        self._sets = {_HELD_OUT: blocks} if task.held_out else {_DEV: blocks}
        if not task.held_out:
            self._sets[_HELD_OUT] = make_blocks(self.task, _SENTENCES, only_leave_out, settings.seed)

    @property
    def starts_with_mert(self) -> bool:
        """Whether the dense weights are still to be found."""
        tuned = self.task.initial_weights is not None or "tuned" in self.model.values
        return self._options.start == "mert" or (self._options.start == "auto" and not tuned)

    def leave_out(self) -> dict[str, Any]:
        """What training pairs must not have been seen by, for the learner in the middle."""
        return _leave_out(self._options)

    def figures(self, step: str, weights: PackedWeights) -> Row:
        """BLEU of the sets that decide; a training pair is translated as if it were not in the corpus."""

        def work(folder: Path) -> Row:
            best = self._best(step, self._blocks(), weights)
            scores = {name: bleu_score(blocks.sum(axis=0)) for name, blocks in self._by_set(best).items()}
            ratio = next(iter(scores.values())).ratio
            return {**{name: score.score for name, score in scores.items()}, "length_ratio": ratio}

        _, row = self.stage(f"decides.{step}", work, {"weights": weights.digest()})
        return {**row, "kept_features": weights.features}

    def optimism(self, dev_bleu: float, halves: Sequence[PackedWeights]) -> float:
        """By how much BLEU of the dev set flatters the weights of MERT, by cross-validation.

        Each half of dev is translated with the weights that MERT found on the other half. Let a / n be what n sentences flatter and what
        weights tuned on them lack elsewhere. Then this comes out 3a / n below BLEU of dev with the weights of all n, and the same weights
        on other text 2a / n below: two thirds of the difference.

        Args:
            dev_bleu: of the whole dev set with the weights that were tuned on it.
            halves: weights that were tuned on the sentences with even and with odd numbers.
        """

        def work(folder: Path) -> Row:
            sums = np.zeros(BLEU.columns, dtype=np.int64)
            for half, weights in enumerate(halves):
                others = replace(self.task, examples=self.task.dev[1 - half :: 2])
                blocks = make_blocks(others, _SENTENCES, LeaveOutOptions(), self.settings.seed)
                sums += np.sum(self._best(f"half {half + 1}", blocks, weights), axis=0)
            return {"cross_validated_bleu": bleu_score(sums).score}

        _, row = self.stage("decides.halves", work, {"weights": [weights.digest() for weights in halves]})
        return max(0.0, 2 / 3 * (dev_bleu - float(row["cross_validated_bleu"])))

    def best_step(self, history: Sequence[Row], tolerance: float, optimism: float) -> int:
        """The step that is kept; BLEU of dev flatters the first one."""
        return best_of(self._lowered(history, optimism), tolerance)

    def _best(
        self, name: str, blocks: Iterable[Shard], weights: PackedWeights
    ) -> list[npt.NDArray[np.int64]]:
        """BLEU statistics of the best translations of each block."""
        jobs = [KBestWork(block, CandidateOptions(k=1), self.settings.seed, 0) for block in blocks]
        answers = self.answers(f"what decides, {name}", jobs, weights)
        return [KBestLists.from_message(answer).best.sum(axis=0, dtype=np.int64) for answer in answers]

    def left_of(self, tolerance: float, history: Sequence[Row], kept: int, optimism: float) -> float:
        """What a further choice may lose on dev, so that all of them together lose no more than the tolerance."""
        bleu = self._lowered(history, optimism)[:, 0]
        return max(0.0, tolerance + float(bleu[kept] - bleu[0]))

    def _lowered(self, history: Sequence[Row], optimism: float) -> npt.NDArray[np.float64]:
        """BLEU of the steps on what decides, that of the first weights on dev without its optimism."""
        bleu = [[row[name] for name in self._sets] for row in history]
        return without_optimism(bleu, optimism, [has_first_weights(row) for row in history])

    def blended(self, blend: Blend, optimism: float) -> tuple[Way, float]:
        """The shares of a blend, and the word penalty, that translate best what decides, and what on dev is no loss.

        Hypergraphs are made once, with weights in the middle. The tolerance is the standard error of the difference between the two
        ends on dev: weights that were tuned on these sentences are ahead there by more than they are on others.
        """
        shares = grid(self._options.dense_shares, self._options.sparse_shares)
        ways = ways_between(shares, self._options.penalties)
        compared = self._compared("blend", blend, MIDDLE, ways, end=len(shares) - 1)
        bleu = without_optimism(compared.bleu, optimism, [way.shares == START for way in ways])
        return ways[best_of(bleu, compared.error)], compared.error

    def chosen(self, weights: PackedWeights, tolerance: float, optimism: float) -> tuple[Way, Row]:
        """The way of choosing translations with these weights that does best on what decides, and its BLEU.

        The weights were tuned for the best score, so BLEU of dev flatters a consensus less: its optimism counts as none.
        """
        ways = ways_of_choosing(END, self._options.mbr_scales, self._options.penalties)
        bleu = self._compared("choice", Blend(weights, weights), END, ways).bleu
        by_score = [way.translate.mbr == "none" for way in ways]
        best = best_of(without_optimism(bleu, optimism, by_score), tolerance)
        figures = {
            f"chosen_{name}": float(figure) for name, figure in zip(self._sets, bleu[best], strict=True)
        }
        return ways[best], {"chosen": ways[best].values(), **figures}

    def _compared(
        self, name: str, blend: Blend, decoded_at: Shares, ways: Sequence[Way], end: int = -1
    ) -> Compared:
        """What ways are worth; the error is that between the first one and `end`."""
        # The key says what is in a row, for runs that an earlier version has begun.
        key = {"ways": [way.values() for way in ways], "figures": ["bleu", "error"]}

        def work(folder: Path) -> Row:
            jobs = [ChoiceWork(block, decoded_at, tuple(ways)) for block in self._blocks()]
            answers = self.answers(f"what decides, {name}", jobs, blend, key)
            blocks = self._by_set([np.asarray(answer.arrays[STATISTICS]) for answer in answers])
            row: Row = {
                each: [bleu_score(sums).score for sums in rows.sum(axis=0)] for each, rows in blocks.items()
            }
            first = next(iter(blocks.values()))
            return {**row, "error": standard_error(first[:, 0], first[:, end])}

        _, row = self.stage(name, work, {**key, "weights": blend.digest()})
        self.settings.run.log({**key, **row})
        return Compared(np.array([row[each] for each in self._sets]).T, row["error"])

    def _blocks(self) -> Iterator[Shard]:
        for blocks in self._sets.values():
            yield from blocks

    def _by_set(self, sums: Sequence[npt.NDArray[np.int64]]) -> dict[str, npt.NDArray[np.int64]]:
        """What was counted in the blocks of each set; the first dimension is that of blocks."""
        left = iter(sums)
        return {name: np.array([next(left) for _ in blocks]) for name, blocks in self._sets.items()}


def has_first_weights(row: Row) -> bool:
    """Whether a step has the weights of the first one, as they are or with another word penalty."""
    return row["epoch"] == 1 or ("shares" in row and row["shares"]["dense"] == row["shares"]["sparse"] == 0)


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
