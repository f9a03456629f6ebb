"""The log of what a model has learnt in use: `additions.log` in the model folder.

Every record is one line: the length of its JSON text in bytes and its CRC-32, both in hex, then the text. Records are only ever
appended, and each is on disk before anybody is told that it was accepted. What a crash leaves of a record at the end of the file
is dropped. The first record names the index that the log belongs to.

| record | means |
|---|---|
| `log` | the index file that the pairs are added to |
| `learn` | a sentence pair with its links, and the weights that changed, with their new values |
| `undo` | the last so many pairs are taken back, with their weights |
| `merge` | another index file, which holds the first so many pairs; without a number all of them |
| `weights` | the weights of the model were replaced: changes up to here no longer count |
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from demotic.base.errors import DemoticError, os_error
from demotic.base.files import Pathish, sync
from demotic.base.json_text import parse_json

ADDITIONS = "additions.log"
LOCK = "additions.lock"
_VERSION = 1
_PREFIX = 18  # two numbers of eight hex digits, a space after each
_ENDS = 1 << 16  # bytes at each end of an index file that tell it from others


@dataclass(frozen=True)
class AddedPair:
    """A sentence pair that was added to a model.

    Attributes:
        source: prepared words.
        target: prepared words.
        links: in Pharaoh format.
        weights: those that changed with it, by name, with their new values.
    """

    source: str
    target: str
    links: str
    weights: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Additions:
    """What a log says.

    Attributes:
        pairs: that count, in order; those that were taken back are not among them.
        in_index: so many of them are part of the index file already.
        end: bytes of the log that are whole records; 0: there is no log.
        index: name of the index file beside it (`index_name`).
    """

    pairs: tuple[AddedPair, ...] = ()
    in_index: int = 0
    end: int = 0
    index: str = ""

    @property
    def new(self) -> tuple[AddedPair, ...]:
        """Pairs that the index file does not have."""
        return self.pairs[self.in_index :]

    @cached_property
    def translations(self) -> dict[str, str]:
        """Prepared sentences with their translations; of two for one sentence the last."""
        return {pair.source: pair.target for pair in self.pairs}

    @property
    def weights(self) -> dict[str, float]:
        """Weights that differ from those of the model's file, by name."""
        return {name: value for pair in self.pairs for name, value in pair.weights.items()}


def index_name(path: Pathish) -> str:
    """What tells an index file from others: its size and both of its ends, hashed."""
    try:
        with open(path, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            state = hashlib.blake2b(file.read(_ENDS), digest_size=12)
            file.seek(max(0, size - _ENDS))
            state.update(file.read() + size.to_bytes(8, "little"))
    except OSError as error:
        raise os_error(error, path) from error
    return state.hexdigest()


def read_additions(log: Path, index: Path) -> Additions:
    """What a log says; nothing if it does not exist.

    Args:
        log: of a model.
        index: of the same model.

    Raises:
        DemoticError: for a damaged record that others follow, and for the log of another index.
    """
    if not log.exists():
        return Additions()
    own, here, end = index_name(index), None, 0  # before the log, which names an index before it is there
    try:
        data = log.read_bytes()
    except OSError as error:
        raise os_error(error, log) from error
    pairs: list[AddedPair] = []
    for number, (text, record_end) in enumerate(_records(data, log), start=1):
        try:
            record = parse_json(text)
            if (record["do"] == "log") != (number == 1):
                raise KeyError("log")
            _apply(pairs, record, log)
            if record.get("index") == own:
                here = int(record.get("pairs", len(pairs)))
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
            raise DemoticError("this is no record of a log of additions", log, number) from None
        end = record_end
    if end and here is None:
        raise DemoticError(
            f"this log belongs to another model: its pairs were added to another {index.name}",
            log,
            hint="put the log beside the index that it came with, or remove it",
        )
    return Additions(tuple(pairs), here or 0, end, own)


def _apply(pairs: list[AddedPair], record: dict[str, Any], log: Path) -> None:
    """What a record does to the pairs that count."""
    kind = record["do"]
    if kind == "learn":
        weights = {str(name): float(value) for name, value in record["weights"].items()}
        pairs.append(AddedPair(str(record["source"]), str(record["target"]), str(record["links"]), weights))
    elif kind == "undo":
        left = len(pairs) - int(record["last"])
        if left < 0:
            raise ValueError(left)
        del pairs[left:]
    elif kind == "weights":
        pairs[:] = [replace(pair, weights={}) for pair in pairs]
    elif kind == "log" and record["version"] != _VERSION:
        raise DemoticError(
            f"the log has version {record['version']}, this program reads version {_VERSION}",
            log,
            hint="use the program that wrote it",
        )
    elif kind not in ("log", "merge"):
        raise KeyError(kind)


def _records(data: bytes, log: Path) -> Iterator[tuple[bytes, int]]:
    """Whole records, and where each ends."""
    begin, number = 0, 0
    while begin < len(data):
        number += 1
        line = data[begin : begin + _PREFIX]
        size, checksum = _prefix(line)
        end = begin + _PREFIX + size + 1
        text = data[begin + _PREFIX : end - 1]
        if size < 0 or end > len(data) or zlib.crc32(text) != checksum or data[end - 1 : end] != b"\n":
            # A process that dies leaves the beginning of a record; a machine that dies may leave zeros after it.
            if data.find(b"\n", begin) in (-1, len(data) - 1):
                return
            raise DemoticError(
                "the log is damaged here",
                log,
                number,
                "cut it off before this line to keep what was learnt up to there",
            )
        yield text, end
        begin = end


def _prefix(line: bytes) -> tuple[int, int]:
    try:
        return int(line[:8], 16), int(line[9:17], 16)
    except ValueError:
        return -1, 0


@contextlib.contextmanager
def writing(folder: Path) -> Iterator[None]:
    """The right to write the log of a model; one process has it at a time, and loses it when it dies.

    Raises:
        DemoticError: if another process has it.
    """
    try:
        lock = open(folder / LOCK, "a", encoding="utf-8")  # noqa: SIM115
    except OSError as error:
        raise os_error(error, folder / LOCK) from error
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise DemoticError(
                "another process is changing this model", folder, hint="wait until it is done"
            ) from None
        yield


def append_record(log: Path, index: Path, end: int, record: dict[str, Any]) -> int:
    """Append a record, and return when it is on disk; the caller has the right to write.

    Args:
        log: created if absent.
        index: the index of the model, which a new log names.
        end: of the records that were read (`Additions.end`); what follows there is the rest of one that was cut off.
        record: what happened.

    Returns:
        The new end.
    """
    data = b"" if end else _encode({"do": "log", "version": _VERSION, "index": index_name(index)})
    data += _encode(record)
    try:
        descriptor = os.open(log, os.O_RDWR | os.O_CREAT, 0o666)
        with open(descriptor, "r+b") as file:
            file.truncate(end)
            file.seek(end)
            file.write(data)
            file.flush()
            os.fsync(descriptor)
        if end == 0:
            sync(log.parent)  # so that the name is on disk, too
    except OSError as error:
        raise os_error(error, log) from error
    return end + len(data)


def _encode(record: dict[str, Any]) -> bytes:
    text = json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode()
    return f"{len(text):08x} {zlib.crc32(text):08x} ".encode() + text + b"\n"
