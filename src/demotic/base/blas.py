"""One thread for BLAS while weights are learnt: sums that several threads share depend on how many there are."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_lock = threading.Lock()
_limits: list[Any] = []  # of those inside, the first one last to be undone
_inside = 0


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """BLAS libraries that are loaded by now use one thread, in all threads of this process, until the last one leaves.

    Several learners may run in one process, so nobody undoes the limit while another relies on it. It stays where the last
    one to leave runs in another thread than the first: only that thread may set it. A library that is loaded later (scipy
    brings its own) needs another call.
    """
    from threadpoolctl import threadpool_limits

    global _inside
    with _lock:
        _limits.append(threadpool_limits(1, user_api="blas"))
        _inside += 1
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            while _inside == 0 and _limits:
                _limits.pop().restore_original_limits()
