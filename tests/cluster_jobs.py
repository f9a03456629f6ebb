"""Shard jobs without any translation in them, for tests of the executors. A module of its own: workers import it."""

from __future__ import annotations

import hashlib
import os
import signal
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from demotic.base.errors import DemoticError


def plain_loop(job: Any, shards: Iterable[Any], broadcast: Any) -> list[bytes]:
    """What any executor must give."""
    context = job.prepare()
    return [job.run(context, shard, broadcast) for shard in shards]


@dataclass(frozen=True)
class Hashing:
    """The digest of salt, broadcast and shard, after a rest that depends on the shard: results come out of order."""

    salt: str = ""
    rest: float = 0.0

    def prepare(self) -> str:
        return f"prepared {self.salt}"

    def run(self, context: str, shard: int, broadcast: bytes) -> bytes:
        time.sleep(self.rest * (7 * shard % 5))
        return hashlib.sha256(f"{context} {shard} ".encode() + broadcast).digest()


@dataclass(frozen=True)
class Refusing:
    """Refuses some shards with an error; the model too if `model` is wrong."""

    refused: tuple[int, ...] = ()
    model: str = "good"

    def prepare(self) -> None:
        if self.model != "good":
            raise DemoticError("no such file or directory", self.model, hint="check the path")

    def run(self, context: None, shard: int, broadcast: bytes) -> bytes:
        if shard in self.refused:
            raise DemoticError(f"bad item {shard}", "f.txt", 7, "mend it")
        return bytes([shard])


@dataclass(frozen=True)
class Traced:
    """Notes in a file what it does: lines of process, parent process (of a Ray worker: its node), what, shard."""

    log: Path
    rest: float = 0.0
    meetings: tuple[
        int, ...
    ] = ()  # shards from one of these to the next wait until two nodes have begun one of them

    def prepare(self) -> Path:
        self._note("prepare", -1)
        return self.log

    def run(self, context: Path, shard: int, broadcast: bytes) -> bytes:
        self._note("run", shard)
        deadline = time.monotonic() + self.rest
        while time.monotonic() < deadline:
            time.sleep(0.01)
        if met := [first for first in self.meetings if first <= shard]:
            self._meet(met[-1], deadline + 300)
        self._note("end", shard)
        return b"%d" % shard

    def _meet(self, first: int, deadline: float) -> None:
        while len({node for _, node, shard in self.events("run") if shard >= first}) < 2:
            assert time.monotonic() < deadline, "the other node never came"
            time.sleep(0.02)

    def _note(self, what: str, shard: int) -> None:
        with open(self.log, "a", encoding="utf-8") as file:
            file.write(f"{os.getpid()} {os.getppid()} {what} {shard}\n")

    def events(self, what: str) -> list[tuple[int, int, int]]:
        """Process, parent process and shard of what was done so far, of one kind."""
        lines = self.log.read_text("utf-8").splitlines() if self.log.exists() else []
        events = [line.split() for line in lines]
        return [(int(pid), int(parent), int(shard)) for pid, parent, kind, shard in events if kind == what]


@dataclass(frozen=True)
class Dying:
    """Hashes, but kills its process in some shards (-1: while it prepares), the first `times` times."""

    folder: Path  # a file for each death
    shards: tuple[int, ...]
    times: int

    def prepare(self) -> str:
        self._perhaps_die(-1)
        return Hashing().prepare()

    def run(self, context: str, shard: int, broadcast: bytes) -> bytes:
        self._perhaps_die(shard)
        return Hashing().run(context, shard, broadcast)

    def _perhaps_die(self, shard: int) -> None:
        deaths = len(list(self.folder.glob(f"{shard}.*")))
        if shard in self.shards and deaths < self.times:
            (self.folder / f"{shard}.{deaths}").touch()
            print(f"last words of shard {shard}", file=sys.stderr, flush=True)
            os.kill(os.getpid(), signal.SIGKILL)
