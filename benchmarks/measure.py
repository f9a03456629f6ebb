"""Measuring: CPU time, wall time and peak memory of a function in a process of its own, and the unit of work.

CPU seconds differ between machines and with what else runs there. Costs of peers are therefore kept in *units*: the CPU time
of a fixed piece of work (`shared/golden/calibrate.py`), measured in the same run.
"""

from __future__ import annotations

import multiprocessing
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from demotic.base.files import atomic_write, make_folder, read_lines
from demotic.base.parallel import default_threads, parallel_map
from demotic.corpus.tokenize import tokenizer_for

ROOT = Path(__file__).parents[1]
CACHE = ROOT / "build" / "benchmarks"


@dataclass(frozen=True)
class Cost:
    """What a call took."""

    cpu: float  # seconds, user and system, all threads
    wall: float  # seconds
    peak: float  # MB of resident memory, with the interpreter
    result: Any = None


class OtherWork:
    """What other processes do while the block runs: they push data out of caches, and CPU times rise by a third and more."""

    share = 0.0  # of the CPU time of all cores; known at the end

    def __enter__(self) -> OtherWork:
        self._begin = (time.perf_counter(), _machine_cpu(), _cpu() + _cpu(resource.RUSAGE_CHILDREN))
        return self

    def __exit__(self, *error: object) -> None:
        wall, machine, own = (
            after - before
            for before, after in zip(
                self._begin,
                (time.perf_counter(), _machine_cpu(), _cpu() + _cpu(resource.RUSAGE_CHILDREN)),
                strict=True,
            )
        )
        self.share = max(machine - own, 0.0) / (wall * (os.cpu_count() or 1))


def _machine_cpu() -> float:
    """CPU seconds of all processes since the machine started; 0 where the system does not say."""
    statistics = Path("/proc/stat")
    if not statistics.exists():
        return 0.0
    user, nice, system, _idle, _wait, irq, softirq, *_ = map(
        int, statistics.read_text().split("\n")[0].split()[1:]
    )
    return (user + nice + system + irq + softirq) / os.sysconf("SC_CLK_TCK")


def shared() -> Path:
    """The folder with reference data and corpora."""
    folder = Path(os.environ.get("DEMOTIC_SHARED", ROOT.parent / "shared"))
    if not (folder / "golden").is_dir():
        sys.exit("benchmarks need the reference data: set DEMOTIC_SHARED to a folder with golden/ and data/")
    return folder


def seconds_per_unit() -> float:
    """CPU seconds of one unit of work here and now."""
    script = shared() / "golden" / "calibrate.py"
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    return float(done.stdout.split()[0])


def command_seconds(arguments: list[str], repeats: int = 5) -> float:
    """CPU seconds of `demotic ARGUMENTS` as a process, with the start of Python: the median of some runs."""
    seconds = []
    for _ in range(repeats):
        before = _cpu(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-m", "demotic", *arguments], stdout=subprocess.DEVNULL, check=True)
        seconds.append(_cpu(resource.RUSAGE_CHILDREN) - before)
    return statistics.median(seconds)


def in_process(function: Callable[..., Any], *arguments: Any) -> Cost:
    """Run a function of a module in a fresh process, so that memory and caches are its own."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        return pool.submit(_measured, function, arguments).result()


def _measured(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Cost:
    before, started = _cpu(), time.perf_counter()
    result = function(*arguments)
    wall, cpu = time.perf_counter() - started, _cpu() - before
    return Cost(cpu, wall, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, result)


def _cpu(who: int = resource.RUSAGE_SELF) -> float:
    usage = resource.getrusage(who)
    return usage.ru_utime + usage.ru_stime


def tokenized(name: str, source: str) -> Path:
    """A corpus of the shared data, tokenised and lowercased once and kept in build/benchmarks."""
    path = make_folder(CACHE) / name
    if not path.exists():
        lines = read_lines(shared() / "data" / source)
        blocks = iter(lambda: list(islice(lines, 1000)), [])
        with atomic_write(path) as file:
            for block in parallel_map(_tokenize, blocks, default_threads()):
                file.writelines(line + "\n" for line in block)
    return path


def _tokenize(lines: list[str]) -> list[str]:
    tokenizer = tokenizer_for("en", version=1)  # as in the recorded figures
    return [" ".join(tokenizer.tokenize(line)).lower() for line in lines]
