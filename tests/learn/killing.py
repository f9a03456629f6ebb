"""Killing a learner in the middle of its work."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from demotic.base.run import Run


class Killed(Exception):
    """What a killed learner ends with."""


@contextmanager
def killed_at(stage: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Whoever runs the stage in this context does its work, and dies before it is kept."""
    usual = Run.stage

    def failing(self: Run, name: str, work: Callable[[Path], None], **rest: Any) -> Path:
        def broken(folder: Path) -> None:
            work(folder)
            raise Killed

        return usual(self, name, broken if name == stage else work, **rest)

    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr(Run, "stage", failing)
        yield
