"""Online feature grouping via OSCAR: algorithm 2 of Liu, Zhao, Watanabe and Sumita (2013), on one shard or mixed over several.

It minimises the hinge loss of tuples plus  lambda1 sum |w_i| + lambda2 sum max(|w_i|, |w_j|)  by forward-backward splitting. Three readings:

- Printed line 4 *adds* the gradient of the loss. The loss of a tuple is (1 - <w, x>)+ with x the features of the better translation less
  those of the worse, so what minimises it is  w + x / t  where the loss is not 0.
- Line 4 steps with 1 / t and line 5 penalises with 1 / (t + 1). Both are kept: FOBOS (Duchi and Singer 2009) lets the second step lie
  between the first and the first of the next round.
- "Randomly select" and "n = 20 N, i.e. 20 passes": each pass takes every tuple once, in a random order of its own.

With `lag` above 0, backward steps are taken for blocks of tuples. Without a gradient between them, two are the same as one of their summed
size; what differs is that the forward steps of a block look at weights that still owe up to `lag` times the penalty. That changes which
weights meet, so groups are not those of the exact method, which is the default.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from demotic import _core
from demotic.base.checks import at_least, between
from demotic.base.errors import DemoticError
from demotic.base.progress import Progress
from demotic.cluster import Executor
from demotic.corpus.splits import random_order
from demotic.features import FeatureGroups, PackedWeights, Weights
from demotic.learn.fitting.feature_split import FeatureSplit
from demotic.learn.oscar.tuples import Tuples
from demotic.learn.workers.decoding import DecodingContext, DecodingJob
from demotic.learn.workers.message import Message

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Vector = npt.NDArray[np.float64]


@dataclass(frozen=True)
class GroupingOptions:
    """The regulariser and how it is minimised; defaults: section 5 of the paper.

    The largest weight pays lambda2 x (d - 1), where d is the number of sparse features, so what lambda2 does depends on d. It is
    therefore given for `dimension` features and scaled to those that there are: lambda2 x dimension stays what it is.
    """

    lambda1: float = 1e-10  # strength of the l1 norm
    lambda2: float = 3e-8  # strength of the pairwise l-infinity norm
    dimension: int = (
        500_000  # number of features that lambda2 is given for; 0 uses lambda2 unscaled, as in the paper
    )
    passes: int = 20  # passes over the tuples
    lag: float = 0.0  # delay backward steps by up to this share of the tuples so far; 0 is exact

    def __post_init__(self) -> None:
        at_least(0, lambda1=self.lambda1, lambda2=self.lambda2)
        at_least(1, passes=self.passes)
        at_least(0, dimension=self.dimension)
        between(0, 1, lag=self.lag)

    def penalty(self, d: int) -> _core.OscarPenalty:
        """The regulariser over d sparse features."""
        scale = self.dimension / max(1, d) if self.dimension else 1.0
        return _core.OscarPenalty(self.lambda1, scale * self.lambda2, d)


@dataclass(frozen=True)
class GroupingWork:
    """One pass over the tuples of a shard. Broadcast are the weights to start from, returned are counts and the weights.

    Attributes:
        begins: of the rows; then their features and values.
        is_free: per feature, 1 if it is not penalised.
        options: of the regulariser.
        seed: of the order.
        finished: passes before this one.
    """

    begins: npt.NDArray[np.int64]
    features: npt.NDArray[np.int32]
    values: npt.NDArray[np.float32]
    is_free: npt.NDArray[np.uint8]
    options: GroupingOptions
    seed: int
    finished: int

    def __len__(self) -> int:
        return len(self.begins) - 1

    def run(self, context: DecodingContext | None, initial: Vector) -> Message:
        """Lines 2 to 6 of algorithm 2 for every tuple once; nothing is decoded."""
        weights = initial.copy()
        penalty = self.options.penalty(int((self.is_free == 0).sum()))
        grouping = _core.OnlineGrouping(weights, self.is_free, penalty, self.options.lag)
        order = random_order(len(self), self.seed)
        counts = grouping.learn(self.begins, self.features, self.values, order, self.finished * len(self) + 1)
        figures = {"updates": counts.updates, "loss": counts.loss, "proximal_steps": counts.proximal_steps}
        return Message(figures, {"weights": weights})


@dataclass(frozen=True)
class Grouping:
    """What algorithm 2 found.

    Attributes:
        names: of all features.
        weights: beside them.
        report: figures by name.
    """

    names: Sequence[str]
    weights: Vector
    report: dict[str, float]

    def groups(self) -> FeatureGroups:
        """Sparse features of equal weight; dense ones are groups of their own and not listed."""
        sparse = np.array([not FeatureSplit().is_dense(name) for name in self.names], dtype=bool)
        return FeatureGroups.from_values(self.names, np.where(sparse, self.weights, 0.0))


def group_features(
    tuples: Tuples,
    initial: PackedWeights,
    options: GroupingOptions,
    shards: Sequence[npt.NDArray[np.int64]],
    executor: Executor,
    job: DecodingJob,
    seed: int,
) -> Grouping:
    """Algorithm 2; with several shards, iterative mixing as in algorithm 3 of Simianer, Riezler and Dyer (2012).

    In each pass, shards start from the same weights and learn alone; then these are the mean over shards. The mean of different groups is
    hardly grouped, so it takes one more backward step, of the size of the last one in a shard.

    Args:
        tuples: of all sentences.
        initial: packed weights to begin with.
        options: of the regulariser.
        shards: the sentences of each, by their places in the data.
        executor: where shards run.
        job: of the model; its context is not used.
        seed: of the order of the tuples.
    """
    if len(tuples) == 0:
        raise DemoticError(
            "no two translations of a sentence differ enough to learn from",
            hint="lower the threshold, or raise k",
        )
    known = Weights.unpack(initial)
    names = sorted({*tuples.names, *(name for name, _ in known.items())})
    is_free = np.array([FeatureSplit().is_dense(name) for name in names], dtype=np.uint8)
    v = np.array([known.get(name) for name in names], dtype=np.float64)
    rows = _shard_rows(tuples, names, shards)
    steps = int(np.mean([part.shape[0] for part in rows]))
    report: dict[str, float] = {}
    with Progress("group", total=options.passes, unit="passes") as bar:
        for finished in range(options.passes):
            work = _pass(rows, is_free, options, seed, finished)
            v, report = _mean(map(Message.unpack, executor.map(job, work, v)), len(v), len(rows))
            if len(rows) > 1:
                last = (finished + 1) * steps
                penalty = options.penalty(int((is_free == 0).sum()))
                _core.OnlineGrouping(v, is_free, penalty, 0.0).shrink(max(options.lag, 1.0 / (last + 1)))
            bar.advance()
    report["loss"] /= len(tuples)
    return Grouping(names, v, {"tuples": len(tuples), "dimension": int((is_free == 0).sum()), **report})


def _pass(
    rows: Sequence[csr_matrix],
    is_free: npt.NDArray[np.uint8],
    options: GroupingOptions,
    seed: int,
    finished: int,
) -> list[GroupingWork]:
    """The next pass over each shard, in an order of its own."""
    seeds = [
        np.random.SeedSequence((seed, finished, z)).generate_state(1, np.uint64) for z in range(len(rows))
    ]
    return [
        GroupingWork(
            part.indptr.astype(np.int64), part.indices, part.data, is_free, options, int(own[0]), finished
        )
        for part, own in zip(rows, seeds, strict=True)
    ]


def _mean(messages: Iterable[Message], dimension: int, shards: int) -> tuple[Vector, dict[str, float]]:
    """What shards have learnt, averaged, and their figures, added up."""
    total, report = np.zeros(dimension), {"updates": 0.0, "loss": 0.0, "proximal_steps": 0.0}
    for message in messages:
        total += message.arrays["weights"]
        for key, value in message.figures.items():
            report[key] += value
    return total / shards, report


def _shard_rows(
    tuples: Tuples, names: Sequence[str], shards: Sequence[npt.NDArray[np.int64]]
) -> list[csr_matrix]:
    """The tuples of each shard that has any, with columns for all names."""
    from scipy.sparse import csr_matrix

    numbers = {name: i for i, name in enumerate(names)}
    columns = np.array([numbers[name] for name in tuples.names], dtype=np.int32)
    moved = (tuples.rows.data, columns[tuples.rows.indices], tuples.rows.indptr)
    rows = csr_matrix(moved, shape=(len(tuples), len(names)))
    if len(shards) == 1:
        return [rows]
    parts = [rows[np.isin(tuples.sentences, sentences)] for sentences in shards]
    return [part for part in parts if part.shape[0]]
