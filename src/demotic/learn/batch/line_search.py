"""Minimum error rate training: exact line searches until none helps (Och 2003).

Where the hypotheses come from does not matter here: anything that can say which interval of a line is best can be searched.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
import numpy.typing as npt

from demotic import _core
from demotic.base.checks import at_least

Vector = npt.NDArray[np.float64]


class Searchable(Protocol):
    """A corpus of translations whose metric depends on the weights."""

    def search(self, point: Vector, directions: Vector) -> Sequence[_core.Optimum]:
        """The best interval along each direction (rows)."""

    def score(self, point: Vector) -> float:
        """The metric at a point."""


@dataclass(frozen=True)
class ClimbOptions:
    """How line searches climb."""

    method: Literal["coordinate", "powell"] = (
        "coordinate"  # directions: along the axes, or by Powell's method
    )
    restarts: int = 3  # random starting points in addition to the current weights
    directions: int = 12  # random directions in addition to the axes
    least_gain: float = 1e-6  # minimum gain of a step, with the metric between 0 and 1

    def __post_init__(self) -> None:
        at_least(0, restarts=self.restarts, directions=self.directions, least_gain=self.least_gain)


@dataclass(frozen=True)
class SearchResult:
    """Weights, and the metric there, computed anew."""

    weights: Vector
    score: float


def best_optimum(corpus: Searchable, point: Vector, options: ClimbOptions, seed: int) -> SearchResult:
    """The best of the optima that line searches reach from a point and from random points."""
    rng = np.random.default_rng(seed)
    scale = np.abs(point).max() or 1.0
    points = [point, *(scale * rng.uniform(-1, 1, len(point)) for _ in range(options.restarts))]
    climb = _powell if options.method == "powell" else _coordinate
    results = [_finish(corpus, climb(corpus, point, options, rng)) for point in points]
    # The first of equals: a random point must be better, not as good.
    return max(results, key=lambda result: result.score)


def normalized(weights: Vector) -> Vector:
    """The same ranking with weights that add up to 1 in magnitude."""
    total = np.abs(weights).sum()
    return weights / total if total > 0 else weights


def _finish(corpus: Searchable, point: Vector) -> SearchResult:
    return SearchResult(point, corpus.score(point))


def _coordinate(corpus: Searchable, point: Vector, options: ClimbOptions, rng: np.random.Generator) -> Vector:
    """Step along the best of the axes and some random directions as long as one of them helps."""
    score = corpus.score(point)
    while True:
        random = rng.standard_normal((options.directions, len(point)))
        directions = np.concatenate([np.eye(len(point)), random])
        optima = corpus.search(point, directions)
        best = max(range(len(optima)), key=lambda i: optima[i].score)
        moved = point + optima[best].gamma * directions[best]
        gained = corpus.score(moved)
        if not gained > score + options.least_gain:
            return point
        point, score = moved, gained


def _powell(corpus: Searchable, point: Vector, options: ClimbOptions, rng: np.random.Generator) -> Vector:
    """Powell's method: along all directions in turn; the way made replaces the direction that gained most."""
    directions = np.concatenate([np.eye(len(point)), rng.standard_normal((options.directions, len(point)))])
    score = corpus.score(point)
    while True:
        begin, before, gains = point, score, []
        for direction in directions:
            (optimum,) = corpus.search(point, direction[None, :])
            moved = point + optimum.gamma * direction
            gained = corpus.score(moved)
            gains.append(gained - score)
            if gained > score:
                point, score = moved, gained
        if not score > before + options.least_gain:
            return begin
        directions[int(np.argmax(gains))] = point - begin
