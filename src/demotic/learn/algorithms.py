"""The four algorithms of Simianer, Riezler and Dyer (2012), section 4: the same shards, mixed in different ways.

| | each epoch | result |
|---|---|---|
| 1 SGD | one shard learns on | average over epochs |
| 2 MixSGD | shards learn alone for all epochs | average over shards of their averages over epochs |
| 3 IterMixSGD | shards start from v; v becomes their average | v |
| 4 IterSelSGD | the same, and only the K columns of largest norm stay in v | v |
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from demotic._core import FeatureColumns, Selection, activate_features
from demotic.base.progress import Progress
from demotic.cluster import Executor
from demotic.features import Weights
from demotic.learn.decoding import DecodingJob
from demotic.learn.epoch_statistics import EpochStatistics
from demotic.learn.online import RuleOptions, Stretch
from demotic.learn.options import SelectionOptions
from demotic.learn.saved_shards import SavedShards
from demotic.learn.shard_work import OnlineWork, unpack_result
from demotic.learn.shards import Shard

EVERYTHING = Selection()  # all columns with a weight


@dataclass
class ParallelShards:
    """The "parallel do" of the algorithms: every shard learns from the same start; results come in the order of the shards."""

    executor: Executor
    job: DecodingJob
    shards: Sequence[Shard]
    options: RuleOptions
    seed: int
    saved: SavedShards
    statistics: dict[Stretch, EpochStatistics] = field(default_factory=dict)  # of the last `learn`

    def learn(self, start: bytes, *stretches: Stretch) -> Iterator[tuple[bytes, bytes]]:
        """Packed weights and gradient of each shard after these epochs, or parts of one."""
        self.statistics = {stretch: EpochStatistics() for stretch in stretches}
        work = [OnlineWork(shard, stretches, self.options, self.seed) for shard in self.shards]
        with Progress(f"epoch {stretches[0].epoch + 1}", total=len(work), unit="shards") as bar:

            def run(missing: Sequence[OnlineWork]) -> Iterator[bytes]:
                bar.advance(len(work) - len(missing))
                return self.executor.map(self.job, missing, start, on_done=lambda _: bar.advance())

            for message in self.saved.complete(work, start, run):
                weights, gradient, statistics = unpack_result(message)
                for stretch, part in zip(stretches, statistics, strict=True):
                    self.statistics[stretch].add(part)
                yield weights, gradient


@dataclass(frozen=True)
class EpochOutcome:
    """What an epoch leaves behind.

    Attributes:
        weights: where the next epoch starts, packed.
        features: distinct features with a weight in any shard, before selection.
    """

    weights: bytes
    features: int

    @property
    def kept(self) -> int:
        """Features that are learnt on; with gradient-based selection those that have just entered still weigh 0."""
        return int.from_bytes(self.weights[:8], "little")


EpochStep = Callable[[ParallelShards, bytes, Stretch], EpochOutcome]


def iter_mix_sgd(shards: ParallelShards, v: bytes, t: Stretch) -> EpochOutcome:
    """One epoch of algorithm 3; with a single shard, of algorithm 1."""
    columns = FeatureColumns()
    for weights, _ in shards.learn(v, t):
        columns.add(weights)
    return EpochOutcome(columns.select(EVERYTHING), columns.features)


def iter_sel_sgd(options: SelectionOptions, dense: Sequence[str]) -> EpochStep:
    """One epoch of algorithm 4: "select top K feature columns of W by l2 norm", then mix.

    Args:
        options: what is selected, and how.
        dense: names of the model's dense features.
    """
    if options.select_by == "gradient":
        return _gradient_selection(options, dense)
    best = Selection(options.norm, options.select, options.select_threshold, 0.0, options.keep_dense)

    def step(shards: ParallelShards, v: bytes, t: Stretch) -> EpochOutcome:
        columns = FeatureColumns()
        for weights, _ in shards.learn(v, t):
            columns.add(weights)
        return EpochOutcome(columns.select(best), columns.features)

    return step


def mix_sgd(shards: ParallelShards, start: bytes, epochs: int) -> EpochOutcome:
    """Algorithm 2, whole: no shard hears of another before the end."""
    columns = FeatureColumns()
    for weights, _ in shards.learn(start, *map(Stretch, range(epochs))):
        columns.add(weights)
    return EpochOutcome(columns.select(EVERYTHING), columns.features)


def _gradient_selection(options: SelectionOptions, dense: Sequence[str]) -> EpochStep:
    """Columns enter by their gradient and leave by the group lasso: Obozinski, Taskar and Jordan (2010), algorithm 1.

    At the optimum of  loss(W) + penalty ||W||_{1,2}  a column is zero as long as the l2 norm of its gradient across tasks is at most
    the penalty. So inactive features keep the weight 0 while shards add up their gradients; columns whose gradient is longer
    than the penalty enter, the `k` longest per epoch. Active columns take the proximal step of the penalty, which scales a
    column by (1 - penalty / ||w||_2)+ and removes those that become 0; they may enter again. Dense features are active in every
    epoch: they need not enter, and with `keep_dense` they are not shrunk either. Two deviations: the path has one penalty
    instead of a falling sequence, and the gradient is that of the epoch, along which the weights moved.
    """
    always = Weights.from_dict(dict.fromkeys(dense, 1.0)).pack()
    shrunk = Selection("l2", 0, 0.0, options.penalty, options.keep_dense)
    entering = Selection("l2", options.select, options.penalty, 0.0, False, zeros=True)

    def step(shards: ParallelShards, v: bytes, t: Stretch) -> EpochOutcome:
        columns, gradients = FeatureColumns(), FeatureColumns()
        for weights, gradient in shards.learn(activate_features(v, always), t):
            columns.add(weights)
            gradients.add(gradient)
        v = activate_features(columns.select(shrunk), gradients.select(entering))
        return EpochOutcome(v, columns.features + gradients.features)

    return step
