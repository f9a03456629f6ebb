"""Options of OSCAR."""

from __future__ import annotations

from dataclasses import dataclass, field

from demotic.base.errors import DemoticError
from demotic.learn.batch.pro import ProOptions
from demotic.learn.options import ShardOptions
from demotic.learn.oscar.grouping import GroupingOptions
from demotic.learn.oscar.tuples import TupleOptions


@dataclass(frozen=True)
class OscarOptions(TupleOptions, GroupingOptions, ShardOptions):
    """OSCAR; defaults: section 5 of the paper.

    Training data are decoded in parallel whatever the number of shards; `shards` divides the tuples of algorithm 2. `iterations` of
    `pro` are those within each iteration of algorithm 1; its starting weights are always those of the iteration before.
    """

    iterations: int = 15  # T
    shards: int = 1  # of grouping; more: iterative mixing; 0: about 1,000 sentences a shard
    keep: int = 0  # iterations whose tuples are kept, the newest ones; 0: all, as the paper merges lists
    pro: ProOptions = field(default_factory=lambda: ProOptions(iterations=10))

    def __post_init__(self) -> None:
        TupleOptions.__post_init__(self)
        GroupingOptions.__post_init__(self)
        ShardOptions.__post_init__(self)
        if self.iterations < 1 or self.keep < 0:
            raise DemoticError(
                f"{self.iterations} iterations, tuples of {self.keep} kept",
                hint="at least 1 iteration; keep 0 or more",
            )
        if self.leave_out == "shard":
            raise DemoticError(
                "all data are decoded before they are divided into shards",
                hint="leave_out is sentence, fold or none",
            )
