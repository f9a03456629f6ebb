"""Where shards run: threads of this machine or a Ray cluster. Knows nothing of translation."""

from demotic.cluster.executor import Executor, ShardJob
from demotic.cluster.factory import executor
from demotic.cluster.local import LocalExecutor
from demotic.cluster.ray import RayExecutor

__all__ = ["Executor", "LocalExecutor", "RayExecutor", "ShardJob", "executor"]
