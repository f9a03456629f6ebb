"""The shape that all learners share."""

from __future__ import annotations

import contextlib
import functools
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from demotic.base.blas import one_blas_thread
from demotic.base.run import Run
from demotic.cluster import Executor
from demotic.decode import TranslateOptions, TranslationModel
from demotic.features import PackedWeights
from demotic.learn.cost import DataSizes, Decodings
from demotic.learn.quality import quality
from demotic.learn.task import TuningTask

OnEpoch = Callable[[Mapping[str, Any]], None]


@dataclass(frozen=True)
class Tuned:
    """The result of a learner.

    Attributes:
        weights: packed (`Weights.unpack`).
        epoch: where they come from, counted from 1: the paper's `@`.
        history: a row per epoch, as in `metrics.jsonl`.
        vectors: packed weights at the end of each epoch, as they were before `weights` were averaged over epochs or adjusted. One vector if the
            shards meet only once (`mix`).
        groups: contents of `groups.txt`: which features share a weight; empty: none do.
        translate: how a model with these weights is to choose between translations; None: as it does.
    """

    weights: PackedWeights
    epoch: int
    history: list[dict[str, Any]]
    vectors: list[PackedWeights]
    groups: bytes = b""
    translate: TranslateOptions | None = None

    @property
    def quality(self) -> float | None:
        """Of the weights, higher is better: by which several runs are compared; None if the learner does not say."""
        return quality(self.history[self.epoch - 1])

    @property
    def bleu(self) -> float | None:
        """Of the weights: on held-out sentences or, without any, on those learnt from; None if the learner does not say."""
        row = self.history[self.epoch - 1]
        return next((row[name] for name in ("held_out_bleu", "bleu", "train_bleu") if name in row), None)


@dataclass(frozen=True)
class LearnSettings:
    """Where and with which chance a learner works.

    Attributes:
        run: folder for checkpoints; a learner that is killed and started again ends with the same bytes.
        executor: where shards run; no influence on the result.
        seed: of everything random.
        on_epoch: told each row of the history as it is known.
        shared: of a learner that is part of another: the run of the whole, for what its parts have in common.
        models: by folder, those that have been opened; see `model`.
    """

    run: Run
    executor: Executor
    seed: int = 1
    on_epoch: OnEpoch = lambda row: None
    shared: Run | None = None
    models: dict[Path, TranslationModel] = field(default_factory=dict)

    def model(self, folder: Path) -> TranslationModel:
        """The model of a folder: opened once for a learner and all of its parts."""
        if folder not in self.models:
            self.models[folder] = TranslationModel(folder)
        return self.models[folder]

    @contextlib.contextmanager
    def part(self, name: str) -> Iterator[LearnSettings]:
        """Settings for a learner that is part of this one: a folder of its own inside, and no rows to anybody."""
        with Run(self.run.folder / name, digests=self.run.digests) as run:
            yield replace(self, run=run, on_epoch=lambda row: None, shared=self.shared or self.run)
        if run.seconds:
            self.run.seconds[name] = sum(run.seconds.values())


class Learner(ABC):
    """Learns weights for a task.

    Attributes:
        name: as on the command line.
        uses_groups: whether it finds weights of groups where the task has some.
        uses_dev: whether it learns from `TuningTask.dev` too; tasks that have one are refused otherwise.
        templates: that it wants if nobody asked for any.
        class_lms: language models over so many word classes that it wants if nobody asked for any.
    """

    name: str
    uses_dev: bool = False
    uses_groups: bool = True
    templates: tuple[str, ...] = ()
    class_lms: tuple[int, ...] = ()

    def __init_subclass__(cls, **named: Any) -> None:
        """Every `fit` is a function of its inputs and the seed: not of how many threads BLAS has, either."""
        super().__init_subclass__(**named)
        if "fit" in vars(cls):
            cls.fit = _with_one_blas_thread(cls.fit)  # type: ignore[method-assign]

    @abstractmethod
    def fit(self, task: TuningTask, settings: LearnSettings) -> Tuned:
        """Learn from the examples of a task."""

    @abstractmethod
    def decodings(self, sizes: DataSizes) -> Decodings:
        """What `fit` will decode at most, for forecasts."""


def _with_one_blas_thread(fit: Callable[..., Tuned]) -> Callable[..., Tuned]:
    @functools.wraps(fit)
    def wrapped(*arguments: Any, **named: Any) -> Tuned:
        with one_blas_thread():
            return fit(*arguments, **named)

    return wrapped
