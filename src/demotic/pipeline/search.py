"""`demotic tune --search F.toml`: the options of a learner and of discretisation, found on held-out lines.

A batch learner is not run to its end for each setting. Its lists are decoded a few times for each way to make them (and for each
discretisation), with the options that are not searched; on these frozen lists every setting is optimised for a few rounds and judged
by the held-out lists. The best few on each set of lists then translate the held-out lines, and the best of those is tuned in full. Learners that have no
lists to freeze are run in full for each setting.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from demotic.base.errors import DemoticError
from demotic.base.files import make_folder
from demotic.base.options import options_from, options_to_dict
from demotic.base.parallel import parallel_map
from demotic.base.progress import Progress
from demotic.base.run import Run
from demotic.cluster import Executor, executor
from demotic.decode.model_folder import WEIGHTS
from demotic.evaluate import BLEU
from demotic.features import DiscretizeOptions, PackedWeights
from demotic.learn import BatchLearner, Learner, LearnSettings, TuningTask
from demotic.learn.batch.batch_options import BatchOptions
from demotic.learn.batch.frozen import FrozenLists
from demotic.learn.fitting.held_out import held_out_figures
from demotic.learn.fitting.keys import digest, examples_digest, task_key
from demotic.learn.options import CandidateOptions, LeaveOutOptions
from demotic.learn.registry import make_learner
from demotic.learn.workers.decoding import DecodingJob, Recipe
from demotic.pipeline.classes import with_classes
from demotic.pipeline.discretize import discretized
from demotic.pipeline.replicas import publish_copy
from demotic.pipeline.search_space import SearchSpace, Setting, split_setting
from demotic.pipeline.tune import TuneInput, check_folders, make_task, tune

FOLDER = "search"
_TUNING, _HELD_OUT = "tuning.{:>03}.packed", "held_out.{:>03}.packed"  # of each decoding
_START, _BINS, _WEIGHTS, _ROW = "start.packed", "bins.json", "weights.packed", "row.json"


@dataclass(frozen=True)
class SearchPlan:
    """What is searched, and for what.

    Attributes:
        files: what is learnt from, with held-out sentences.
        learner: name.
        values: its options that are not searched.
        space: those that are.
        out: the model; trials lie in `out/search`.
        seed: of everything random.
        cluster: where shards run.
        threads: of everything together.
    """

    files: TuneInput
    learner: str
    values: Mapping[str, Any]
    space: SearchSpace
    out: Path
    seed: int = 1
    cluster: str = "local"
    threads: int = 1


@dataclass(frozen=True)
class Trial:
    """A setting and what came of it.

    Attributes:
        number: from 1, in the order of the settings.
        setting: option -> value.
        list_bleu: of the best hypotheses in the lists of the sentences learnt from.
        held_out_list_bleu: the same for the held-out lists.
        held_out_bleu: of the held-out lines translated with the weights; None: not among the best.
    """

    number: int
    setting: Setting
    list_bleu: float | None = None
    held_out_list_bleu: float | None = None
    held_out_bleu: float | None = None


def search(plan: SearchPlan, on_trial: Callable[[Trial], None] | None = None) -> tuple[list[Trial], Trial]:
    """Try all settings and tune with the best; killed and run again it goes on and ends with the same bytes.

    Args:
        plan: what is searched.
        on_trial: told each trial that ends.

    Returns:
        All trials, and the winner: the first of those with the highest BLEU on the held-out lines.
    """
    check_folders(plan.files.model, plan.out)
    if plan.files.held_out_source is None:
        raise DemoticError("--search needs a held-out set", hint="give --held-out-src and --held-out-ref")
    settings = plan.space.settings(plan.seed)
    learners = [learner_of(plan, setting) for setting in settings]  # wrong values are refused before any work
    discretizations = [discretization_of(plan, setting) for setting in settings]
    if all(isinstance(learner, BatchLearner) for learner in learners):
        trials = _search_lists(
            plan, settings, [_batch_options(each) for each in learners], discretizations, on_trial
        )
    else:
        trials = _search_runs(plan, settings, on_trial)
    winner = max(trials, key=lambda trial: (_or_least(trial.held_out_bleu), -trial.number))
    if any(trial.held_out_list_bleu is not None for trial in trials):
        place = winner.number - 1
        with executor(plan.cluster, plan.threads) as workers:
            files = replace(plan.files, discretize=discretizations[place])
            tune(files, learners[place], plan.out, workers, seed=plan.seed)
    else:
        publish_copy(_run_folder(plan, winner.number), plan.out)
    return trials, winner


def learner_of(plan: SearchPlan, setting: Setting) -> Learner:
    """The learner with a setting of its options."""
    return make_learner(plan.learner, {**plan.values, **split_setting(setting)[1]})


def discretization_of(plan: SearchPlan, setting: Setting) -> DiscretizeOptions | None:
    """The discretisation with a setting of its options; None if there is none."""
    own = split_setting(setting)[0]
    given = plan.files.discretize
    if not own:
        return given
    return options_from(DiscretizeOptions, {**(options_to_dict(given) if given else {}), **own})


def _search_lists(
    plan: SearchPlan,
    settings: Sequence[Setting],
    options: Sequence[BatchOptions],
    discretizations: Sequence[DiscretizeOptions | None],
    on_trial: Callable[[Trial], None] | None,
) -> list[Trial]:
    """Trials on frozen lists, then the best ones by translating."""
    task = make_task(plan.files, make_learner(plan.learner, plan.values), plan.seed)
    with Run(plan.out / FOLDER) as run, executor(plan.cluster, plan.threads) as workers:
        lists = _Lists(plan, with_classes(task, run), run, workers)
        jobs = [
            _ListTrial(plan, number, setting, *lists.folders_for(discretization, each), each)
            for number, (setting, each, discretization) in enumerate(
                zip(settings, options, discretizations, strict=True), start=1
            )
        ]
        trials = []
        with Progress(f"search {plan.learner}", total=len(jobs), unit="trials") as bar:
            for trial in parallel_map(_ListTrial.run, jobs, min(plan.threads, len(jobs))):
                trials.append(trial)
                bar.advance()
                if on_trial is not None:
                    on_trial(trial)
        for trial in _best_of_each(trials, [job.lists for job in jobs], plan.space.options.confirm):
            job = jobs[trial.number - 1]
            bleu = lists.confirm(job.model, PackedWeights((job.folder() / "trial" / _WEIGHTS).read_bytes()))
            trials[trial.number - 1] = replace(trial, held_out_bleu=bleu)
    return trials


def _best_of_each(trials: Sequence[Trial], lists: Sequence[Path], count: int) -> list[Trial]:
    """The best trials on each set of lists: BLEU of one set says little about BLEU of another."""
    order = sorted(trials, key=lambda trial: (-_or_least(trial.held_out_list_bleu), trial.number))
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
        fixed = replace(_batch_options(learner_of(self._plan, {})), **of_lists)
        if fixed.objective() != options.objective():  # a trial of another metric has other statistics
            fixed = options
        key = {
            **self._key(task, options),
            "options": options_to_dict(fixed.lasting()),
            "decodes": decodes,
            "weights": digest((task.model / WEIGHTS).read_bytes()),
            "held_out": examples_digest(task.held_out),
        }

        def work(folder: Path) -> None:
            _write_lists(folder, FrozenLists.decode(task, fixed, decodes, self._settings))

        name = "lists." + digest(json.dumps(key, sort_keys=True).encode())[:12]
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
            name = "model." + digest(repr(discretization).encode())[:12]
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

    def folder(self) -> Path:
        return self.plan.out / FOLDER / "trials" / f"{self.number:04}"

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
        with Run(self.folder()) as run:
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


def _search_runs(
    plan: SearchPlan, settings: Sequence[Setting], on_trial: Callable[[Trial], None] | None
) -> list[Trial]:
    """Complete runs, side by side on one machine."""
    processes = min(len(settings), plan.threads) if plan.cluster == "local" else 1
    shared = replace(plan, threads=max(1, plan.threads // processes))
    jobs = [_RunTrial(shared, number, setting) for number, setting in enumerate(settings, start=1)]
    trials = []
    with Progress(f"search {plan.learner}", total=len(jobs), unit="trials") as bar:
        for trial in parallel_map(_RunTrial.run, jobs, processes):
            trials.append(trial)
            bar.advance()
            if on_trial is not None:
                on_trial(trial)
    return trials


@dataclass(frozen=True)
class _RunTrial:
    """One setting run in full, as a process is told of it."""

    plan: SearchPlan
    number: int
    setting: Setting

    def run(self) -> Trial:
        plan = self.plan
        files = replace(plan.files, discretize=discretization_of(plan, self.setting))
        out = make_folder(_run_folder(plan, self.number))
        with executor(plan.cluster, plan.threads) as workers:
            tuned = tune(files, learner_of(plan, self.setting), out, workers, seed=plan.seed)
        return Trial(self.number, self.setting, held_out_bleu=tuned.bleu)


def _run_folder(plan: SearchPlan, number: int) -> Path:
    return plan.out / FOLDER / "trials" / f"{number:04}"


def _batch_options(learner: Learner) -> BatchOptions:
    assert isinstance(learner, BatchLearner)
    return learner.options


def _or_least(bleu: float | None) -> float:
    return -1.0 if bleu is None else bleu
