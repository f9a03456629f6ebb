"""Shards on a Ray cluster, or on processes of this machine where there is no cluster."""

from __future__ import annotations

import logging
import os
import socket
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from demotic.base.errors import DemoticError
from demotic.base.parallel import default_threads
from demotic.cluster.crew import Crew, Member
from demotic.cluster.executor import Broadcast, Executor, Shard, ShardJob, Work


class RayExecutor(Executor):
    """Workers are processes on the nodes of a cluster, each with one CPU; a new one takes the place of one that dies.

    Args:
        workers: how many at most; 0: as many as the cluster has CPUs, those of nodes that join later included.
        address: of the cluster's head; empty: $RAY_ADDRESS, or the cluster that this machine belongs to, or a new instance
            on this machine that ends with the executor; `local`: the latter in any case.
        retries: how often a shard whose worker died is run again.
    """

    def __init__(self, workers: int = 0, address: str = "", retries: int = 3) -> None:
        self._ray = import_ray()
        self._limit = workers
        self._retries = retries
        self._crew: list[Member] = []
        self._connected_here = not self._ray.is_initialized()
        if self._connected_here:
            _connect(self._ray, workers, address)

    @property
    def workers(self) -> int:
        """How many shards run at the same time: the limit, or the CPUs that the cluster has now."""
        return self._limit or max(1, int(self._ray.cluster_resources().get("CPU", 0)))

    def close(self) -> None:
        """End the workers, and leave the cluster."""
        for member in self._crew:
            member.dismiss()
        self._crew.clear()
        if self._connected_here:
            self._ray.shutdown()

    def _open(
        self, job: ShardJob[Any, Shard, Broadcast], shards: Sequence[Shard], broadcast: Broadcast
    ) -> Work:
        return Crew(self._ray, self._crew, job, shards, broadcast, lambda: self.workers, self._retries)


def import_ray() -> Any:
    """The package. Set before it is imported: it neither reports usage nor prints what happens to workers (we do)."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ["RAY_DEDUP_LOGS_SKIP_REGEX"] = "."
    try:
        import ray
    except ImportError as error:
        raise DemoticError(
            "Ray is not installed", hint="pip install 'demotic[cluster]', or run without --cluster ray"
        ) from error
    return ray


def _connect(ray: Any, workers: int, address: str) -> None:
    """Join a cluster, or start an instance on this machine if there is none and none was asked for.

    We look before `ray.init` does: it would try for minutes to reach a cluster that is gone.
    """
    asked = address or os.environ.get("RAY_ADDRESS", "auto")
    quiet = {"log_to_driver": False, "logging_level": logging.ERROR}
    try:
        if _answers(_cluster_of_this_machine() if asked == "auto" else asked):
            ray.init(asked, **quiet)
        elif asked in ("auto", "local"):
            ray.init("local", num_cpus=workers or default_threads(), include_dashboard=False, **quiet)
        else:
            raise ConnectionError("no answer")
    except (ConnectionError, RuntimeError, ray.exceptions.RayError) as error:
        raise DemoticError(
            f"cannot join the Ray cluster '{asked}': {' '.join(str(error).split())}",
            hint="does `ray status` show it? nodes need the same Python and Ray; if it has a token, set RAY_AUTH_MODE=token",
        ) from error


def _cluster_of_this_machine() -> str:
    """The address that `ray start` has left, perhaps long ago."""
    try:
        folder = os.environ.get("RAY_TMPDIR") or tempfile.gettempdir()
        return Path(folder, "ray", "ray_current_cluster").read_text("utf-8").strip()
    except OSError:
        return ""


def _answers(address: str) -> bool:
    host, _, port = address.removeprefix("ray://").rpartition(":")
    try:
        with socket.create_connection((host.strip("[]"), int(port)), timeout=5):
            return True
    except (OSError, ValueError):
        return False
