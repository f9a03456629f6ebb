"""Executors by name, as `--cluster` gives them."""

from __future__ import annotations

from demotic.base.errors import DemoticError
from demotic.base.options import unknown_name
from demotic.cluster.executor import Executor
from demotic.cluster.local import LocalExecutor


def executor(name: str = "local", workers: int = 0) -> Executor:
    """The executor of this name; enter it with `with`.

    Args:
        name: `local` (threads of this process).
        workers: how many shards may run at the same time; 0: as many as there are cores.
    """
    if workers < 0:
        raise DemoticError(f"the number of workers cannot be {workers}", hint="0 means all cores")
    if name == "local":
        return LocalExecutor(workers)
    raise unknown_name("cluster", name, ["local"])
