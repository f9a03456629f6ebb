"""What a hypothesis is compared with."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from demotic import _core
from demotic.base.errors import DemoticError
from demotic.decode import KBest


class References:
    """The references of one sentence, prepared for scoring many hypotheses (`Metric.statistics`).

    Args:
        references: one or more translations, each a list of tokens.
    """

    def __init__(self, references: Sequence[Sequence[str]]) -> None:
        for reference in references:
            if isinstance(reference, str):
                raise DemoticError(
                    "a reference must be a list of tokens (got a string)",
                    hint="give [line.split()] for one reference",
                )
        self.native = _core.References([list(reference) for reference in references])

    def wer(self, kbest: KBest) -> npt.NDArray[np.float64]:
        """Word error rate of every hypothesis, shape (k,).

        Edit distance to a reference divided by its length, for the reference where this is smallest. An empty reference counts
        as one word long.
        """
        return self.native.wer(kbest.native)
