"""Several processes on one terminal: each writes what it has to say to a file of its own."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

LOG = "log.txt"


@contextlib.contextmanager
def log_to(file: Path | None) -> Iterator[None]:
    """Warnings and progress go to this file, at its end; None: to the terminal as ever."""
    if file is None:
        yield
        return
    with open(file, "a", encoding="utf-8") as stream, contextlib.redirect_stderr(stream):
        yield
