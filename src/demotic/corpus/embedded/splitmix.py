"""A small random generator whose numbers are the same on every machine and every Python version."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import cache
from itertools import accumulate
from typing import TypeVar

T = TypeVar("T")

_MASK = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15
_ZIPF_UNIT = 1_000_000


class SplitMix:
    """The splitmix64 sequence (Steele, Lea and Flood 2014), in integers only.

    Args:
        seed: any integer; only its low 64 bits count.
    """

    def __init__(self, seed: int) -> None:
        self._state = seed & _MASK

    def split(self) -> SplitMix:
        """Another generator, independent of the further numbers of this one."""
        return SplitMix(self.next())

    def next(self) -> int:
        """The next number, 64 bits."""
        self._state = (self._state + _GOLDEN) & _MASK
        z = self._state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        return z ^ (z >> 31)

    def below(self, bound: int) -> int:
        """A number from 0 to bound - 1; the bias of the product is far below what a corpus can show."""
        return (self.next() * bound) >> 64

    def chance(self, percent: int) -> bool:
        """True in `percent` of a hundred cases."""
        return self.below(100) < percent

    def pick(self, items: Sequence[T]) -> T:
        """One of the items, all equally likely."""
        return items[self.below(len(items))]

    def percent(self, items: Sequence[tuple[int, T]]) -> T:
        """One of the items, each in as many of a hundred cases as it says; together they say a hundred."""
        rest = self.below(100)
        for percent, item in items:
            rest -= percent
            if rest < 0:
                return item
        raise ValueError("the percentages add up to less than a hundred")

    def zipf(self, items: Sequence[T], flat: int) -> T:
        """One of the items, the one at rank r in proportion to 1 / (r + flat): the earlier, the more frequent."""
        sums = _zipf_sums(len(items), flat)
        return items[bisect_right(sums, self.below(sums[-1]))]


@cache
def _zipf_sums(count: int, flat: int) -> list[int]:
    return list(accumulate(_ZIPF_UNIT // (rank + flat) for rank in range(count)))
