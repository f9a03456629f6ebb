"""The "parallel do" of algorithms 1 to 4: all shards learn from the same weights, with a checkpoint when they have been merged."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import demotic
from demotic.base.digests import digest_of
from demotic.evaluate import beside_bleu, sentence_metric
from demotic.features import Weights
from demotic.learn.fitting.fitting import Fitting, Row
from demotic.learn.learner import LearnSettings
from demotic.learn.online.epoch import EpochPart, OnlineWork
from demotic.learn.online.rule import RuleOptions
from demotic.learn.task import TuningTask
from demotic.learn.workers.epoch_statistics import EpochStatistics
from demotic.learn.workers.forest_store import ForestStore
from demotic.learn.workers.message import Message
from demotic.learn.workers.shards import ORDER, make_shards
from demotic.learn.workers.state import State

_STATE = "state.packed"


@dataclass(frozen=True)
class Merged:
    """What the shards have learnt, merged.

    Attributes:
        state: where the next epoch starts.
        features: distinct features with a weight in any shard, before selection; with gradient-based selection those that have just
            entered still weigh 0.
    """

    state: State
    features: int


# Of the state that all shards began with, and the answers of the shards in their order.
Merge = Callable[[State, Iterable[Message]], Merged]


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
        more = {"algorithm": algorithm}
        if options.shard_by not in ("", ORDER):
            more["labels"] = settings.run.digests.of(Path(options.shard_by))
        super().__init__(options, task, settings, lasting=lasting, more=more)
        self._options = options
        self.objective = beside_bleu(sentence_metric(options.metric).corpus)
        self._shards = make_shards(task, options, len(self.model.index), settings.seed)
        self._forests = self._forest_store() if options.redecode_every != 1 else None
        self._starts: dict[int, State] = {}  # of the parts of the last epoch that decoded
        from_model = options.start == "model"
        self.initial = State(
            task.tied(options.initial(task.model_weights()) if from_model else Weights.from_dict({}))
        )

    def epoch_parts(self) -> list[EpochPart]:
        """All epochs, each in as many parts as `report_every` asks for."""
        every = self._options.report_every
        parts = -(-len(self.task.examples) // every) if every else 1
        return [EpochPart(t, part, parts) for t in range(self._options.epochs) for part in range(parts)]

    def learn(
        self,
        name: str,
        initial: State,
        epochs: Sequence[EpochPart],
        merge: Merge,
    ) -> tuple[State, list[Row]]:
        """Learn on all shards and merge what they found, unless it has been done before; the state and a row per epoch.

        Args:
            name: of the stage.
            initial: where every shard starts.
            epochs: what each learns before it is merged.
            merge: of what the shards have learnt.
        """
        statistics = [EpochStatistics() for _ in epochs]
        starts: tuple[str, ...] = ()  # what kept hypergraphs depend on
        if self._options.decodes(epochs[0].epoch):
            self._starts[epochs[0].part] = initial
        else:
            starts = tuple(self._starts[part].digest() for part in sorted(self._starts))

        def find(folder: Path) -> Row:
            merged = merge(initial, self._answers(initial, epochs, starts, statistics))
            features = {"active_features": merged.features, "kept_features": merged.state.weights.features}
            rows = []
            for t, seen in zip(epochs, statistics, strict=True):
                self._options.check_epoch(seen)
                sentences = {"sentences": seen.sentences} if t.parts > 1 else {}
                rows.append({"epoch": t.epoch + 1, **sentences, **seen.summary(), **features})
            (folder / _STATE).write_bytes(merged.state.pack())
            return {"epochs": rows}

        folder, row = self.stage(name, find, {"start": initial.digest(), "forests": starts})
        state = State.unpack((folder / _STATE).read_bytes())
        learnt_now = [seen.seconds() if seen.sentences else {} for seen in statistics]
        return state, [known | seconds for known, seconds in zip(row["epochs"], learnt_now, strict=True)]

    def _answers(
        self,
        initial: State,
        epochs: Sequence[EpochPart],
        starts: tuple[str, ...],
        statistics: Sequence[EpochStatistics],
    ) -> Iterator[Message]:
        """The answers of the shards in order; what they saw is added to the statistics of each epoch."""
        if self._forests is not None and starts:
            for part, state in self._starts.items():
                self._forests.save_start(part, state)
        work = [
            OnlineWork(shard, tuple(epochs), self._options, self.settings.seed, self._forests, starts)
            for shard in self._shards
        ]
        key = {"name": epochs[0].name, "forests": starts}
        for answer in self.answers(f"epoch {epochs[0].epoch + 1}", work, initial, key):
            for total, part in zip(statistics, answer.figures["statistics"], strict=True):
                total.add(EpochStatistics(**part))
            yield answer

    def forget_forests(self) -> None:
        """Delete the hypergraphs that were kept: an epoch that needs them again makes them again."""
        if self._forests is not None:
            shutil.rmtree(self._forests.folder, ignore_errors=True)

    def _forest_store(self) -> ForestStore:
        """In the run folder; every sentence has the same share of the disk space."""
        key = digest_of(json.dumps([demotic.__version__, self.key], sort_keys=True).encode())
        share = self._options.forest_gb * 1e9 / len(self.task.examples)
        return ForestStore(self.settings.run.folder.absolute() / "forests", key, share)
