"""What a learner costs, in sentences that it decodes: forecasts multiply this by what a sentence takes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class DataSizes:
    """Numbers of sentences.

    Attributes:
        learnt: that are learnt from.
        dev: of the dev set of a learner that takes both.
        select: that are translated after each epoch.
    """

    learnt: int
    dev: int = 0
    select: int = 0


@dataclass(frozen=True)
class Decodings:
    """Sentences that a run decodes, repeated ones too.

    Attributes:
        k: hypotheses of a list that is learnt from.
        lists: into such lists, or hypergraphs.
        looked_at: for their best translation only.
        in_memory: whose lists are in memory at the same time.
    """

    k: int
    lists: float
    looked_at: float
    in_memory: float = 0.0
