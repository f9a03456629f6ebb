"""What shards have sent, kept until the epoch is whole, so that a killed driver does not learn them again."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from demotic.base.files import atomic_write_bytes, make_folder

T = TypeVar("T")


class SavedShards:
    """Files in a folder, named by everything that a message depends on.

    Args:
        folder: created if absent.
        key: plain values.
    """

    def __init__(self, folder: Path, key: Mapping[str, Any]) -> None:
        self._folder = folder
        self._key = json.dumps(dict(key), sort_keys=True)

    def complete(
        self, shards: Sequence[T], start: bytes, run: Callable[[Sequence[T]], Iterator[bytes]]
    ) -> Iterator[bytes]:
        """The messages of all shards in order; `run` is asked for those that are not there."""
        files = [self._file(number, start) for number in range(len(shards))]
        missing = [shard for shard, file in zip(shards, files, strict=True) if not file.exists()]
        fresh = run(missing)
        for file in files:
            if not file.exists():
                make_folder(self._folder)
                with atomic_write_bytes(file) as out:
                    out.write(next(fresh))
            yield file.read_bytes()

    def clear(self) -> None:
        """Forget them: the epoch is whole."""
        shutil.rmtree(self._folder, ignore_errors=True)

    def _file(self, number: int, start: bytes) -> Path:
        digest = hashlib.blake2b(self._key.encode() + start, digest_size=12).hexdigest()
        return self._folder / f"{number:05}.{digest}"
