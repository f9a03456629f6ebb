"""What is done to jobs: killed, denied space, denied the right to write, given a clock that jumps."""

from __future__ import annotations

import ctypes
import os
import resource
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random

from chaos.child import Ended, run_child
from chaos.jobs import Job

_CAPABILITIES_VERSION = 0x20080522  # of Linux: two words each for effective, permitted and inheritable ones
_SHORTEST = 1_000  # bytes of the smallest limit on files: standard error is a file too, and has a line to say
_YEARS = 365 * 86_400


@dataclass
class Tally:
    """What came of the disturbances of one kind.

    Attributes:
        name: of the job and the disturbance.
        done: disturbances that took place.
        identical: after how many the job ended with the bytes of an undisturbed run.
        missed: the job had ended before, or was not affected.
        findings: crashes, tracebacks, other bytes.
    """

    name: str
    done: int = 0
    identical: int = 0
    missed: int = 0
    findings: list[str] = field(default_factory=list)

    def line(self) -> str:
        """For people."""
        text = f"{self.name}: {self.done} done, {self.identical} identical, {self.missed} missed"
        return "\n".join([text, *(f"  {finding}" for finding in self.findings)])


class UnfitJob(Exception):
    """A job that cannot be disturbed, since it fails by itself."""


class Reference:
    """An undisturbed run of a job, to compare with.

    Args:
        job: the job.
        folder: to work in; a folder for each attempt is made in it, at the same depth.
    """

    def __init__(self, job: Job, folder: Path) -> None:
        self.job = job
        self._folder = folder
        self._log = folder / "stderr.txt"
        self._count = 0
        work = self.new_folder()
        ended = self.run(work)
        if ended.status != 0:
            raise UnfitJob(f"fails without being disturbed: {ended.error.strip()}")
        self.cpu, self.expected = ended.cpu, job.result(work)
        shutil.rmtree(work)

    def new_folder(self) -> Path:
        """A folder with what the job begins with."""
        self._count += 1
        work = self._folder / f"{self._count:04}"
        work.mkdir(parents=True)
        self.job.prepare(work)
        return work

    def run(self, work: Path, kill_after: float = 0, before: Callable[[], None] = lambda: None) -> Ended:
        """The job, once."""
        return run_child(self.job.arguments(work), self._log, kill_after=kill_after, before=before)

    def finish(self, work: Path, tally: Tally, what: str) -> None:
        """Repeat the command, undisturbed; it must end with the expected bytes. The folder of a finding stays, to be looked at."""
        if why := self.shortfall(self.run(work), work):
            tally.findings.append(f"{what}: {why} (see {work})")
        else:
            tally.identical += 1
            shutil.rmtree(work)

    def shortfall(self, ended: Ended, work: Path) -> str:
        """Why an attempt that was to succeed is not as expected; nothing: it left the expected bytes."""
        if ended.status != 0:
            return f"status {ended.status}: {ended.error.strip()}"
        found = self.job.result(work)
        names = sorted(
            name for name in {*found, *self.expected} if found.get(name) != self.expected.get(name)
        )
        return f"other bytes in {', '.join(names[:5])}" if names else ""


def kill(reference: Reference, times: int, random: Random) -> Tally:
    """SIGKILL after a random share of the CPU time of an undisturbed run; every third attempt is killed twice."""
    tally = Tally(f"{reference.job.name}, killed")
    while tally.done < times and tally.missed < 3 * times:
        work = reference.new_folder()
        shares = [random.random() for _ in range(1 + (random.randrange(3) == 0))]
        killed = 0
        for share in shares[: times - tally.done]:
            ended = reference.run(work, kill_after=max(0.005, share * reference.cpu))
            if ended.status == -9:
                killed += 1
            else:
                tally.missed += 1
                if ended.status != 0:
                    tally.findings.append(f"status {ended.status}: {ended.error.strip()}")
                break
        if not killed:
            shutil.rmtree(work)
            continue
        tally.done += killed
        before = tally.identical
        reference.finish(work, tally, f"killed after {', '.join(f'{share:.3f}' for share in shares)}")
        tally.identical = before + killed * (tally.identical > before)
    return tally


@contextmanager
def small_disk(folder: Path, kilobytes: int) -> Iterator[Path]:
    """A file system of this size."""
    folder.mkdir(parents=True, exist_ok=True)
    options = f"size={kilobytes}k,mode=0777"
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], check=True, capture_output=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", folder], check=False, capture_output=True)


def can_mount(folder: Path) -> bool:
    """Whether this process may make file systems."""
    try:
        with small_disk(folder, 16):
            return True
    except (OSError, subprocess.CalledProcessError):
        return False


def fill_disk(reference: Reference, times: int, random: Random, folder: Path) -> Tally:
    """A disk that is full after a random share of what the job writes; then there is room again."""
    tally = Tally(f"{reference.job.name}, disk full")
    needed = sum(map(len, reference.expected.values())) // 1024
    for _ in range(times):
        size = max(4, int(random.random() * 1.2 * needed))
        with small_disk(folder / "disk", size) as disk:
            try:
                reference.job.prepare(disk)
            except OSError:  # what it begins with fills the disk
                tally.missed += 1
                continue
            ended = reference.run(disk)
            _note(tally, ended, f"disk of {size} kB")
            if ended.status == 1:
                subprocess.run(["mount", "-o", "remount,size=1g", disk], check=True, capture_output=True)
                ended = reference.run(disk)
                _compare(tally, reference, ended, disk, f"disk of {size} kB")
    return tally


def limit_files(reference: Reference, times: int, random: Random) -> Tally:
    """No file may become longer than a random limit; then they may."""
    tally = Tally(f"{reference.job.name}, files limited")
    longest = max(map(len, reference.expected.values()))
    for _ in range(times):
        work = reference.new_folder()
        limit = int(_SHORTEST * (longest / _SHORTEST) ** random.random())
        ended = reference.run(work, before=partial(_limit_files, limit))
        _note(tally, ended, f"files of {limit} bytes")
        if ended.status == 1:
            reference.finish(work, tally, f"files of {limit} bytes")
        else:
            shutil.rmtree(work)
    return tally


def _limit_files(limit: int) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))


def forbid_writing(reference: Reference) -> Tally:
    """A folder that cannot be written to, also for root; then it can."""
    tally = Tally(f"{reference.job.name}, read-only folder")
    work = reference.new_folder()
    (work / "out").mkdir(exist_ok=True)
    for path in (work, *work.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)

    ended = reference.run(work, before=_give_up_capabilities)
    for path in (work, *work.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    _note(tally, ended, "read-only folder")
    reference.finish(work, tally, "read-only folder")
    return tally


def _give_up_capabilities() -> None:
    """Root obeys the modes of files then, as everybody does. Another user could not even read the folder that all this happens in."""
    header, none = (ctypes.c_uint32 * 2)(_CAPABILITIES_VERSION, 0), (ctypes.c_uint32 * 6)()
    if ctypes.CDLL(None, use_errno=True).capset(header, none):
        raise OSError(ctypes.get_errno(), "capset")


def turn_clock(reference: Reference, times: int, random: Random) -> Tally:
    """Killed, then files get times of other years, and the clock jumps by years whenever it is asked."""
    tally = Tally(f"{reference.job.name}, clock turned")
    for _ in range(times):
        work = reference.new_folder()
        seed = random.randrange(1 << 30)
        reference.run(
            work, kill_after=max(0.005, random.random() * reference.cpu), before=partial(_jump, seed)
        )
        for path in sorted(work.rglob("*")):
            moment = time.time() + (random.random() - 0.5) * 20 * _YEARS
            os.utime(path, (moment, moment), follow_symlinks=False)
        ended = reference.run(work, before=partial(_jump, seed + 1))
        tally.done += 1
        _compare(tally, reference, ended, work, f"clock of seed {seed}")
        shutil.rmtree(work)
    return tally


def _jump(seed: int) -> None:
    """In the process that is disturbed: every look at the clock is years from the last."""
    random, usual = Random(seed), time.time
    time.time = lambda: usual() + (random.random() - 0.5) * 20 * _YEARS
    time.time_ns = lambda: int(time.time() * 1e9)


def _note(tally: Tally, ended: Ended, what: str) -> None:
    """A disturbance counts if the job failed; a crash is a finding."""
    if ended.status == 0:
        tally.missed += 1
    else:
        tally.done += 1
    if not ended.is_clean:
        tally.findings.append(f"{what}: status {ended.status}: {ended.error.strip()}")


def _compare(tally: Tally, reference: Reference, ended: Ended, work: Path, what: str) -> None:
    if why := reference.shortfall(ended, work):
        tally.findings.append(f"{what}: then {why}")
    else:
        tally.identical += 1
