"""Cross-fitting: half of the dev set is judged by weights for which MERT has not seen that half."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")
U = TypeVar("U")


@dataclass(frozen=True)
class Crossed(Generic[T]):
    """Something that comes from the weights of MERT, and what it would be without either half of the dev set.

    BLEU of sentences that MERT was tuned on flatters its weights, and less so all that lies farther from them, so that they would be
    kept where something else is better. So each half of dev is translated with what comes from MERT on the other half. What AdaGrad
    adds is the same for both: it was learnt from the weights of MERT on all of dev.

    Attributes:
        whole: for new text.
        halves: for dev sentences whose numbers are even, and for those whose numbers are odd; empty: as for new text.
    """

    whole: T
    halves: tuple[T, ...] = ()

    def of(self, half: int | None) -> T:
        """For one half of the dev set; None: for anything else."""
        return self.halves[half] if half is not None and self.halves else self.whole

    def map(self, function: Callable[[T], U]) -> Crossed[U]:
        """The function of each."""
        return Crossed(function(self.whole), tuple(map(function, self.halves)))
