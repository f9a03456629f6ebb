"""Options of OSCAR."""

from __future__ import annotations

from dataclasses import dataclass, field

from demotic.base.checks import at_least
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

    iterations: int = 15  # T: number of iterations
    shards: int = (
        1  # shards of grouping; more than 1 is iterative mixing, 0 makes shards of about 1,000 sentences
    )
    keep: int = 0  # number of latest iterations whose tuples are kept; 0 keeps all, as in the paper
    pro: ProOptions = field(
        default_factory=lambda: ProOptions(iterations=10)
    )  # options of PRO, which tunes the groups

    def __post_init__(self) -> None:
        TupleOptions.__post_init__(self)
        GroupingOptions.__post_init__(self)
        ShardOptions.__post_init__(self)
        at_least(1, iterations=self.iterations)
        at_least(0, keep=self.keep)
        if self.leave_out == "shard":
            raise DemoticError(
                "oscar decodes all data before dividing it into shards, so it cannot leave out a shard",
                hint="leave_out is sentence, fold or none",
            )
