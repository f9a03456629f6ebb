"""The "parallel do" of algorithms 1 to 4: all shards learn from the same weights, with a checkpoint when they have been merged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from demotic.evaluate import beside_bleu, sentence_metric
from demotic.features import PackedWeights, Weights
from demotic.learn.fitting.fitting import Fitting, Row
from demotic.learn.learner import LearnSettings
from demotic.learn.online.epoch import EpochPart, OnlineWork
from demotic.learn.online.rule import RuleOptions
from demotic.learn.task import TuningTask
from demotic.learn.workers.epoch_statistics import EpochStatistics
from demotic.learn.workers.message import Message
from demotic.learn.workers.shards import make_shards


@dataclass(frozen=True)
class Merged:
    """What the shards have learnt, merged.

    Attributes:
        weights: where the next epoch starts.
        features: distinct features with a weight in any shard, before selection; with gradient-based selection those that have just
            entered still weigh 0.
    """

    weights: PackedWeights
    features: int


Merge = Callable[[Iterable[Message]], Merged]  # of the answers of the shards, in their order


class OnlineFitting(Fitting):
    """The shards of an online learner.

    Args:
        algorithm: its name; enters the keys of stages.
        options: make the rule.
        task: what is learnt from.
        settings: where.
    """

    def __init__(
        self, algorithm: str, options: RuleOptions, task: TuningTask, settings: LearnSettings
    ) -> None:
        lasting = replace(options, epochs=1)  # more epochs go on where fewer ended
        super().__init__(options, task, settings, lasting=lasting, more={"algorithm": algorithm})
        self._options = options
        self.objective = beside_bleu(sentence_metric(options.metric).corpus)
        self._shards = make_shards(task, options, len(self.model.index), settings.seed)
        from_model = options.start == "model"
        self.initial_weights = task.tied(
            options.initial(task.model_weights()) if from_model else Weights.from_dict({})
        )

    def epoch_parts(self) -> list[EpochPart]:
        """All epochs, each in as many parts as `report_every` asks for."""
        every = self._options.report_every
        parts = -(-len(self.task.examples) // every) if every else 1
        return [EpochPart(t, part, parts) for t in range(self._options.epochs) for part in range(parts)]

    def learn(
        self,
        name: str,
        initial: PackedWeights,
        epochs: Sequence[EpochPart],
        merge: Merge,
    ) -> tuple[PackedWeights, list[Row]]:
        """Learn on all shards and merge what they found, unless it has been done before; the weights and a row per epoch.

        Args:
            name: of the stage.
            initial: where every shard starts.
            epochs: what each learns before it is merged.
            merge: of the shards' weights.
        """
        statistics = [EpochStatistics() for _ in epochs]

        def find() -> tuple[PackedWeights, Row]:
            merged = merge(self._answers(initial, epochs, statistics))
            features = {"active_features": merged.features, "kept_features": merged.weights.features}
            rows = []
            for t, seen in zip(epochs, statistics, strict=True):
                sentences = {"sentences": seen.sentences} if t.parts > 1 else {}
                rows.append({"epoch": t.epoch + 1, **sentences, **seen.summary(), **features})
            return merged.weights, {"epochs": rows}

        weights, row = self.weights_stage(name, find, {"start": initial.digest()})
        learnt_now = [seen.seconds() if seen.sentences else {} for seen in statistics]
        return weights, [known | seconds for known, seconds in zip(row["epochs"], learnt_now, strict=True)]

    def _answers(
        self, initial: PackedWeights, epochs: Sequence[EpochPart], statistics: Sequence[EpochStatistics]
    ) -> Iterator[Message]:
        """The answers of the shards in order; what they saw is added to the statistics of each epoch."""
        seed = self.settings.seed
        work = [OnlineWork(shard, tuple(epochs), self._options, seed) for shard in self._shards]
        for answer in self.answers(f"epoch {epochs[0].epoch + 1}", work, initial, {"name": epochs[0].name}):
            for total, part in zip(statistics, answer.figures["statistics"], strict=True):
                total.add(EpochStatistics(**part))
            yield answer
