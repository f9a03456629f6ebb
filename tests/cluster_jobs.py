"""Shard jobs without any translation in them, for tests of the executors. A module of its own: workers import it."""

from __future__ import annotations

import hashlib
import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path

from demotic.base.errors import DemoticError


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
    """Hashes, but refuses some shards with an error."""

    refused: tuple[int, ...]

    def prepare(self) -> None:
        return None

    def run(self, context: None, shard: int, broadcast: bytes) -> bytes:
        if shard in self.refused:
            raise DemoticError(f"bad item {shard}", "f.txt", 7, "mend it")
        return bytes([shard])


@dataclass(frozen=True)
class Traced:
    """Appends a line to a file whenever it prepares or runs: `pid what`."""

    log: Path
    rest: float = 0.0

    def prepare(self) -> Path:
        self._write("prepare")
        return self.log

    def run(self, context: Path, shard: int, broadcast: bytes) -> bytes:
        self._write(f"run {shard}")
        deadline = time.monotonic() + self.rest
        while time.monotonic() < deadline:
            time.sleep(0.01)
        self._write(f"end {shard}")
        return b"%d" % shard

    def _write(self, what: str) -> None:
        with open(self.log, "a", encoding="utf-8") as file:
            file.write(f"{os.getpid()} {what}\n")

    def events(self, what: str) -> list[str]:
        """What was done so far, of one kind."""
        lines = self.log.read_text("utf-8").splitlines() if self.log.exists() else []
        return [line for line in lines if line.split()[1] == what]


@dataclass(frozen=True)
class Dying:
    """Kills its process by SIGKILL in some shards: the first `times` times, counted by files in a folder."""

    folder: Path
    shards: tuple[int, ...]
    times: int

    def prepare(self) -> Hashing:
        return Hashing()

    def run(self, context: Hashing, shard: int, broadcast: bytes) -> bytes:
        if shard in self.shards:
            deaths = len(list(self.folder.glob(f"{shard}.*")))
            if deaths < self.times:
                (self.folder / f"{shard}.{deaths}").touch()
                os.kill(os.getpid(), signal.SIGKILL)
        return context.run(context.prepare(), shard, broadcast)
