"""Online learning as work for a cluster: a shard and packed weights in, packed weights out."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from demotic import _core
from demotic.learn.online.rule import RuleOptions, Stretch, run_epoch
from demotic.learn.workers.decoding import DecodingContext
from demotic.learn.workers.epoch_statistics import EpochStatistics
from demotic.learn.workers.shards import Shard


@dataclass(frozen=True)
class OnlineWork:
    """A shard, and what it learns in one go."""

    shard: Shard
    stretches: tuple[Stretch, ...]
    options: RuleOptions
    seed: int

    def run(self, context: DecodingContext, weights: bytes) -> bytes:
        """Learn for one epoch (algorithms 1, 3, 4), or for all of them alone and return the average (algorithm 2)."""
        averages = _core.FeatureColumns()
        statistics, gradient = [], b""
        for stretch in self.stretches:
            result = run_epoch(context, self.shard, weights, self.options, stretch=stretch, seed=self.seed)
            weights, gradient = result.weights, result.gradient
            averages.add(weights)
            statistics.append(result.statistics)
        if len(self.stretches) > 1:
            weights = averages.select(_core.Selection())
        return pack_result(weights, gradient, statistics)


def pack_result(weights: bytes, gradient: bytes, statistics: list[EpochStatistics]) -> bytes:
    """One message from a worker: a line of JSON, then the vectors."""
    head = {"weights": len(weights), "statistics": [asdict(item) for item in statistics]}
    return json.dumps(head).encode() + b"\n" + weights + gradient


def unpack_result(message: bytes) -> tuple[bytes, bytes, list[EpochStatistics]]:
    """Weights, gradient and a statistic per epoch of a worker's message."""
    line, _, body = message.partition(b"\n")
    head = json.loads(line)
    statistics = [EpochStatistics(**item) for item in head["statistics"]]
    return body[: head["weights"]], body[head["weights"] :], statistics
