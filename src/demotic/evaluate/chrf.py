"""chrF: F-score of character n-grams (Popovic 2015)."""

from __future__ import annotations

from dataclasses import dataclass

from demotic import _core
from demotic.evaluate.metric import Metric


@dataclass(frozen=True)
class Chrf(Metric):
    """chrF2 on tokens: the figure of sacrebleu's `CHRF()` for tokens joined by spaces.

    White space does not count, so the spaces that tokenisation adds do no harm; lower case and escapes (`&apos;`) are scored as they are,
    and figures differ from those of text as people write it. Statistics are 18 whole numbers: n-grams of the hypothesis, n-grams of the
    reference, matches, for n = 1 .. 6. Of several references, the one with the highest score of the sentence counts.
    """

    name, title = "chrf", "chrF2"

    @property
    def native(self) -> _core.Metric:
        """The kernel."""
        return _core.ChrfMetric()
