"""The skeleton of every `fit`: model and fold models, keyed stages, answers of workers, reports. A learner is what differs."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from demotic.base.progress import Progress
from demotic.evaluate import BLEU, Metric
from demotic.features import PackedWeights
from demotic.learn.fitting.fold_models import train_fold_models
from demotic.learn.fitting.held_out import held_out_figures
from demotic.learn.fitting.keys import examples_digest, task_key
from demotic.learn.fitting.saved_messages import SavedMessages
from demotic.learn.learner import LearnSettings
from demotic.learn.options import LeaveOutOptions
from demotic.learn.task import Example, TuningTask
from demotic.learn.workers.decoding import DecodingJob, Recipe, ShardWork
from demotic.learn.workers.message import Message
from demotic.learn.workers.shards import Shard

_ROW, _WEIGHTS = "row.json", "weights.packed"
Row = dict[str, Any]


class WorkOnShard(ShardWork, Protocol):
    """Work whose progress is counted in the sentences of a shard."""

    @property
    def shard(self) -> Shard:
        """The sentences."""


class Broadcast(Protocol):
    """What is sent to all shards alike: packed weights, as a rule."""

    def digest(self) -> str:
        """Of all that matters."""


class Fitting:
    """One call of `fit`: stages of a run folder, each keyed by all that it depends on.

    A run that was killed repeats at most the work of one shard, and one that goes on (more epochs) begins where the last ended.

    Args:
        options: of the learner.
        task: what it learns from.
        settings: where it works.
        lasting: options that stages depend on, where not all of `options` do: more epochs go on where fewer ended.
        more: what else the result depends on, as plain values.
    """

    def __init__(
        self,
        options: LeaveOutOptions,
        task: TuningTask,
        settings: LearnSettings,
        *,
        lasting: LeaveOutOptions | None = None,
        more: Mapping[str, Any] | None = None,
    ) -> None:
        self.task, self.settings = task, settings
        self.model = settings.model(task.model)
        fold_lms = train_fold_models(self.model, options.lm_folds, settings)
        self.job = DecodingJob(Recipe(task.model, task.templates, fold_lms, task.groups))
        self.key = {**task_key(task, lasting or options, settings), **(more or {})}
        self._saved = SavedMessages(settings.run.folder / "messages")

    def stage(
        self, name: str, work: Callable[[Path], Row], key: Mapping[str, Any], clock: str | None = None
    ) -> tuple[Path, Row]:
        """Run `work` unless it has been done before; its folder and the row of figures that it returned.

        Args:
            name: of the stage.
            work: writes files into the folder it is given and returns a row of plain values, a function of the key alone.
            key: what the stage depends on besides `self.key`.
            clock: where the row says how many seconds it took, if it ran now.
        """
        seconds: list[float] = []

        def timed(folder: Path) -> None:
            started = time.perf_counter()
            (folder / _ROW).write_text(json.dumps(work(folder)), "utf-8")
            seconds.append(time.perf_counter() - started)

        folder = self.settings.run.stage(name, timed, options={**self.key, **key}, inputs={})
        self.forget_answers()
        row: Row = json.loads((folder / _ROW).read_text("utf-8"))
        return folder, {**row, clock: round(seconds[0], 3)} if clock and seconds else row

    def weights_stage(
        self,
        name: str,
        find: Callable[[], tuple[PackedWeights, Row]],
        key: Mapping[str, Any],
        clock: str | None = None,
    ) -> tuple[PackedWeights, Row]:
        """A stage that finds weights: these, and its row of figures."""

        def work(folder: Path) -> Row:
            weights, row = find()
            (folder / _WEIGHTS).write_bytes(weights)
            return row

        folder, row = self.stage(name, work, key, clock)
        return PackedWeights((folder / _WEIGHTS).read_bytes()), row

    def answers(
        self,
        title: str,
        work: Sequence[WorkOnShard],
        weights: Broadcast,
        key: Mapping[str, Any] | None = None,
    ) -> Iterator[Message]:
        """What workers answer, in the order of the work; answers of a run that was killed are not asked for again.

        Args:
            title: of the progress bar, which counts sentences.
            work: a part for each shard or block.
            weights: sent to all.
            key: what the answers depend on besides the weights and `self.key`.
        """
        total = sum(len(part.shard.examples) for part in work)
        with Progress(title, total=total, unit="sentences") as bar:

            def run(missing: Sequence[WorkOnShard]) -> Iterator[bytes]:
                sizes = [len(part.shard.examples) for part in missing]
                bar.advance(total - sum(sizes))
                return self.settings.executor.map(
                    self.job, missing, weights, on_done=lambda i: bar.advance(sizes[i])
                )

            whole = {**self.key, **(key or {}), "title": title, "weights": weights.digest()}
            yield from map(Message.unpack, self._saved.complete(whole, work, run))

    def forget_answers(self) -> None:
        """Remove the answers that were kept for a run that is killed: what they lead to is safe."""
        self._saved.clear()

    def report(self, name: str, row: Row, weights: PackedWeights, objective: Metric = BLEU) -> Row:
        """The row with figures of sentences that are not learnt from (`held_out_bleu`, ...); told to whoever looks on.

        Args:
            name: of the epoch that the weights belong to.
            row: what is known already.
            weights: packed.
            objective: which figures.
        """
        sets: dict[str, Sequence[Example]] = {"held_out": self.task.held_out, **self.task.watched}
        for each, examples in sets.items():
            if examples:
                figures = self._figures(f"{each}.{name}", weights, examples, objective)
                row = row | {f"{each}_{figure}": value for figure, value in figures.items()}
        self.settings.run.log(row)
        self.settings.on_epoch(row)
        return row

    def _figures(
        self, name: str, weights: PackedWeights, examples: Sequence[Example], objective: Metric
    ) -> dict[str, float]:
        """How good the translations of these sentences are: a stage, keyed by what translates them alone."""

        def work(folder: Path) -> None:
            figures = held_out_figures(self.settings.executor, self.job, examples, weights, objective)
            (folder / _ROW).write_text(json.dumps(figures), "utf-8")

        parts = {
            "weights": weights.digest(),
            "examples": examples_digest(examples),
            **{part: self.key[part] for part in ("templates", "groups", "model", "decoding")},
            "objective": objective.name,
        }
        folder = self.settings.run.stage(name, work, options=parts, inputs={})
        figures: dict[str, float] = json.loads((folder / _ROW).read_text("utf-8"))
        return figures
