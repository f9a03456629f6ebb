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
from demotic.base.errors import DemoticError
from demotic.learn.options import CandidateOptions

Vector = npt.NDArray[np.float64]


class Searchable(Protocol):
    """A corpus of translations whose metric depends on the weights."""

    def search(self, point: Vector, directions: Vector) -> Sequence[_core.Optimum]:
        """The best interval along each direction (rows)."""

    def score(self, point: Vector) -> float:
        """The metric at a point."""


@dataclass(frozen=True)
class MertOptions(CandidateOptions):
    """Minimum error rate training; defaults as in the usual implementations."""

    iterations: int = 10  # of decoding and optimising
    start: Literal["model", "zero", "random"] = "random"  # random: N(0, 1) with the seed of the replica
    method: Literal["coordinate", "powell"] = "coordinate"
    restarts: int = 5  # random points besides the current one
    directions: int = 15  # random ones besides the axes
    tolerance: float = 1e-6  # least gain of a step, metric between 0 and 1
    bleu: float = 1.0  # the metric: bleu x BLEU + ter x (1 - TER)
    ter: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.iterations < 1 or self.restarts < 0 or self.directions < 0:
            raise DemoticError("MERT with a negative number of something", hint="choose 0 or more")
        if self.bleu == 0 and self.ter == 0:
            raise DemoticError("a metric of nothing", hint="set bleu or ter")


@dataclass(frozen=True)
class MertResult:
    """Weights, and the metric there, computed anew."""

    weights: Vector
    score: float


def mert(corpus: Searchable, start: Vector, options: MertOptions, seed: int) -> MertResult:
    """The best of the optima that line searches reach from `start` and from random points."""
    rng = np.random.default_rng(seed)
    scale = np.abs(start).max() or 1.0
    points = [start, *(scale * rng.uniform(-1, 1, len(start)) for _ in range(options.restarts))]
    climb = _powell if options.method == "powell" else _coordinate
    results = [_finish(corpus, climb(corpus, point, options, rng)) for point in points]
    # The first of equals: a random point must be better, not as good.
    return max(results, key=lambda result: result.score)


def normalized(weights: Vector) -> Vector:
    """The same ranking with weights that add up to 1 in magnitude."""
    total = np.abs(weights).sum()
    return weights / total if total > 0 else weights


def _finish(corpus: Searchable, point: Vector) -> MertResult:
    return MertResult(point, corpus.score(point))


def _coordinate(corpus: Searchable, point: Vector, options: MertOptions, rng: np.random.Generator) -> Vector:
    """Step along the best of the axes and some random directions as long as one of them helps."""
    score = corpus.score(point)
    while True:
        random = rng.standard_normal((options.directions, len(point)))
        directions = np.concatenate([np.eye(len(point)), random])
        optima = corpus.search(point, directions)
        best = max(range(len(optima)), key=lambda i: optima[i].score)
        moved = point + optima[best].gamma * directions[best]
        gained = corpus.score(moved)
        if not gained > score + options.tolerance:
            return point
        point, score = moved, gained


def _powell(corpus: Searchable, point: Vector, options: MertOptions, rng: np.random.Generator) -> Vector:
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
        if not score > before + options.tolerance:
            return begin
        directions[int(np.argmax(gains))] = point - begin
