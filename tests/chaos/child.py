"""A command in a forked process: limited, watched, and killed after a given amount of work."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

_TICK = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Ended:
    """How a process ended: its exit status (negative: a signal), what it wrote to standard error, its CPU seconds."""

    status: int
    error: str
    cpu: float

    @property
    def is_clean(self) -> bool:
        """Success, or an error of one line with its hint; never a traceback or a signal of its own."""
        return self.status == 0 or (self.status == 1 and not self.is_crash)

    @property
    def is_crash(self) -> bool:
        """Whether it showed that nobody had foreseen this."""
        return "Traceback" in self.error or "internal error" in self.error


def run_child(
    arguments: Sequence[str], log: Path, *, kill_after: float = 0, before: Callable[[], None] = lambda: None
) -> Ended:
    """Run `demotic` with these arguments in a fork of this process, which has everything imported.

    Args:
        arguments: of the command.
        log: file for its standard error.
        kill_after: CPU seconds after which it gets SIGKILL; 0: never. CPU time, so that a busy machine kills at the same places.
        before: called in the new process.
    """
    child = start_child(arguments, log, before)
    used = 0.0
    while True:
        pid, status, usage = os.wait4(child, os.WNOHANG)
        if pid:
            code = os.waitstatus_to_exitcode(status)
            return Ended(code, log.read_text("utf-8", errors="replace"), usage.ru_utime + usage.ru_stime)
        used = max(used, _cpu(child))
        if kill_after and used >= kill_after:
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        time.sleep(0.002)


def start_child(arguments: Sequence[str], log: Path, before: Callable[[], None] = lambda: None) -> int:
    """The same, without waiting for it; returns its number."""
    log.unlink(missing_ok=True)
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        _be_child(arguments, log, before)
    return child


def _be_child(arguments: Sequence[str], log: Path, before: Callable[[], None]) -> None:
    """Never returns."""
    status = 70
    try:
        descriptor = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        os.dup2(descriptor, 2)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.stderr = os.fdopen(2, "w", buffering=1, closefd=False)
        sys.stdout = os.fdopen(1, "w", closefd=False)
        from demotic.cli.main import run

        before()
        status = run(list(arguments))
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        with contextlib.suppress(Exception):
            sys.stderr.flush()
        os._exit(status)


def _cpu(pid: int) -> float:
    """CPU seconds of all its threads so far; `schedstat` has nanoseconds, but of the first thread only."""
    seconds = 0.0
    with contextlib.suppress(OSError, IndexError):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        seconds = (int(fields[11]) + int(fields[12])) / _TICK
        seconds = max(seconds, int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9)
    return seconds
