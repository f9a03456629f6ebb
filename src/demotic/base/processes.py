"""Worker processes that import what they need and nothing of the script that started them."""

from __future__ import annotations

import sys
from multiprocessing.context import SpawnContext, SpawnProcess
from types import ModuleType


class _Worker(SpawnProcess):
    def start(self) -> None:
        """Start the process while the script is hidden.

        A spawned process runs the script of its parent once more, for the functions defined there. Workers have all of theirs from
        this package, and a script that is not written below `if __name__ == "__main__":` would start workers without end.
        """
        script = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            super().start()
        finally:
            sys.modules["__main__"] = script


class WorkerContext(SpawnContext):
    """As `multiprocessing.get_context("spawn")`; what is sent to a worker must not come from a script."""

    Process = _Worker
