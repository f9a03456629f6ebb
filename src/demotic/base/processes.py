"""Worker processes that import what they need and nothing of the script that started them."""

from __future__ import annotations

import sys
from multiprocessing.context import SpawnContext, SpawnProcess
from multiprocessing.process import BaseProcess
from types import ModuleType
from typing import Any


class _Worker(SpawnProcess):
    @staticmethod
    def _Popen(process_obj: BaseProcess) -> Any:  # where a context says how its processes are started
        """Start it while the script is hidden.

        A spawned process runs the script of its parent once more, for the functions defined there. Workers have all of theirs from
        this package, and a script that is not written below `if __name__ == "__main__":` would start workers without end.
        """
        script = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            return SpawnProcess._Popen(process_obj)
        finally:
            sys.modules["__main__"] = script


class WorkerContext(SpawnContext):
    """As `multiprocessing.get_context("spawn")`; what is sent to a worker must not come from a script."""

    Process = _Worker
