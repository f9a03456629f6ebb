"""Work on blocks of sentences, wherever it runs, with a bar and with messages kept until all are there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol, TypeVar

from demotic.base.progress import Progress
from demotic.cluster import Executor
from demotic.learn.fitting.saved_shards import SavedShards
from demotic.learn.workers.decoding import DecodingContext, DecodingJob
from demotic.learn.workers.shards import Shard


class BlockWork(Protocol):
    """What is done with a block."""

    @property
    def shard(self) -> Shard:
        """The block."""

    def run(self, context: DecodingContext, weights: bytes) -> bytes:
        """Do it with these packed weights."""


Work = TypeVar("Work", bound=BlockWork)


def run_blocks(
    title: str,
    work: Sequence[Work],
    weights: bytes,
    *,
    job: DecodingJob,
    executor: Executor,
    saved: SavedShards,
) -> Iterator[bytes]:
    """The messages of all blocks in order; those that are saved are not computed again.

    Args:
        title: of the bar, which counts sentences.
        work: a part for each block.
        weights: packed; sent to all.
        job: that decodes.
        executor: where.
        saved: messages of a run that was killed.
    """
    total = sum(len(part.shard.examples) for part in work)
    with Progress(title, total=total, unit="sentences") as bar:

        def run(missing: Sequence[Work]) -> Iterator[bytes]:
            sizes = [len(part.shard.examples) for part in missing]
            bar.advance(total - sum(sizes))
            return executor.map(job, missing, weights, on_done=lambda i: bar.advance(sizes[i]))

        yield from saved.complete(work, weights, run)
