"""Batch learning: what the learners that optimise over accumulated k-best lists have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol, TypeVar

from demotic.base.checks import at_least
from demotic.base.errors import DemoticError
from demotic.evaluate import BLEU, Metric
from demotic.features import Weights
from demotic.learn.batch.pool import KBestPool
from demotic.learn.options import CandidateOptions, LeaveOutOptions

Options = TypeVar("Options", bound="BatchOptions")


@dataclass(frozen=True)
class Optimum:
    """What an optimiser found.

    Attributes:
        weights: over the pool's index.
        report: figures for the row of this iteration, by name.
    """

    weights: Weights
    report: Mapping[str, float] = field(default_factory=dict)


class Optimizer(Protocol):
    """The step of a batch learner that differs from one to the other.

    Must be a function of its arguments: a run that is resumed calls it anew for each iteration, not always on the same object.
    """

    def optimize(self, pool: KBestPool, weights: Weights, seed: int, iteration: int) -> Optimum:
        """Better weights for the hypotheses of a pool.

        Args:
            pool: all hypotheses so far.
            weights: those that the newest lists were decoded with, over `pool.index`; not to be changed.
            seed: of everything random.
            iteration: from 0; should enter the random numbers too.
        """


@dataclass(frozen=True)
class BatchOptions(CandidateOptions, LeaveOutOptions, ABC):
    """Options of a batch learner: decode all sentences, add the lists to the pool, optimise, repeat."""

    iterations: int = 15  # maximum number of iterations
    start: Literal["model", "zero", "random"] = (
        "model"  # initial weights; random draws dense weights from N(0, 1) and sets sparse ones to 0
    )
    tolerance: float = 1e-4  # stop when the relative change of the weights is below this
    patience: int = 0  # stop after this many iterations without better BLEU; 0 for never

    def __post_init__(self) -> None:
        CandidateOptions.__post_init__(self)
        LeaveOutOptions.__post_init__(self)
        at_least(1, iterations=self.iterations)
        at_least(0, patience=self.patience, tolerance=self.tolerance)
        if self.leave_out == "shard":
            raise DemoticError(
                "leave_out = shard needs an online learner", hint="choose sentence, fold or none"
            )

    def lasting(self: Options) -> Options:
        """What an iteration depends on: more iterations go on where fewer ended, and when to stop is decided anew."""
        return replace(self, iterations=1, tolerance=0.0, patience=0)

    def objective(self) -> Metric:
        """By which iterations are compared, and whose statistics the optimiser needs; those of BLEU come first (`beside_bleu`)."""
        return BLEU

    @abstractmethod
    def optimizer(self) -> Optimizer:
        """The optimiser that these options describe."""
