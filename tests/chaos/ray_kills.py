"""Workers and nodes of a Ray cluster, killed at random while they learn: the bytes of an undisturbed local run."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from chaos.disturb import Tally
from chaos.jobs import Workshop
from demotic.base.run import Run
from demotic.cluster import executor, ray
from demotic.decode import TranslationModel
from demotic.learn import LearnSettings, OnlineLearner, PerceptronOptions, TuningTask, training_examples
from ray_cluster import TOKEN, assert_all_gone, processes

_OPTIONS = PerceptronOptions(epochs=3, shards=6, k=20, select=60, learning_rate=0.01)
_SENTENCES = 60
_NODE: dict[str, Any] = {"num_cpus": 1}
_STARTS = 5  # of the cluster, at most
_NODE_EVERY = 5  # of so many kills one is that of a node


def kill_workers(shop: Workshop, folder: Path, times: int, random: Random) -> Tally:
    """A kill in every epoch, at a random moment of it."""
    tally = Tally("ray, worker or node killed")
    home = Path(tempfile.mkdtemp(prefix="ray-", dir="/tmp"))  # a short path, for its sockets
    os.environ.update(RAY_TMPDIR=str(home), RAY_AUTH_MODE="token", RAY_AUTH_TOKEN=TOKEN)
    os.environ["PYTHONPATH"] = os.pathsep.join(
        filter(None, [str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH")])
    )
    os.environ.pop("RAY_ADDRESS", None)
    task = TuningTask(
        shop.model, ("id", "shape"), training_examples(TranslationModel(shop.model), _SENTENCES)
    )
    expected, seconds = _learnt(task, folder / "ray-local", "local")
    try:
        ray.import_ray()
        nodes = _started(home)
        with executor("ray"):
            nodes.add_node(**_NODE)
            while tally.done < times:
                killer = _Killer(
                    nodes, home, random, seconds / _OPTIONS.epochs, times - tally.done, tally.done
                )
                found, _ = _learnt(task, folder / f"ray-{tally.done}", "ray", killer.strike)
                killer.wait()
                tally.done += killer.kills
                tally.identical += killer.kills * (found == expected)
                if found != expected:
                    tally.findings.append(f"other weights after {killer.kills} kills")
                if not killer.kills:
                    tally.missed += 1
                    if tally.missed > times:
                        break
        nodes.shutdown()
    finally:
        assert_all_gone(home)
        shutil.rmtree(home, ignore_errors=True)
    return tally


def _started(home: Path) -> Any:
    """A cluster of one node. Ray gives up after thirty seconds, which is too little on a busy machine, and leaves processes behind."""
    from ray.cluster_utils import Cluster

    head = {**_NODE, "include_dashboard": False, "_system_config": {"health_check_period_ms": 500}}
    for start in range(1, _STARTS + 1):
        try:
            return Cluster(initialize_head=True, head_node_args=head)
        except Exception:
            for pid in processes(home):
                os.kill(pid, signal.SIGKILL)
            if start == _STARTS:
                raise


class _Killer:
    """Kills something a moment after each epoch.

    Args:
        nodes: the cluster.
        home: Ray's folder, by which its processes are found.
        random: draws moments and victims.
        seconds: of an epoch.
        most: kills at most.
        before: kills in earlier runs.
    """

    def __init__(
        self, nodes: Any, home: Path, random: Random, seconds: float, most: int, before: int
    ) -> None:
        self.kills = 0
        self._lost = 0  # nodes
        self._nodes, self._home, self._random, self._seconds = nodes, home, random, seconds
        self._most, self._before = most, before
        self._threads: list[threading.Thread] = []

    def strike(self, row: Any) -> None:
        """Called after an epoch."""
        self._replace_nodes()
        if len(self._threads) >= min(
            self._most, _OPTIONS.epochs - 1
        ):  # after the last one there is nothing to kill
            return
        work = (
            self._kill_node if (self._before + len(self._threads)) % _NODE_EVERY == 4 else self._kill_worker
        )
        delay = self._random.random() * self._seconds
        thread = threading.Thread(target=self._later, args=(delay, work))
        self._threads.append(thread)
        thread.start()

    def wait(self) -> None:
        """Until all have struck."""
        for thread in self._threads:
            thread.join()
        self._replace_nodes()

    def _later(self, delay: float, work: Callable[[], None]) -> None:
        time.sleep(delay)
        work()

    def _kill_worker(self) -> None:
        victims = sorted(pid for pid, name in processes(self._home).items() if "ray::Worker" in name)
        if victims:
            os.kill(self._random.choice(victims), signal.SIGKILL)
            self.kills += 1

    def _kill_node(self) -> None:
        self._nodes.remove_node(self._nodes.list_all_nodes()[-1], allow_graceful=False)
        self.kills += 1
        self._lost += 1

    def _replace_nodes(self) -> None:
        """Ray starts nodes in the main thread only."""
        while self._lost:
            self._lost -= 1
            self._nodes.add_node(**_NODE)


def _learnt(task: TuningTask, folder: Path, cluster: str, on_epoch: Any = None) -> tuple[bytes, float]:
    """Packed weights, and the seconds that it took."""
    shutil.rmtree(folder, ignore_errors=True)
    started = time.monotonic()
    learner = OnlineLearner("itersel", "itersel", _OPTIONS)
    with Run(folder) as run, executor(cluster, 2) as pool:
        weights = learner.fit(task, LearnSettings(run, pool, 1, on_epoch or (lambda row: None))).weights
    return bytes(weights), time.monotonic() - started
