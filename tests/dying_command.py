"""The command line in a process that is killed at a given moment, so that no test has to be quick enough to kill it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

from demotic.base.run import Run
from demotic.cli.main import main

Moment = Literal["worked", "kept"]  # the stage has written its outputs, but not kept them; has kept them


def run_and_kill(arguments: list[str], stage: str, moment: Moment) -> None:
    """Run `demotic` with these arguments in another process until it kills itself."""
    command = [sys.executable, __file__, stage, moment, *arguments]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == -signal.SIGKILL, result.stderr


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _die_at(stage: str, moment: str) -> None:
    usual = Run.stage

    def dying(self: Run, name: str, work: Callable[[Path], None], **rest: Any) -> Path:
        def broken(folder: Path) -> None:
            work(folder)
            _die()

        folder = usual(self, name, broken if (name, moment) == (stage, "worked") else work, **rest)
        if name == stage:
            _die()
        return folder

    Run.stage = dying  # type: ignore[method-assign]


if __name__ == "__main__":
    _die_at(*sys.argv[1:3])
    del sys.argv[1:3]
    main()
