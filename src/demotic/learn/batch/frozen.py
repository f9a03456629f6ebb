"""Frozen lists: decoded once, then many optimisations of the same hypotheses, to compare options at little cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from demotic.features import FeatureIndex, PackedWeights, Weights
from demotic.learn.batch.batch_fitting import initial_weights
from demotic.learn.batch.batch_options import BatchOptions
from demotic.learn.batch.pool import KBestPool
from demotic.learn.fitting.fitting import Fitting
from demotic.learn.fitting.keys import examples_digest
from demotic.learn.learner import LearnSettings
from demotic.learn.task import Example, TuningTask
from demotic.learn.workers.kbest_lists import KBestLists, join
from demotic.learn.workers.kbest_work import KBestWork
from demotic.learn.workers.message import Message
from demotic.learn.workers.shards import make_blocks

_SENTENCES = 20  # per block; no influence on the result


@dataclass(frozen=True)
class FrozenLists:
    """Lists of the sentences that are learnt from and of held-out ones, both decoded with the same weights.

    Attributes:
        initial_weights: packed.
        bins: names of all bins of the model.
        tuning: packed lists of each decoding; all of them are one pool.
        held_out: the same.
    """

    initial_weights: PackedWeights
    bins: Sequence[str]
    tuning: Sequence[bytes]
    held_out: Sequence[bytes]

    @classmethod
    def decode(
        cls, task: TuningTask, options: BatchOptions, decodes: int, settings: LearnSettings
    ) -> FrozenLists:
        """Decode both sets of a task, first with the weights that a learner would start from.

        Lists of one decoding say little about weights that are far from those it was done with: an optimiser that moves on finds
        itself where it has seen no hypotheses. So lists are decoded again with what was learnt, as a batch learner does.
        """
        fitting = Fitting(options, task, settings)
        model = fitting.model
        initial = task.tied(initial_weights(task, model, options.start, settings.seed))

        def lists(examples: Sequence[Example], title: str, weights: PackedWeights, iteration: int) -> bytes:
            part = replace(task, examples=examples)
            own = options if part.on_train else replace(options, lm_folds=0)
            blocks = make_blocks(part, _SENTENCES, own, settings.seed)
            work = [
                KBestWork(block, options, settings.seed, iteration, options.objective()) for block in blocks
            ]
            answers = fitting.answers(title, work, weights, {"examples": examples_digest(examples)})
            positions = (block.positions.tolist() for block in blocks)
            found = zip(positions, map(KBestLists.from_message, answers), strict=True)
            return join(found, len(examples)).message().pack()

        frozen = cls(initial, model.bins.names if model.bins else [], [], [])
        weights = initial
        for iteration in range(decodes):
            if iteration > 0:
                *_, (learnt, _, _) = frozen.optimize(options, iteration, settings.seed)
                weights = learnt.pack()
            tuning = lists(task.examples, f"lists {iteration + 1}", weights, iteration)
            held_out = lists(task.held_out, f"held-out lists {iteration + 1}", weights, iteration)
            frozen = replace(frozen, tuning=[*frozen.tuning, tuning], held_out=[*frozen.held_out, held_out])
        fitting.forget_answers()
        return frozen

    def optimize(
        self, options: BatchOptions, rounds: int, seed: int
    ) -> Iterator[tuple[Weights, float, float]]:
        """Optimise several times in a row; the weights of each round, and BLEU of the best hypotheses of both sets under them."""
        index = FeatureIndex()
        weights = Weights.unpack(self.initial_weights, index)
        for name in self.bins:
            index.intern(name)
        tuning, held_out = (_pool(packed, index) for packed in (self.tuning, self.held_out))
        optimizer = options.optimizer()
        for iteration in range(rounds):
            weights = optimizer.optimize(tuning, weights, seed, iteration).weights
            yield weights, tuning.bleu(weights), held_out.bleu(weights)


def _pool(packed: Sequence[bytes], index: FeatureIndex) -> KBestPool:
    lists = [KBestLists.from_message(Message.unpack(each)) for each in packed]
    pool = KBestPool(lists[0].sentences, index, lists[0].statistics.shape[1])
    for each in lists:
        pool.add(each)
    return pool
