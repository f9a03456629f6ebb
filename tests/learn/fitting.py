"""Learners run to their end on a few threads."""

from __future__ import annotations

from pathlib import Path

from demotic.base.run import Run
from demotic.cluster import executor
from demotic.learn import Learner, LearnSettings, Tuned, TuningTask


def run_learner(learner: Learner, task: TuningTask, folder: Path, workers: int = 2, seed: int = 1) -> Tuned:
    """What a learner finds; in a folder where it has run before it goes on."""
    with Run(folder) as run, executor("local", workers) as where:
        return learner.fit(task, LearnSettings(run, where, seed))
