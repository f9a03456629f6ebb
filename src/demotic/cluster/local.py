"""Shards on threads of this process: native code releases the interpreter lock, and the model is in memory once."""

from __future__ import annotations

import contextlib
import ctypes
import queue
import threading
import time
from collections.abc import Sequence
from typing import Any

from demotic.base.parallel import default_threads
from demotic.cluster.executor import (
    Broadcast,
    Executor,
    Outcome,
    Shard,
    ShardJob,
    Work,
    named_error,
    shard_name,
)

_TELL_AGAIN = 1.0  # seconds


class LocalExecutor(Executor):
    """Threads in one process.

    Args:
        workers: how many threads; 0: one per core.
    """

    def __init__(self, workers: int = 0) -> None:
        self._workers = workers or default_threads()
        self._prepared: tuple[object, Any] | None = None  # the last job and its context

    @property
    def workers(self) -> int:
        """How many shards run at the same time."""
        return self._workers

    def close(self) -> None:
        """Forget the context."""
        self._prepared = None

    def _open(
        self, job: ShardJob[Any, Shard, Broadcast], shards: Sequence[Shard], broadcast: Broadcast
    ) -> Work:
        if self._prepared is None or self._prepared[0] != job:
            self._prepared = None  # the old model goes before the new one comes
            self._prepared = job, job.prepare()
        return _Threads(job, self._prepared[1], shards, broadcast)


class _Cancelled(BaseException):
    """Raised inside a shard that is no longer wanted."""


class _Threads(Work):
    """A thread per running shard, which ends with it."""

    def __init__(
        self, job: ShardJob[Any, Any, Any], context: Any, shards: Sequence[Any], broadcast: Any
    ) -> None:
        self._job, self._context, self._shards, self._broadcast = job, context, shards, broadcast
        self._threads: dict[int, threading.Thread] = {}
        self._ended: queue.SimpleQueue[tuple[int, Outcome]] = queue.SimpleQueue()

    def start(self, number: int) -> None:
        thread = threading.Thread(target=self._run, args=(number,), name=f"shard-{number}")
        self._threads[number] = thread
        thread.start()

    def wait(self) -> tuple[int, Outcome] | None:
        try:
            number, outcome = self._ended.get(
                timeout=0.5
            )  # a signal may reach another thread: look up for Ctrl-C
        except queue.Empty:
            return None
        self._threads.pop(number).join()
        return number, outcome

    def cancel(self) -> None:
        """Stop the threads where they next come back to Python.

        Waiting for whole shards would make Ctrl-C and errors slow. Leaving the threads behind would be worse: one that
        returns from native code while the interpreter shuts down ends the process with a crash. An exception that arrives
        within a finaliser is lost, so threads are told again until they have ended.
        """
        while running := [thread for thread in self._threads.values() if thread.is_alive()]:
            for thread in running:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(
                    ctypes.c_ulong(thread.ident or 0), ctypes.py_object(_Cancelled)
                )
            deadline = time.monotonic() + _TELL_AGAIN
            for thread in running:
                thread.join(max(0.0, deadline - time.monotonic()))

    def _run(self, number: int) -> None:
        with contextlib.suppress(_Cancelled):
            self._ended.put((number, self._outcome(number)))

    def _outcome(self, number: int) -> Outcome:
        try:
            return self._job.run(self._context, self._shards[number], self._broadcast)
        except _Cancelled:
            raise
        except BaseException as error:  # a thread that ended without an outcome would be waited for in vain
            return named_error(error, shard_name(number, self._shards))
