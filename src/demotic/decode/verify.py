"""Whether the files of a model are those that were written: `demotic verify`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from demotic import _core
from demotic.base.digests import file_digest
from demotic.base.errors import DemoticError
from demotic.base.files import Pathish, atomic_write, read_lines
from demotic.base.options import load_toml
from demotic.base.run import damaged_outputs, is_own_file, stages_in
from demotic.decode.additions import ADDITIONS, read_additions
from demotic.lm.class_options import class_lm

CHECKSUMS = "checksums.txt"
"""Of the files of a model that have none inside, as `b2sum -l 128 -c checksums.txt` reads them."""

Status = Literal["ok", "damaged", "missing", "unknown"]


@dataclass(frozen=True)
class FileCheck:
    """What became of a file.

    Attributes:
        name: relative to the folder.
        status: `unknown`: from a version that wrote no checksums.
        detail: what is wrong, or how it was checked.
    """

    name: str
    status: Status
    detail: str

    @property
    def is_good(self) -> bool:
        """Nothing is known to be wrong with it."""
        return self.status in ("ok", "unknown")


def write_checksums(folder: Path, names: Iterable[str], known: Mapping[str, str]) -> None:
    """Write the checksums of files that have none inside.

    Args:
        folder: of a model.
        names: of the files; those that are not there are passed over.
        known: by name, digests of files that are still to be written.
    """
    found = {name: file_digest(folder / name) for name in names if (folder / name).is_file()}
    with atomic_write(folder / CHECKSUMS) as file:
        file.writelines(f"{digest}  {name}\n" for name, digest in sorted({**found, **known}.items()))


def verify_model(folder: Pathish) -> list[FileCheck]:
    """Check every file of a model, and the finished stages of the run that made it, by reading them.

    Raises:
        DemoticError: if the folder is no model.
    """
    place = Path(folder)
    if not (place / "model.toml").exists():
        raise DemoticError(
            "not a model folder: model.toml is missing",
            folder,
            hint="give a folder from `demotic train` or `demotic tune`",
        )
    return [*_binary_files(place), *_text_files(place), *_additions(place), *_stages(place)]


def _binary_files(folder: Path) -> Iterator[FileCheck]:
    found = {path.name for path in folder.glob("*.bin")}
    for name in sorted({"lm.bin", "index.bin", *_class_models(folder), *found}):
        if name not in found:
            yield FileCheck(name, "missing", "the model cannot translate without it")
            continue
        try:
            check = _core.check_sections(os.fspath(folder / name))
        except DemoticError as error:
            yield FileCheck(name, "damaged", error.message)
            continue
        if check.damaged:
            yield FileCheck(name, "damaged", f"changed: {', '.join(check.damaged)}")
        elif check.has_checksums:
            yield FileCheck(name, "ok", "checksums inside")
        else:
            yield FileCheck(name, "unknown", "written before there were checksums")


def _class_models(folder: Path) -> list[str]:
    """The language models over classes that `model.toml` names, unless it cannot be read."""
    try:
        return [f"{class_lm(size)}.bin" for size in load_toml(folder / "model.toml")["class_lm"]["classes"]]
    except (DemoticError, KeyError, TypeError):
        return []


def _text_files(folder: Path) -> Iterator[FileCheck]:
    try:
        pairs = (line.split("  ", 1) for line in read_lines(folder / CHECKSUMS))
        known = {name: digest for digest, name in pairs}
    except (DemoticError, ValueError):
        missing = not (folder / CHECKSUMS).exists()
        detail = "written before there were checksums" if missing else "cannot be read"
        yield FileCheck(CHECKSUMS, "unknown" if missing else "damaged", detail)
        return
    for name, digest in sorted(known.items()):
        if not is_own_file(folder, name):
            yield FileCheck(name, "missing", "the folder has no such file")
            continue
        try:
            same = file_digest(folder / name) == digest
        except DemoticError as error:
            yield FileCheck(name, "damaged", error.message)
            continue
        yield FileCheck(
            name,
            "ok" if same else "damaged",
            f"as in {CHECKSUMS}" if same else "changed since it was written, by hand or by accident",
        )


def _additions(folder: Path) -> Iterator[FileCheck]:
    """The log of corrections, whose records have checksums.

    What a process that died leaves of a record is no damage: it has no end of line, and nobody was told that it was accepted.
    """
    log, index = folder / ADDITIONS, folder / "index.bin"
    if not log.exists() or not index.exists():
        return
    try:
        rest = log.read_bytes()[read_additions(log, index).end :]
    except DemoticError as error:
        yield FileCheck(ADDITIONS, "damaged", error.message)
        return
    damaged = rest.endswith(b"\n")
    yield FileCheck(
        ADDITIONS,
        "damaged" if damaged else "ok",
        "changed: the last record, which is not used" if damaged else "checksums inside",
    )


def _stages(folder: Path) -> Iterator[FileCheck]:
    for stage in stages_in(folder / "run"):
        name = str(stage.relative_to(folder))
        changed = damaged_outputs(stage)
        detail = f"changed: {', '.join(changed)}; it will run again" if changed else "digests of the stage"
        yield FileCheck(name, "damaged" if changed else "ok", detail)
