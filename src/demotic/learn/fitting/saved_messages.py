"""Answers of workers, kept until a stage is whole, so that a killed driver does not ask for them again."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from demotic.base.files import atomic_write_bytes, make_folder

T = TypeVar("T")
_DIGEST = 16  # bytes, before the message


class SavedMessages:
    """Files in a folder, named by everything that a message depends on.

    Args:
        folder: created when the first message comes.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def complete(
        self, key: Mapping[str, Any], work: Sequence[T], run: Callable[[Sequence[T]], Iterator[bytes]]
    ) -> Iterator[bytes]:
        """The packed messages of all work in order; `run` is asked for those that are not there.

        Args:
            key: plain values that decide the messages.
            work: what is done.
            run: does it, in order.
        """
        digest = hashlib.blake2b(json.dumps(dict(key), sort_keys=True).encode(), digest_size=12).hexdigest()
        files = [self._folder / f"{number:05}.{digest}" for number in range(len(work))]
        missing = [_read(file) is None for file in files]
        fresh = run([part for part, is_missing in zip(work, missing, strict=True) if is_missing])
        for file, is_missing in zip(files, missing, strict=True):
            if is_missing:
                make_folder(self._folder)
                message = next(fresh)
                with atomic_write_bytes(file) as out:
                    out.write(_digest(message) + message)
                yield message
            else:
                yield file.read_bytes()[_DIGEST:]

    def clear(self) -> None:
        """Forget them: the stage is whole."""
        shutil.rmtree(self._folder, ignore_errors=True)


def _read(file: Path) -> bytes | None:
    """The message of a file; None if it is not there or not as it was written: it is asked for again."""
    try:
        content = file.read_bytes()
    except OSError:
        return None
    digest, message = content[:_DIGEST], content[_DIGEST:]
    return message if digest == _digest(message) else None


def _digest(message: bytes) -> bytes:
    return hashlib.blake2b(message, digest_size=_DIGEST).digest()
