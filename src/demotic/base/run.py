"""A run folder: a chain of stages, each keyed by a hash of its inputs and options.

A stage writes into a hidden temporary folder, which is renamed to the stage's name when everything in it is complete.
So a folder `NAME` is always whole; a run that was killed at any moment repeats at most one stage, and since every stage
is deterministic it ends with the same bytes. A stage is used again if its files have the digests that they were written
with. Wall-clock times go to `metrics.jsonl` only.
"""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

import demotic
from demotic.base.digests import FileDigests, digest_of, file_digest
from demotic.base.errors import DemoticError, os_error
from demotic.base.files import Pathish, atomic_write, make_folder
from demotic.base.json_text import parse_json
from demotic.base.locks import lock_folder
from demotic.base.options import options_to_dict

_RECORD = "stage.json"
OnStage = Callable[[str, float | None], None]
"""Told the name of a stage that has ended and its seconds; None: there was nothing to do."""


class Run:
    """The stages of one command in one folder. Use as a context manager: it holds a lock on the folder.

    Args:
        folder: created if absent.
        on_stage: told `(name, seconds)` when a stage has ended.
        digests: of files that a run knows already of which this one is a part; default: none.

    Attributes:
        seconds: by name, what the stages took that ran.
        digests: of input files.
    """

    def __init__(
        self,
        folder: Pathish,
        on_stage: OnStage | None = None,
        digests: FileDigests | None = None,
    ) -> None:
        self.folder = make_folder(folder)
        self.seconds: dict[str, float] = {}
        self.digests = digests or FileDigests()
        self._on_stage = on_stage or (lambda name, seconds: None)
        self._lock: int | None = None

    def __enter__(self) -> Run:
        self._lock = lock_folder(self.folder, ".lock")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def stage(
        self, name: str, work: Callable[[Path], None], *, options: Any = None, inputs: Mapping[str, Pathish]
    ) -> Path:
        """Run `work(folder)` unless it has been done before with the same inputs and options; return the folder.

        Args:
            name: of the stage and of its folder; an identifier.
            work: writes its outputs into the folder it is given. Must be deterministic.
            options: an options dataclass, or plain values.
            inputs: name -> file; their contents enter the key, their paths do not.
        """
        if self._lock is None:
            raise RuntimeError("a Run must be entered with `with` before it runs stages")
        final = self.folder / name
        key = _key(name, options, {label: self._digest(Path(path)) for label, path in inputs.items()})
        if self._is_done(final, key):
            self._on_stage(name, None)
            return final
        started = time.perf_counter()
        temporary = self.folder / f".{name}.tmp"
        shutil.rmtree(temporary, ignore_errors=True)
        try:
            temporary.mkdir()
            work(temporary)
            _record(temporary, key)
            _swap(temporary, final)
        except OSError as error:
            raise os_error(error, temporary) from error
        self.seconds[name] = time.perf_counter() - started
        self.log({"stage": name, "seconds": round(self.seconds[name], 3)})
        self._on_stage(name, self.seconds[name])
        return final

    def log(self, event: Mapping[str, Any]) -> None:
        """Append one JSON line to `metrics.jsonl`."""
        with open(self.folder / "metrics.jsonl", "a", encoding="utf-8") as file:
            file.write(json.dumps(dict(event), ensure_ascii=False) + "\n")

    def _is_done(self, folder: Path, key: str) -> bool:
        """The same key, and every output is as it was written. What cannot be read has not been done."""
        record = _read_record(folder)
        return record is not None and record["key"] == key and not _changed(folder, record, self.digests)

    def _digest(self, path: Path) -> str:
        """Outputs of earlier stages were hashed when they were written; other files are hashed now."""
        record = _read_record(path.parent) if path.parent.parent == self.folder else None
        output = record["outputs"].get(path.name) if record else None
        return str(output["digest"]) if output else self.digests.of(path)


def _key(name: str, options: Any, digests: Mapping[str, str]) -> str:
    plain = options_to_dict(options) if hasattr(options, "__dataclass_fields__") else options
    parts = {"stage": name, "version": demotic.__version__, "options": plain, "inputs": dict(digests)}
    return digest_of(json.dumps(parts, sort_keys=True).encode())


def stages_in(folder: Path) -> list[Path]:
    """Folders of the finished stages of a run and of its parts."""
    return sorted(path.parent for path in folder.rglob(_RECORD) if not path.parent.name.startswith("."))


def damaged_outputs(stage: Path) -> list[str]:
    """Names of the files of a finished stage that are not as they were written."""
    record = _read_record(stage)
    return [_RECORD] if record is None else _changed(stage, record, FileDigests())


def is_own_file(folder: Path, name: str) -> bool:
    """Whether this names a file inside the folder; a damaged record may name a device that can be read for ever."""
    path = Path(name)
    try:
        return not path.is_absolute() and ".." not in path.parts and (folder / path).is_file()
    except (OSError, ValueError):  # a name that no file system takes
        return False


def _read_record(folder: Path) -> dict[str, Any] | None:
    """What a finished stage says about itself; None if there is none, or it cannot be read."""
    try:
        record = parse_json((folder / _RECORD).read_text("utf-8"))
        for output in record["outputs"].values():
            _ = output["bytes"], output["digest"]
        return {"key": record["key"], "outputs": record["outputs"]}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def _changed(folder: Path, record: Mapping[str, Any], digests: FileDigests) -> list[str]:
    """Outputs that are missing or have other bytes. Sizes come first: they cost nothing."""
    names = []
    for name, output in record["outputs"].items():
        try:
            same = is_own_file(folder, name) and (folder / name).stat().st_size == output["bytes"]
            same = same and digests.of(folder / name) == output["digest"]
        except (OSError, DemoticError):
            same = False
        if not same:
            names.append(name)
    return names


def _record(folder: Path, key: str) -> None:
    outputs = {
        path.name: {"bytes": path.stat().st_size, "digest": file_digest(path)}
        for path in sorted(folder.iterdir())
    }
    with atomic_write(folder / _RECORD) as file:
        json.dump({"key": key, "outputs": outputs}, file, indent=1, sort_keys=True)


def _swap(temporary: Path, final: Path) -> None:
    """Put the new folder in place of the old one; between the renames the stage is simply absent."""
    old = final.with_name(f".{final.name}.old")
    shutil.rmtree(old, ignore_errors=True)
    if final.exists():
        final.rename(old)
    temporary.rename(final)
    shutil.rmtree(old, ignore_errors=True)
