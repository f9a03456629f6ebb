"""Fixtures for tests that need a Ray cluster: `ray_folder` for an instance of one's own, `cluster` for two nodes."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import secrets
import shutil
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from demotic.cluster import executor, ray

TOKEN = secrets.token_hex(32)  # Ray would store one in the home folder


def processes(folder: Path) -> dict[int, str]:
    """Number and name of the processes that have files in this folder open, as all of Ray's have their logs."""
    found = {}
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if any(folder in file.readlink().parents for file in (entry / "fd").iterdir()):
                found[int(entry.name)] = (entry / "cmdline").read_bytes().decode()
    found.pop(os.getpid(), None)
    return found


def eventually(condition: Callable[[], bool], complaint: Callable[[], str] = str) -> None:
    """Wait until it is so."""
    deadline = time.monotonic() + 300  # only a failure waits so long
    while not condition():
        assert time.monotonic() < deadline, complaint()
        time.sleep(0.05)


def assert_all_gone(folder: Path) -> None:
    """Nothing of Ray is left, except that agents take a minute to notice that their node was killed: they are ended."""
    eventually(
        lambda: all("Agent" in name for name in processes(folder).values()),
        lambda: f"left behind: {processes(folder)}",
    )
    for pid in processes(folder):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


@pytest.fixture(scope="module")
def ray_folder() -> Iterator[Path]:
    """Ray's files, apart from those of any cluster that this machine may belong to; a short path, for its sockets."""
    if importlib.util.find_spec("ray") is None:
        pytest.skip("needs Ray: pip install 'demotic[cluster]'")
    folder = Path(tempfile.mkdtemp(prefix="ray-", dir="/tmp"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_TMPDIR", str(folder))
        patch.setenv("PYTHONPATH", str(Path(__file__).parent))  # workers import the jobs
        patch.delenv("RAY_ADDRESS", raising=False)
        patch.setenv("RAY_AUTH_MODE", "token")
        patch.setenv("RAY_AUTH_TOKEN", TOKEN)
        yield folder
    assert_all_gone(folder)
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def cluster(ray_folder: Path) -> Iterator[Any]:
    """Two nodes with one CPU each; `executor("ray")` finds them. The connection stays, to save its cost in each test."""
    ray.import_ray()
    from ray.cluster_utils import Cluster

    head = {"num_cpus": 1, "include_dashboard": False, "_system_config": {"health_check_period_ms": 500}}
    nodes = Cluster(initialize_head=True, head_node_args=head)
    with executor("ray"):  # joins the head, the only node so far
        nodes.add_node(num_cpus=1)
        yield nodes
    nodes.shutdown()
