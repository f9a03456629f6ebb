"""Options of word alignment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

ModelName = Literal["eflomal", "fast_align", "hmm", "ibm4"]
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

    model: ModelName = "eflomal"
    symmetrize: Heuristic = "grow-diag-final-and"
