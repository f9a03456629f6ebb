"""Digests of bytes and files, by which stages and parts of models know their inputs."""

from __future__ import annotations

import hashlib
import time
from pathlib import Path

from demotic.base.errors import os_error
from demotic.base.files import Pathish


def file_digest(path: Pathish) -> str:
    """Hex digest of a file's bytes (BLAKE2b, 128 bits)."""
    digest = hashlib.blake2b(digest_size=16)
    try:
        with open(path, "rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
    except OSError as error:
        raise os_error(error, path) from error
    return digest.hexdigest()


def digest_of(content: bytes) -> str:
    """Hex digest of bytes, the same as that of a file with them."""
    return hashlib.blake2b(content, digest_size=16).hexdigest()


class FileDigests:
    """Digests of files, each read once as long as it does not change: an index of gigabytes is the input of many stages.

    A file is known by its inode, size and time of change, so names that are links to one file share a digest. A file that has
    just been written is read again next time: a second change might come within the same tick of the file system's clock.
    """

    _TICK = 2_000_000_000  # nanoseconds: the coarsest clock, FAT's

    def __init__(self) -> None:
        self._known: dict[tuple[int, ...], str] = {}

    def of(self, path: Pathish) -> str:
        """Hex digest of a file's bytes."""
        try:
            status = Path(path).stat()
        except OSError as error:
            raise os_error(error, path) from error
        key = (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)
        if key in self._known:
            return self._known[key]
        is_old = time.time_ns() - status.st_mtime_ns > self._TICK
        digest = file_digest(path)
        if is_old:
            self._known[key] = digest
        return digest
