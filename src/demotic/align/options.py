"""Options of word alignment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from demotic.base.errors import DemoticError

ModelName = Literal["gibbs", "eflomal", "fast_align", "hmm", "ibm4"]
Heuristic = Literal[
    "grow-diag-final-and",
    "grow-diag-final",
    "grow-diag",
    "grow",
    "och",
    "intersection",
    "union",
    "source-target",
    "target-source",
]


@dataclass(frozen=True)
class AlignOptions:
    """Model and symmetrisation. The default model won on the gold set: see docs/how-to/align.md."""

    model: ModelName = "gibbs"  # the others are those of sil-thot, which is an extra
    symmetrize: Heuristic = "grow-diag-final-and"
    samplers: int = 3  # of `gibbs`: independent chains per direction, whose posteriors are averaged
    iterations: float = 1.0  # of `gibbs`: relative to its schedule, 5,000 / sqrt(pairs) sweeps

    def __post_init__(self) -> None:
        if not 1 <= self.samplers <= 100:
            raise DemoticError(f"samplers must be between 1 and 100 (got {self.samplers})")
        if not 0 < self.iterations <= 1000:
            raise DemoticError(f"iterations must be positive, at most 1000 (got {self.iterations})")
