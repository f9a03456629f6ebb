"""From the dense features of a model to bins: what is binned, and which weights bins begin with."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from demotic.base.errors import DemoticError
from demotic.base.lazy import LazyModule
from demotic.features.binning import FeatureBins
from demotic.features.bins import Bins

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
else:
    np = LazyModule("numpy")

Values: TypeAlias = "npt.NDArray[np.float64]"
WORD_COUNT = "WordCount"  # as in the core
MAX_BITS = 16
_LEAST = 1e-30  # stands for probabilities that 32 bits cannot hold


@dataclass(frozen=True)
class DiscretizeOptions:
    """Discretisation of dense features; the inputs are the rows of table 3 of Clark, Dyer and Lavie (2014)."""

    bits: int = 4  # 2^bits bins for each feature; 0: no bins, the inputs join as real-valued features
    overlap: bool = False
    input: Literal["p", "logp", "counts"] = "p"  # probabilities, their logarithms, or c(s) and c(s,t)
    start: Literal["linear", "zero"] = "linear"  # weights of bins: as the model has it, or none

    def __post_init__(self) -> None:
        if not 0 <= self.bits <= MAX_BITS:
            raise DemoticError(
                f"bits must be between 0 and {MAX_BITS} (got {self.bits})", hint="0 makes no bins"
            )
        if self.bits == 0 and (self.input == "logp" or self.overlap):
            raise DemoticError(
                "bits=0 makes no bins, so it needs another input and no overlap",
                hint="use input=p or input=counts, without overlap",
            )


@dataclass(frozen=True)
class Histogram:
    """Distinct values of a feature in rising order, and how often each was seen."""

    values: npt.NDArray[np.float32]
    frequencies: npt.NDArray[np.int64]

    @classmethod
    def from_values(cls, values: npt.NDArray[np.float32]) -> Histogram:
        """Of values as they come."""
        distinct, frequencies = np.unique(values, return_counts=True)
        return cls(distinct, frequencies.astype(np.int64))

    @classmethod
    def sum(cls, parts: Sequence[Histogram]) -> Histogram:
        """Of several together."""
        values = np.concatenate([np.zeros(0, np.float32), *(part.values for part in parts)])
        distinct, places = np.unique(values, return_inverse=True)
        frequencies = np.zeros(len(distinct), dtype=np.int64)
        np.add.at(
            frequencies, places, np.concatenate([np.zeros(0, np.int64), *(p.frequencies for p in parts)])
        )
        return cls(distinct, frequencies)


@dataclass(frozen=True)
class Input:
    """A feature to be binned.

    Attributes:
        name: whose values are read.
        parts: dense features that are a sum of functions of inputs, by name, and the function of this one.
    """

    name: str
    parts: Mapping[str, Callable[[Values], Values]]


def _cost(p: Values) -> Values:
    return -np.log10(np.maximum(p, _LEAST))


def _log(count: Values) -> Values:
    return np.log10(np.maximum(count, 1.0))


def _log1(count: Values) -> Values:
    return np.log10(1 + count)


# Dense feature -> what it is a function of. The names are those of the set `raw`.
_RAW: dict[str, tuple[str, Callable[[Values], Values]]] = {
    "EgivenFCoherent": ("ProbEgivenF", _cost),
    "PhraseEgivenF": ("ProbEgivenF", _cost),
    "PhraseFgivenE": ("ProbFgivenE", _cost),
    "LexEgivenF": ("ProbLexEgivenF", _cost),
    "LexFgivenE": ("ProbLexFgivenE", _cost),
    "MaxLexEgivenF": ("ProbLexEgivenF", _cost),
    "MaxLexFgivenE": ("ProbLexFgivenE", _cost),
    "SampleCountF": ("CountF", _log1),
    "CountEF": ("CountFE", _log1),
}
# -log10 c(s,t) / c(s) is a function of one count and a function of the other.
_COUNTS: dict[str, Callable[[Values], Values]] = {"CountF": _log, "CountFE": lambda count: -_log(count)}
_COHERENT = ("EgivenFCoherent", "PhraseEgivenF")


def inputs_of(dense: Sequence[str], options: DiscretizeOptions) -> list[Input]:
    """What is binned instead of the features that extraction contributes to a dense set, and the word count.

    Args:
        dense: their names.
        options: which inputs.
    """
    parts: dict[str, dict[str, Callable[[Values], Values]]] = {}
    for name in dense:
        if options.input == "counts" and name in _COHERENT:
            for count, function in _COUNTS.items():
                parts.setdefault(count, {})[name] = function
        else:
            source, function = (
                (name, _identity) if options.input == "logp" else _RAW.get(name, (name, _identity))
            )
            parts.setdefault(source, {})[name] = function
    if options.bits > 0:
        parts[WORD_COUNT] = {}
    return [Input(name, functions) for name, functions in parts.items()]


@dataclass(frozen=True)
class Discretization:
    """Bins for a model, weights to begin with, and remarks for the user."""

    bins: Bins
    weights: dict[str, float]
    remarks: list[str]


def discretization(
    inputs: Sequence[Input],
    seen: Mapping[str, Histogram],
    weights: Mapping[str, float],
    options: DiscretizeOptions,
) -> Discretization:
    """Bins for the values seen.

    With `start = "linear"` a bin begins with what the model's weights give to its values, on average over them (a third of it where
    bins overlap, since three fire at a time), so the first translations are about those of the model. With bits = 0 the
    weight is the slope of the line that comes closest.

    Args:
        inputs: what is binned.
        seen: values of each input.
        weights: of the model.
        options: how many bins.
    """
    features, real, remarks = [], [], []
    start: dict[str, float] = {}
    kept: set[str] = set()
    for each in inputs:
        histogram = seen[each.name]
        distinct = len(histogram.values)
        bins = FeatureBins.of_histogram(each.name, histogram.values, histogram.frequencies, 2**options.bits)
        response = _response(each, histogram, weights) if options.start == "linear" else None
        if distinct == 1:
            remarks.append(f"{each.name} is always {bins.low[0]:g}: it stays as it is")
            kept |= set(each.parts)
        elif options.bits == 0 and each.name in each.parts:
            kept.add(each.name)
        elif options.bits == 0:
            real.append(each.name)
            if response is not None:
                start[each.name] = _slope(histogram, response)
        else:
            features.append(bins)
            if distinct < 2**options.bits:
                remarks.append(
                    f"{each.name} has {distinct} values: a bin for each instead of {2**options.bits}"
                )
            if response is not None:
                share = 3.0 if options.overlap else 1.0
                start |= dict(zip(bins.names, _means(bins, histogram, response) / share, strict=True))
    left_out = sorted({name for each in inputs for name in each.parts} - kept)
    carried = {name: weight for name, weight in weights.items() if name not in left_out}
    made = Bins(tuple(features), tuple(real), tuple(left_out), options.overlap)
    return Discretization(made, {**carried, **{n: float(w) for n, w in start.items()}}, remarks)


def _response(each: Input, histogram: Histogram, weights: Mapping[str, float]) -> Values:
    """What the linear model says of each value."""
    values = histogram.values.astype(np.float64)
    parts = (weights.get(name, 0.0) * function(values) for name, function in each.parts.items())
    return np.asarray(np.sum([np.zeros(len(values)), *parts], axis=0), dtype=np.float64)


def _means(bins: FeatureBins, histogram: Histogram, response: Values) -> Values:
    """The mean response of the values in each bin."""
    places = np.searchsorted(bins.boundaries, histogram.values, side="left")
    sums = np.bincount(places, histogram.frequencies * response, minlength=len(bins))
    return np.asarray(sums / np.bincount(places, histogram.frequencies, minlength=len(bins)))


def _slope(histogram: Histogram, response: Values) -> float:
    """Of the line that comes closest to the response."""
    values = histogram.values.astype(np.float64)
    spread = values - np.average(values, weights=histogram.frequencies)
    return float((histogram.frequencies * spread) @ response / ((histogram.frequencies * spread) @ spread))


def _identity(values: Values) -> Values:
    return values
