"""The systems of an experiment: which runs there are, which come first, and running them on all cores."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from demotic.base.errors import DemoticError
from demotic.base.parallel import parallel_map
from demotic.features import template_digests
from demotic.learn.registry import make_learner
from demotic.pipeline.discretize import parse_discretize
from demotic.pipeline.tune import TuneInput
from demotic.reproduce.context import Context, SystemId
from demotic.reproduce.data import Data, DataSet
from demotic.reproduce.experiment import Row
from demotic.reproduce.system_job import Outcome, SystemJob, TestText
from demotic.reproduce.workspace import model_key

USAGE_K = 1000  # length of the lists in which features are looked for: Liu et al. (2013), table 1


@dataclass(frozen=True)
class PlannedRun:
    """One replica of a system."""

    system: SystemId
    job: SystemJob
    model: Path  # the untuned one that it comes from


def plan_runs(context: Context) -> list[list[PlannedRun]]:
    """All runs, in levels: those of a level need nothing but the levels before.

    Wrong options are refused here, before any work is done.
    """
    planner = _Planner(context)
    levels: list[list[PlannedRun]] = []
    for row in context.experiment.systems():
        for pair in context.pairs_of(row):
            if context.has_sets(replace(row, pair=pair)):
                depth = _depth(context, row)
                levels += [[] for _ in range(depth + 1 - len(levels))]
                levels[depth] += planner.runs(row, pair)
    return levels


def run_all(context: Context, levels: Sequence[Sequence[PlannedRun]]) -> dict[SystemId, list[Outcome]]:
    """Outcomes of every system, by replica.

    On this machine as many runs go on at the same time as there are threads, which they share: much of what a learner does needs one
    core only. A cluster is given one after the other.
    """
    outcomes: dict[SystemId, list[Outcome]] = {}
    for level in levels:
        for planned, outcome in zip(level, _run(context, level), strict=True):
            outcomes.setdefault(planned.system, []).append(outcome)
            context.say(f"{planned.job.title}: {outcome.features:,} features, {outcome.seconds / 60:.1f} min")
    return outcomes


def processes_for(context: Context, runs: int) -> int:
    """How many runs go on at the same time."""
    return max(1, min(runs, context.threads)) if context.cluster == "local" else 1


def _run(context: Context, level: Sequence[PlannedRun]) -> Iterator[Outcome]:
    processes = processes_for(context, len(level))
    jobs = [
        replace(planned.job, threads=max(1, context.threads // processes), has_log=processes > 1)
        for planned in level
    ]
    return parallel_map(SystemJob.run, jobs, processes)


def _depth(context: Context, row: Row) -> int:
    depth, seen = 0, {row.id}
    while row.start:
        row = context.experiment.row(row.start)
        if row.id in seen:
            raise DemoticError(f"the row '{row.id}' starts from itself", f"{context.experiment.name}.toml")
        seen.add(row.id)
        depth += 1
    return depth


class _Planner:
    """Turns rows into jobs; folders are named by what decides their contents."""

    def __init__(self, context: Context) -> None:
        self.context, self.experiment = context, context.experiment
        self._models = [
            {name: (folder, model_key(folder)) for name, folder in models.items()}
            for models in context.models
        ]
        columns = [column for column in self.experiment.columns if column.is_score]
        self._shown = {column.translations: column for column in columns}
        self._usage = any(column.value in ("active", "reused") for column in self.experiment.columns)

    def runs(self, row: Row, pair: int) -> list[PlannedRun]:
        count = self._replicas(row)
        model, _ = self._models[pair - 1][self.experiment.model_of(row)]
        return [
            PlannedRun((row.id, pair), self._job(row, pair, replica, count), model)
            for replica in range(count)
        ]

    def _replicas(self, row: Row) -> int:
        return row.replicas or self.experiment.sizes.replicas

    def _job(self, row: Row, pair: int, replica: int, count: int) -> SystemJob:
        context, sizes = self.context, self.experiment.sizes
        data, (base, key) = context.data[pair - 1], self._models[pair - 1][self.experiment.model_of(row)]
        model = base
        seed = context.seed + replica
        data_seed = seed if row.draws == "new" else context.seed
        if row.start:
            first = self.experiment.row(row.start)
            model = self._job(first, pair, replica % self._replicas(first), count).out
            key = model.name
        values = self.experiment.learner_options(row)
        make_learner(row.learner, values)
        files, text = self._files(row, data, model, base)
        parts = {
            "model": key,
            "row": _learnt_by(row),
            "options": values,
            "text": text,
            "seeds": [seed, data_seed],
        }
        has_seen = "seen" in self._shown
        return SystemJob(
            title=_title(row, data, replica, count),
            files=files,
            learner=row.learner,
            values=values,
            out=context.workspace.system(row.learner, parts),
            seed=seed,
            data_seed=data_seed,
            texts={} if row.hidden else self._texts(data),
            seen=sizes.sentences if has_seen else 0,
            not_seen=sizes.sentences if has_seen else 0,
            usage_on=data.sets.get("test") if self._usage and not row.hidden else None,
            usage_k=USAGE_K,
            cluster=context.cluster,
        )

    def _texts(self, data: Data) -> dict[str, TestText]:
        """What is translated, by the name of the translations."""
        return {
            name: TestText(data.sets[column.set], column.decode)
            for name, column in sorted(self._shown.items())
            if column.set in data.sets
        }

    def _files(self, row: Row, data: Data, model: Path, base: Path) -> tuple[TuneInput, dict[str, Any]]:
        """What a row is learnt from, and what tells that from other text."""
        tuning = data.sets.get(row.on.removeprefix("train+"))
        held_out = data.sets["select"] if row.choose else None
        watched = {name: data.sets[name] for name in row.watch}
        sentences = self._sentences(row, base) if row.on.startswith("train") else 0
        files = TuneInput(
            model,
            tuning.source if tuning else None,
            tuning.references if tuning else (),
            row.on.startswith("train"),
            sentences,
            held_out.source if held_out else None,
            held_out.references if held_out else (),
            watched=[(name, text.source, text.references) for name, text in watched.items()],
            templates=row.features,
            class_lms=(),  # an experiment says what its models have
            discretize=parse_discretize(row.discretize) if row.discretize else None,
        )
        return files, {
            "tuning": _key(tuning),
            "sentences": sentences,
            "held_out": _key(held_out),
            "watched": {name: _key(text) for name, text in watched.items()},
        }

    def _sentences(self, row: Row, base: Path) -> int:
        """Of the training data; 0, all, if there are not more."""
        wanted = self.experiment.sentences(row)
        kept = json.loads((base / "run" / "prepare" / "summary.json").read_text("utf-8"))["kept"]
        return 0 if wanted >= int(kept) else wanted


def _learnt_by(row: Row) -> dict[str, Any]:
    """The parts of a row that decide its weights."""
    return {
        "learner": row.learner,
        "on": row.on,
        "features": template_digests(row.features),
        "discretize": row.discretize,
    }


def _key(text: DataSet | None) -> str:
    return text.key if text else ""


def _title(row: Row, data: Data, replica: int, count: int) -> str:
    return f"{row.id} {data.pair}" + (f" {replica + 1}/{count}" if count > 1 else "")
