"""Work spread over processes, with the results in order and the number in flight bounded."""

from __future__ import annotations

import itertools
import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

from demotic.base.errors import DemoticError

if TYPE_CHECKING:
    from concurrent.futures import Future

T = TypeVar("T")
R = TypeVar("R")


def default_threads() -> int:
    """The cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def parallel_map(function: Callable[[T], R], items: Iterable[T], workers: int) -> Iterator[R]:
    """Yield `function(item)` for each item, in the order of the items, whatever the number of workers.

    A list is handed out at once, so that one long item keeps no worker waiting; of a stream at most `2 * workers` items are in
    flight. Workers are separate processes (`WorkerContext`); they end when the parent dies, even by SIGKILL. With one worker everything
    runs in this process, and so does a single item: it is done before a process has started.
    """
    stream = iter(items)
    first = list(itertools.islice(stream, 2 if workers > 1 else 0))
    stream = itertools.chain(first, stream)
    if len(first) < 2:
        yield from map(function, stream)
        return
    from concurrent.futures.process import BrokenProcessPool, ProcessPoolExecutor

    from demotic.base.processes import WorkerContext

    ahead = len(items) if isinstance(items, Sequence) else 2 * workers
    with ProcessPoolExecutor(workers, WorkerContext(), _watch_parent) as pool:
        pending: deque[Future[R]] = deque()
        try:
            for item in itertools.islice(stream, ahead):
                pending.append(pool.submit(function, item))
            while pending:
                result = pending.popleft().result()
                for item in itertools.islice(stream, 1):
                    pending.append(pool.submit(function, item))
                yield result
        except BrokenProcessPool as error:
            raise DemoticError(
                "a worker process died", hint="if memory ran out, use fewer workers: --threads 1"
            ) from error
        finally:
            # Not one by one: a pool of Python 3.11.2 waits forever for futures that were cancelled before it looked at them.
            pool.shutdown(cancel_futures=True)


def threaded_map(function: Callable[[T], R], items: Sequence[T], workers: int) -> Iterator[R]:
    """The same on threads of this process, for functions that spend their time in native code."""
    if workers <= 1:
        yield from map(function, items)
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(workers) as pool:
        yield from pool.map(function, items)


def _watch_parent() -> None:
    """A pool's workers would wait forever for a parent that was killed."""
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    import multiprocessing

    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
