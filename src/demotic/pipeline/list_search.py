"""Settings of a batch learner tried on frozen lists, which is much cheaper than running the learner to its end for each."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from demotic.base.digests import digest_of
from demotic.base.options import options_to_dict
from demotic.base.run import Run
from demotic.cluster import Executor, executor
from demotic.decode.model_folder import WEIGHTS
from demotic.evaluate import BLEU
from demotic.features import DiscretizeOptions, PackedWeights
from demotic.learn import BatchLearner, Learner, LearnSettings, TuningTask
from demotic.learn.batch.batch_options import BatchOptions
from demotic.learn.batch.frozen import FrozenLists
from demotic.learn.fitting.held_out import held_out_figures
from demotic.learn.fitting.keys import examples_digest, task_key
from demotic.learn.options import CandidateOptions, LeaveOutOptions
from demotic.learn.registry import make_learner
from demotic.learn.workers.decoding import DecodingJob, Recipe
from demotic.pipeline.classes import with_classes
from demotic.pipeline.discretize import discretized
from demotic.pipeline.search_plan import (
    FOLDER,
    OnTrial,
    SearchPlan,
    Trial,
    learner_of,
    or_least,
    run_trials,
    trial_folder,
)
from demotic.pipeline.search_space import Setting
from demotic.pipeline.tune import make_task

_TUNING, _HELD_OUT = "tuning.{:>03}.packed", "held_out.{:>03}.packed"  # of each decoding
_START, _BINS, _WEIGHTS, _ROW = "start.packed", "bins.json", "weights.packed", "row.json"


def search_lists(
    plan: SearchPlan,
    settings: Sequence[Setting],
    options: Sequence[BatchOptions],
    discretizations: Sequence[DiscretizeOptions | None],
    on_trial: OnTrial | None,
) -> list[Trial]:
    """Trials on frozen lists, then the best ones by translating.

    Args:
        plan: of the search.
        settings: to try.
        options: of the learner, for each setting.
        discretizations: likewise.
        on_trial: told each trial that ends.
    """
    task = make_task(plan.files, make_learner(plan.learner, plan.values), plan.seed)
    with Run(plan.out / FOLDER) as run, executor(plan.cluster, plan.threads) as workers:
        lists = _Lists(plan, with_classes(task, run), run, workers)
        jobs = [
            _ListTrial(plan, number, setting, *lists.folders_for(discretization, each), each)
            for number, (setting, each, discretization) in enumerate(
                zip(settings, options, discretizations, strict=True), start=1
            )
        ]
        trials = run_trials(plan, _ListTrial.run, jobs, min(plan.threads, len(jobs)), on_trial)
        for trial in _best_of_each(trials, [job.lists for job in jobs], plan.space.options.confirm):
            job = jobs[trial.number - 1]
            bleu = lists.confirm(
                job.model, PackedWeights((trial_folder(plan, job.number) / "trial" / _WEIGHTS).read_bytes())
            )
            trials[trial.number - 1] = replace(trial, held_out_bleu=bleu)
    return trials


def _best_of_each(trials: Sequence[Trial], lists: Sequence[Path], count: int) -> list[Trial]:
    """The best trials on each set of lists: BLEU of one set says little about BLEU of another."""
    order = sorted(trials, key=lambda trial: (-or_least(trial.held_out_list_bleu), trial.number))
    groups = [[t for t in order if lists[t.number - 1] == each] for each in dict.fromkeys(lists)]
    return [trial for group in groups for trial in group[:count]]


class _Lists:
    """Models with bins and frozen lists, each made once for all trials that share it; and translating with what they found."""

    def __init__(self, plan: SearchPlan, task: TuningTask, run: Run, workers: Executor) -> None:
        self._plan, self._task, self._run = plan, task, run
        self._settings = LearnSettings(run, workers, plan.seed)
        self._tasks: dict[DiscretizeOptions | None, TuningTask] = {None: task}
        self._folders: dict[str, Path] = {}
        self._keys: dict[Path, dict[str, Any]] = {}

    def folders_for(
        self, discretization: DiscretizeOptions | None, options: BatchOptions
    ) -> tuple[Path, Path]:
        """Folders of the model and of the lists for it."""
        task, decodes = self._discretized(discretization), self._plan.space.options.decodes
        names = {option.name for kind in (CandidateOptions, LeaveOutOptions) for option in fields(kind)}
        of_lists = {name: getattr(options, name) for name in names | {"start"}}
        fixed = replace(batch_options(learner_of(self._plan, {})), **of_lists)
        if fixed.objective() != options.objective():  # a trial of another metric has other statistics
            fixed = options
        key = {
            **self._key(task, options),
            "options": options_to_dict(fixed.lasting()),
            "decodes": decodes,
            "weights": digest_of((task.model / WEIGHTS).read_bytes()),
            "held_out": examples_digest(task.held_out),
        }

        def work(folder: Path) -> None:
            _write_lists(folder, FrozenLists.decode(task, fixed, decodes, self._settings))

        name = "lists." + digest_of(json.dumps(key, sort_keys=True).encode())[:12]
        if name not in self._folders:
            self._folders[name] = self._run.stage(name, work, options=key, inputs={})
        return task.model, self._folders[name]

    def _key(self, task: TuningTask, options: BatchOptions) -> dict[str, Any]:
        """The key of a task, whatever the options; large files are hashed once for each model."""
        if task.model not in self._keys:
            self._keys[task.model] = task_key(task, options, self._settings)
        return self._keys[task.model]

    def _discretized(self, discretization: DiscretizeOptions | None) -> TuningTask:
        if discretization is not None and discretization not in self._tasks:
            name = "model." + digest_of(repr(discretization).encode())[:12]
            self._tasks[discretization] = discretized(self._task, discretization, self._run, name)
        return self._tasks[discretization]

    def confirm(self, model: Path, weights: PackedWeights) -> float:
        """BLEU of the held-out lines, translated with a trial's weights."""
        task = replace(self._task, model=model)
        job = DecodingJob(Recipe(model, task.templates, groups=task.groups))

        def work(folder: Path) -> None:
            figures = held_out_figures(self._settings.executor, job, task.held_out, weights, BLEU)
            (folder / _ROW).write_text(json.dumps(figures["bleu"]), "utf-8")

        key = {**self._keys[model], "options": None, "weights": weights.digest()}
        key["examples"] = examples_digest(task.held_out)
        folder = self._run.stage(f"confirm.{weights.digest()[:12]}", work, options=key, inputs={})
        return float(json.loads((folder / _ROW).read_text("utf-8")))


@dataclass(frozen=True)
class _ListTrial:
    """One setting on frozen lists, as a process is told of it."""

    plan: SearchPlan
    number: int
    setting: Setting
    model: Path
    lists: Path
    options: BatchOptions

    def run(self) -> Trial:
        rounds = self.plan.space.options.rounds

        def work(folder: Path) -> None:
            frozen = _read_lists(self.lists)
            *_, (weights, list_bleu, held_out) = frozen.optimize(self.options, rounds, self.plan.seed)
            (folder / _WEIGHTS).write_bytes(weights.pack())
            (folder / _ROW).write_text(json.dumps([list_bleu, held_out]), "utf-8")

        key = {
            "rounds": rounds,
            "seed": self.plan.seed,
            "options": options_to_dict(self.options),
            "kind": self.plan.learner,
        }
        inputs = {path.name: path for path in sorted(self.lists.glob("*.packed"))}
        with Run(trial_folder(self.plan, self.number)) as run:
            folder = run.stage("trial", work, options=key, inputs=inputs)
        list_bleu, held_out = json.loads((folder / _ROW).read_text("utf-8"))
        return Trial(self.number, self.setting, list_bleu, held_out)


def _write_lists(folder: Path, lists: FrozenLists) -> None:
    (folder / _START).write_bytes(lists.initial_weights)
    (folder / _BINS).write_text(json.dumps(list(lists.bins)), "utf-8")
    for name, packed in ((_TUNING, lists.tuning), (_HELD_OUT, lists.held_out)):
        for decoding, each in enumerate(packed):
            (folder / name.format(decoding)).write_bytes(each)


def _read_lists(folder: Path) -> FrozenLists:
    bins = json.loads((folder / _BINS).read_text("utf-8"))
    packed = (
        [path.read_bytes() for path in sorted(folder.glob(name.replace("{:>03}", "*")))]
        for name in (_TUNING, _HELD_OUT)
    )
    return FrozenLists(PackedWeights((folder / _START).read_bytes()), bins, *packed)


def batch_options(learner: Learner) -> BatchOptions:
    """The options of a learner that has lists to freeze."""
    assert isinstance(learner, BatchLearner)
    return learner.options
