"""Uniform population feature binning: which values share a bin (Clark, Dyer and Lavie 2014, section 3.2).

As printed, equations 5 to 7 and algorithm 1 of the paper do not run. They are read here as follows:

- Equation 5 divides by |X|, the number of values. That makes u the mean frequency, some value always lies above it, and the iteration
  ends only when all frequencies are equal. A bin should hold the N-th part of what there is, so it divides by N, the number of bins.
- The iteration then stops when f_i <= u for all i (printed: <). It need not be run: with m frequencies capped, the fixed point
  solves N u' = (sum of the others) + m u', so u' = (sum of the uncapped f) / (N - m).
- Algorithm 1 uses the adjusted frequencies f' = min(f, u') wherever it says f; with the raw ones a frequent value would leave the bins
  behind it empty.
- R(j), the last value that bin j may take so that the bins after it get one each, is |X| - (N - j); printed is one more.
- Whatever is left goes to the last bin.

Bins depend on the order and the frequencies of values only: any rising transformation of a feature gives the same bins.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from demotic.base.errors import DemoticError
from demotic.base.lazy import LazyModule
from demotic.features.names import escape_word, unescape

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
else:
    np = LazyModule("numpy")

TEMPLATE = "bin"
"""What the names of bins begin with, as those of a template's features do."""

_RANGE = ".."


def adjusted_frequencies(frequencies: npt.NDArray[np.int64], bins: int) -> tuple[npt.NDArray[np.int64], int]:
    """Frequencies of which none fills more than a bin, and the size of a bin: equations 5 and 6 at their fixed point.

    Both are multiplied by the number of bins that are not filled by a single value, so that they are whole numbers and every
    comparison is exact.

    Args:
        frequencies: of the values; at least as many as bins.
        bins: N.
    """
    largest = np.sort(frequencies)[::-1]
    rest = int(largest.sum())
    capped = 0
    while largest[capped] * (bins - capped) > rest:  # f > u', so this one is capped, too
        rest -= int(largest[capped])
        capped += 1
    size = bins - capped
    return np.minimum(frequencies * size, rest), rest


def populate_bins_uniformly(frequencies: npt.NDArray[np.int64], bins: int) -> npt.NDArray[np.int64]:
    """Algorithm 1: where each bin begins in the list of values, and the end.

    Args:
        frequencies: of distinct values in rising order, all positive.
        bins: how many; with fewer values than that each has a bin of its own.
    """
    values = len(frequencies)
    if values <= bins:
        return np.arange(values + 1)
    adjusted, size = adjusted_frequencies(frequencies, bins)
    mass = np.concatenate([[0], np.cumsum(adjusted)])  # of the first i values
    begins = [0]
    for j in range(1, bins):
        last = values - (bins - j)  # R(j)
        end = min(last, int(np.searchsorted(mass, j * size, side="right")) - 1)
        straddles = end < last and 2 * (mass[end + 1] - j * size) < adjusted[end]
        begins.append(end + bool(straddles))
    return np.array([*begins, values])


@dataclass(frozen=True)
class FeatureBins:
    """The bins of one real-valued feature: the lowest and the highest value seen in each.

    Attributes:
        feature: whose values are binned.
        low: rising.
        high: of the same bins; low[j] <= high[j] < low[j + 1].
    """

    feature: str
    low: tuple[float, ...]
    high: tuple[float, ...]

    def __post_init__(self) -> None:
        edges = np.array([self.low, self.high]).T.ravel() if len(self.low) == len(self.high) else np.zeros(0)
        if not len(edges) or not np.isfinite(edges).all() or (np.diff(edges)[1::2] <= 0).any():
            raise DemoticError(f"the bins of '{self.feature}' must be finite ranges in increasing order")
        if (np.diff(edges) < 0).any():
            raise DemoticError(f"a bin of '{self.feature}' ends before it begins")

    @classmethod
    def from_values(cls, feature: str, values: npt.ArrayLike, bins: int) -> FeatureBins:
        """Bins for the values of a feature, as often as each was seen.

        Raises:
            DemoticError: for NaN or an infinite value, or if there is no value.
        """
        distinct, frequencies = np.unique(np.asarray(values, dtype=np.float32), return_counts=True)
        return cls.of_histogram(feature, distinct, frequencies, bins)

    @classmethod
    def of_histogram(
        cls, feature: str, values: npt.NDArray[np.float32], frequencies: npt.NDArray[np.int64], bins: int
    ) -> FeatureBins:
        """The same for distinct values in rising order and their frequencies."""
        if bins < 1:
            raise DemoticError(f"the number of bins of '{feature}' must be at least 1 (got {bins})")
        if not len(values):
            raise DemoticError(
                f"feature '{feature}' never occurs", hint="check that the grammar has rules for the sentences"
            )
        if not np.isfinite(values).all():
            raise DemoticError(
                f"a value of '{feature}' is not a finite number",
                hint="only finite features can be binned",
            )
        begins = populate_bins_uniformly(np.asarray(frequencies, dtype=np.int64), bins)
        low, high = values[begins[:-1]], values[begins[1:] - 1]
        return cls(feature, tuple(map(_short, low)), tuple(map(_short, high)))

    def __len__(self) -> int:
        return len(self.low)

    @property
    def boundaries(self) -> tuple[float, ...]:
        """Between bins: a value that was not seen falls into the nearest bin, halfway into the lower one."""
        seen = np.array([self.high[:-1], self.low[1:]], dtype=np.float32)
        return tuple(np.asarray(seen, dtype=np.float64).mean(axis=0).tolist())

    @property
    def names(self) -> tuple[str, ...]:
        """Of the indicator features: `bin:TM_0.1` or, where a bin holds several values, `bin:TM_0.1..0.25`."""
        prefix = f"{TEMPLATE}:{escape_word(self.feature)}_"
        ranges = zip(map(_text, self.low), map(_text, self.high), strict=True)
        return tuple(prefix + (low if low == high else f"{low}{_RANGE}{high}") for low, high in ranges)


def is_bin(name: str) -> bool:
    """Whether the feature of this name is a bin."""
    return name.startswith(f"{TEMPLATE}:")


def parse_bin(detail: str) -> tuple[str, float, float]:
    """Feature, lowest and highest value from the name of a bin behind its colon.

    Raises:
        ValueError: if it is none.
    """
    feature, _, values = detail.rpartition("_")
    low, _, high = values.partition(_RANGE)
    if not feature or "_" in feature or "=" in feature or "|" in feature:
        raise ValueError(detail)
    return unescape(feature), float(low), float(high or low)


def chains(names: Sequence[str]) -> list[list[int]]:
    """The places of bins in a list of names, feature by feature, each in the order of its values; other names are passed over."""
    found: dict[str, list[tuple[float, int]]] = {}
    for place, name in enumerate(names):
        if name.startswith(f"{TEMPLATE}:"):
            feature, low, _ = parse_bin(name.partition(":")[2])
            found.setdefault(feature, []).append((low, place))
    return [[place for _, place in sorted(found[feature])] for feature in sorted(found)]


def _short(value: np.float32) -> float:
    """The shortest decimal number that is this 32-bit number: for names and files that people read."""
    return float(str(value)) + 0.0


def _text(value: float) -> str:
    """A value in names: whole numbers without a point."""
    return str(int(value)) if value % 1 == 0 and abs(value) < 1e9 else repr(value)
