"""Learning on two Ray nodes: the bytes of an undisturbed local run, also when a worker and then a whole node dies."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from demotic.base.run import Run
from demotic.cluster import executor
from demotic.decode import TranslationModel
from demotic.learn import LearnSettings, OnlineLearner, PerceptronOptions, TuningTask, training_examples
from ray_cluster import processes

OPTIONS = PerceptronOptions(epochs=3, shards=6, k=20, select=60, learning_rate=0.01)


@pytest.fixture(scope="module")
def task(model: TranslationModel) -> TuningTask:
    return TuningTask(model.folder, ("id", "shape"), training_examples(model, 60))


def learnt(task: TuningTask, folder: Path, cluster: str, workers: int, on_epoch: Any = None) -> bytes:
    learner = OnlineLearner("itersel", "itersel", OPTIONS)
    with Run(folder) as run, executor(cluster, workers) as pool:
        return learner.fit(task, LearnSettings(run, pool, 1, on_epoch or (lambda row: None))).weights


def test_the_same_bytes_whatever_dies(cluster: Any, ray_folder: Path, task: TuningTask, tmp_path: Path):
    disasters: Iterator[str] = iter(["a worker", "a node", ""])

    def strike(row: Any) -> None:
        """After the first epoch a worker is killed, after the second a node."""
        disaster = next(disasters)
        if disaster == "a worker":
            victims = [pid for pid, name in processes(ray_folder).items() if "ray::Worker" in name]
            os.kill(victims[0], signal.SIGKILL)
        elif disaster == "a node":
            cluster.remove_node(cluster.list_all_nodes()[1], allow_graceful=False)

    expected = learnt(task, tmp_path / "local", "local", 2)
    assert learnt(task, tmp_path / "quiet", "ray", 1) == expected
    assert learnt(task, tmp_path / "struck", "ray", 2, strike) == expected
    assert next(disasters, None) is None
