"""What runs on the nodes of a Ray cluster: a process that holds one job's context and does shard after shard."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any, NamedTuple

import demotic
from demotic.cluster.executor import ShardJob


class Place(NamedTuple):
    """Where a worker runs, for messages when something happens to it."""

    host: str
    node: str  # Ray's name for it
    log: str  # the file on that host that takes the worker's standard error
    version: str  # of demotic there


class Worker:
    """A Ray actor. Models are memory-mapped files, so the workers of a node share one copy."""

    def __init__(self) -> None:
        self._job: ShardJob[Any, Any, Any] | None = None
        self._context: Any = None

    def place(self) -> Place:
        """Where this worker runs."""
        import ray

        log = Path("/proc/self/fd/2")
        return Place(
            socket.gethostname(),
            ray.get_runtime_context().get_node_id(),
            str(log.readlink()) if log.exists() else "",
            demotic.__version__,
        )

    def prepare(self, job: ShardJob[Any, Any, Any]) -> None:
        """Make ready for shards of this job; nothing to do if the last job was equal."""
        if self._job != job:
            self._job = self._context = None  # the old model goes before the new one comes
            self._context = job.prepare()
            self._job = job

    def run(self, shard: Any, broadcast: Any) -> bytes:
        """The work on one shard."""
        assert self._job is not None
        return self._job.run(self._context, shard, broadcast)


def last_lines(path: str, count: int = 12) -> list[str]:
    """The end of a worker's log, without the marks that Ray writes for itself."""
    with open(path, encoding="utf-8", errors="replace") as file:
        return [line.rstrip() for line in file if not line.startswith((":job_id:", ":actor_name:"))][-count:]
