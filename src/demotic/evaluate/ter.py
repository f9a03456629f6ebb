"""TER: translation edit rate (Snover et al. 2006)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from demotic import _core
from demotic.evaluate.metric import Metric

TER_UNIT = _core.TER_UNIT
EDITS, REFERENCE_LENGTH = 0, 1  # columns of the statistics


@dataclass(frozen=True)
class Ter(Metric):
    """Edits with shifts of blocks, by the length of the references; the score is 100 - TER, which is higher for fewer edits.

    Statistics are two whole numbers in units of 1/`TER_UNIT` word: edits to the reference that needs fewest, and the mean length of the
    references. Shifts are searched as tercom and sacrebleu do, with the same result.
    """

    name, title = "ter", "TER"

    @property
    def native(self) -> _core.Metric:
        """The kernel."""
        return _core.TerMetric()

    def score(self, sums: npt.ArrayLike) -> float:
        """100 - TER; below 0 where there are more edits than words."""
        return 100 - self.figures(sums)["ter"]

    def figures(self, sums: npt.ArrayLike) -> dict[str, float]:
        """TER; lower is better."""
        values = np.asarray(sums)
        return {"ter": 100 * float(values[EDITS]) / max(1.0, float(values[REFERENCE_LENGTH]))}
