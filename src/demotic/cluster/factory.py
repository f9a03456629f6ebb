"""Executors by name, as `--cluster` gives them."""

from __future__ import annotations

from demotic.base.errors import DemoticError
from demotic.base.options import unknown_name
from demotic.cluster.executor import Executor
from demotic.cluster.local import LocalExecutor
from demotic.cluster.ray import RayExecutor


def executor(name: str = "local", workers: int = 0, *, address: str = "", retries: int = 3) -> Executor:
    """The executor of this name; enter it with `with`.

    Args:
        name: `local` (threads of this process) or `ray` (a cluster; needs the extra `cluster`).
        workers: how many shards may run at the same time; 0: as many as there are CPUs.
        address: of the Ray cluster; see `RayExecutor`.
        retries: how often Ray runs a shard again whose worker has died.
    """
    if workers < 0:
        raise DemoticError(f"workers must be at least 0 (got {workers})", hint="0 uses all CPUs")
    if name == "local":
        return LocalExecutor(workers)
    if name == "ray":
        return RayExecutor(workers, address, retries)
    raise unknown_name("cluster", name, ["local", "ray"])
