"""`demotic doctor`: facts about this installation and this machine."""

from __future__ import annotations

import os
import platform
import shutil
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

import demotic
from demotic.base.extras import EXTRA_OF
from demotic.base.parallel import default_threads
from demotic.cli.common import Json, emit, table

_REQUIRED = ["numpy", "sacremoses", "polib", "markdown-it-py", "typer", "rich", "tomli-w"]
_DISTRIBUTIONS = {"thot": "sil-thot"}  # where the name to import is another one


def doctor(json: Json = False) -> None:
    """Print versions, cores and memory of this installation."""
    facts = {"demotic": demotic.__version__, **_machine(), "core": _core()}
    packages = {name: _version(name) or "missing" for name in _REQUIRED}
    packages |= {name: _version(name) or f"not installed (extra: {extra})" for name, extra in _extras()}
    rows = [(name.replace("_gb", ", GB").replace("_", " "), str(value)) for name, value in facts.items()]
    tables = [table("Demotic", ["", ""], rows), table("Packages", ["", ""], packages.items())]
    emit({**facts, "packages": packages}, tables, json)


def _extras() -> list[tuple[str, str]]:
    return [(_DISTRIBUTIONS.get(module, module), extra) for module, extra in EXTRA_OF.items()]


def _machine() -> dict[str, Any]:
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return {
        "python": platform.python_version(),
        "platform": platform.platform(),
        "cores": default_threads(),
        "memory_gb": round(pages / 2**30, 1),
        "free_disk_gb": round(shutil.disk_usage(Path.cwd()).free / 2**30, 1),
        "encoding": sys.stdout.encoding,
    }


def _core() -> str:
    try:
        from demotic import _core

        return f"loaded, {_core.compiler}"
    except ImportError as error:
        return f"NOT LOADED: {error}"


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None
