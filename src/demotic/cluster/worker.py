"""What runs on the nodes of a Ray cluster: a process that holds one job's context and does shard after shard."""

from __future__ import annotations

import socket
import sys
from pathlib import Path
from typing import Any, NamedTuple

import demotic
from demotic.cluster.executor import ShardJob


class Place(NamedTuple):
    """Where a worker runs, for messages when something happens to it."""

    host: str
    version: str  # of demotic there


class Log(NamedTuple):
    """The end of what a worker wrote to standard error."""

    host: str
    path: str
    lines: list[str]


class Worker:
    """A Ray actor. Models are memory-mapped files, so the workers of a node share one copy.

    Args:
        name: unlike that of any other worker. It begins the log: `find_log` needs nothing that the worker itself has
            told the driver, which a worker that dies at once does not live to do.
    """

    def __init__(self, name: str) -> None:
        print(_mark(name), file=sys.stderr, flush=True)
        self._job: ShardJob[Any, Any, Any] | None = None
        self._context: Any = None

    def place(self) -> Place:
        """Where this worker runs."""
        return Place(socket.gethostname(), demotic.__version__)

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


def find_log(name: str) -> Log | None:
    """The log of a worker of this node, dead or alive, without the marks; runs in another worker of the node.

    All workers of a node log into one folder, the one that reads included.
    """
    own = Path("/proc/self/fd/2")
    if not own.exists():
        return None
    for path in sorted(own.readlink().parent.glob("worker-*.err")):
        lines = path.read_text("utf-8", errors="replace").splitlines()
        if _mark(name) in lines:
            said = [line.rstrip() for line in lines if not line.startswith(_MARKS)]
            return Log(socket.gethostname(), str(path), said[-_SHOWN:])
    return None


_SHOWN = 12  # last lines of a log: enough for an error and where it was raised
_MARKS = (":job_id:", ":actor_name:", ":demotic_worker:")  # the first two are Ray's


def _mark(name: str) -> str:
    return f":demotic_worker:{name}"
