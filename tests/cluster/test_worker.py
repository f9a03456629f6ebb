"""The log of a dead worker is found by its name: nothing that the worker said to the driver is needed. No Ray runs here."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from demotic.cluster.crew import Member
from demotic.cluster.worker import Log

DYING = """
import os, signal, sys
from demotic.cluster.worker import Worker
print(":job_id:01000000", file=sys.stderr)
Worker(sys.argv[1])
print("last words of", sys.argv[1], file=sys.stderr, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""
FINDING = "import sys; from demotic.cluster.worker import find_log; print(find_log(sys.argv[1]))"


def run_logged(code: str, name: str, log: Path) -> str:
    """Run a process whose standard error is its log, as Ray does."""
    with open(log, "w") as stderr:
        command = [sys.executable, "-c", code, name]
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=stderr, text=True, check=False).stdout


def test_the_log_of_a_worker_that_was_killed(tmp_path: Path):
    for number, name in enumerate(("first", "second")):
        run_logged(DYING, name, tmp_path / f"worker-{number}-01000000-{number}.err")
    found = run_logged(FINDING, "second", tmp_path / "worker-9-ffffffff-9.err")
    assert str(tmp_path / "worker-1-01000000-1.err") in found and "lines=['last words of second']" in found
    assert run_logged(FINDING, "third", tmp_path / "worker-9-ffffffff-9.err") == "None\n"


class RayError(Exception):
    pass


class FakeRay:
    """Three nodes: one is dead, one is lost while it looks, one has the log."""

    exceptions = SimpleNamespace(RayError=RayError)
    util = SimpleNamespace(
        scheduling_strategies=SimpleNamespace(NodeAffinitySchedulingStrategy=lambda node, soft: node)
    )

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []

    def nodes(self) -> list[dict[str, Any]]:
        return [{"NodeID": name, "Alive": name != "dead"} for name in ("dead", "lost", "good")]

    def remote(self, function: Any = None, **options: Any) -> Any:
        if function is None:  # the worker itself, which never says anything
            return lambda cls: SimpleNamespace(remote=lambda name: self._actor(name))
        return SimpleNamespace(
            options=lambda scheduling_strategy, **more: SimpleNamespace(
                remote=lambda name: self.asked.append((scheduling_strategy, name)) or scheduling_strategy
            )
        )

    def _actor(self, name: str) -> Any:
        self.name = name
        return SimpleNamespace(place=SimpleNamespace(remote=lambda: "place"))

    def get(self, reference: str, timeout: float) -> Log:
        if reference != "good":
            raise RayError
        return Log("host", "/logs/worker.err", ["last words"])


def test_every_node_that_lives_is_asked():
    ray = FakeRay()
    member = Member(ray)
    assert str(member) == "worker"  # it died before it said where it runs
    assert member.log() == Log("host", "/logs/worker.err", ["last words"])
    assert ray.asked == [("lost", ray.name), ("good", ray.name)]
