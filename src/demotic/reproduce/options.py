"""How an experiment is run; what it is stands in its TOML file."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ReproduceOptions:
    """How an experiment is run.

    Attributes:
        label: of the folder of results, behind the name: the scale.
        budget: seconds; 0: as many as it takes.
        seed: of everything random.
        threads: of this machine.
        cluster: where shards run.
    """

    label: str = "full"
    budget: float = 0.0
    seed: int = 1
    threads: int = 1
    cluster: str = "local"
