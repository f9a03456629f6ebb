"""What tuning maximises: a metric of the whole corpus whose statistics add up over sentences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from demotic.evaluate import bleu_score
from demotic.evaluate.references import BLEU_COLUMNS, TER_COLUMNS, TER_EDITS, TER_LENGTH


@dataclass(frozen=True)
class Objective:
    """A weighted sum of BLEU and of 100 - TER; the same as the core's CorpusMetric, in percent."""

    bleu: float = 1.0
    ter: float = 0.0

    @property
    def with_ter(self) -> bool:
        """Whether edits have to be counted, which takes longer than n-grams."""
        return self.ter != 0

    @property
    def columns(self) -> int:
        """Of the statistics: those of BLEU, behind them those of TER."""
        return BLEU_COLUMNS + (TER_COLUMNS if self.with_ter else 0)

    def figures(self, statistics: npt.NDArray[np.int32]) -> dict[str, float]:
        """What a row of an iteration says of translations: `bleu`; with TER also `ter` and `objective`.

        Args:
            statistics: a row per sentence.
        """
        sums = statistics.sum(axis=0, dtype=np.int64)
        bleu = bleu_score(sums).score
        if not self.with_ter:
            return {"bleu": bleu}
        ter = 100 * float(sums[TER_EDITS]) / max(1.0, float(sums[TER_LENGTH]))
        return {"bleu": bleu, "ter": ter, "objective": self.bleu * bleu + self.ter * (100 - ter)}


BLEU = Objective()


def quality(row: Mapping[str, Any]) -> float | None:
    """By which an epoch is chosen: the objective, or BLEU, on held-out sentences or, without any, on those learnt from.

    None if the row does not say.
    """
    names = ("held_out_objective", "held_out_bleu", "objective", "bleu", "train_bleu")
    return next((float(row[name]) for name in names if name in row), None)
