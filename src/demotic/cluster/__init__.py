"""Where shards run: threads of this machine or a Ray cluster. Knows nothing of translation."""

from demotic.cluster.executor import Executor, ShardJob
from demotic.cluster.factory import executor
from demotic.cluster.local import LocalExecutor

__all__ = ["Executor", "LocalExecutor", "ShardJob", "executor"]
