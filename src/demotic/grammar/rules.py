"""Rules for people and tests; the decoder uses the native arrays below them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from demotic import _core


@dataclass(frozen=True)
class Rule:
    """A synchronous rule `X -> source / target`. Nonterminals are `[X,1]` and `[X,2]`, numbered on the source side."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    alignment: tuple[tuple[int, int], ...]  # links between symbols, counted from 0 with nonterminals
    features: dict[str, float]

    def __str__(self) -> str:
        """The line in cdec's format."""
        features = " ".join(f"{name}={value:.7g}" for name, value in self.features.items())
        links = " ".join(f"{i}-{j}" for i, j in self.alignment)
        return f"[X] ||| {' '.join(self.source)} ||| {' '.join(self.target)} ||| {features} ||| {links}"


@dataclass(frozen=True)
class RuleCounts:
    """What extraction counted, one value per rule. All zero for rules that were read from a file."""

    samples: NDArray[np.float32]  # n(f): occurrences of the source pattern that were looked at
    occurrences_f: NDArray[np.float32]  # of the source pattern in the corpus; estimated if it was sampled
    count_f: NDArray[np.float32]  # c(f): occurrences that gave a rule with this source side
    count_fe: NDArray[np.float32]  # c(f, e)
    occurrences_e: NDArray[np.float32]  # of the target side; 0 where the feature set has no use for it


class Grammar:
    """The rules for one sentence, immutable. Iterate over it, or take `features` as a matrix.

    Args:
        native: the result of native extraction or reading.
    """

    def __init__(self, native: _core.Grammar) -> None:
        self.native = native

    def __len__(self) -> int:
        return len(self.native)

    def __iter__(self) -> Iterator[Rule]:
        names = self.feature_names
        for (source, target, alignment), values in zip(self.native.rules(), self.features, strict=True):
            yield Rule(source, target, alignment, dict(zip(names, map(float, values), strict=True)))

    @property
    def feature_names(self) -> tuple[str, ...]:
        """Columns of `features`."""
        return tuple(self.native.feature_names)

    @cached_property
    def features(self) -> NDArray[np.float32]:
        """Feature values, one row per rule, in the order of iteration."""
        return np.asarray(self.native.features())

    @cached_property
    def counts(self) -> RuleCounts:
        """Counts behind the features, in the order of iteration."""
        return RuleCounts(*np.asarray(self.native.counts()).T)
