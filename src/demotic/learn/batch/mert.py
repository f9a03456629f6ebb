"""Minimum error rate training: line searches on accumulated k-best lists (Och 2003) or on hypergraphs (Kumar et al. 2009)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from demotic import _core
from demotic.base.checks import at_least
from demotic.base.parallel import default_threads
from demotic.evaluate import BLEU, Metric, tuning_metric
from demotic.features import Weights
from demotic.learn.batch.basis import Basis
from demotic.learn.batch.batch_options import BatchOptions, Optimizer, Optimum
from demotic.learn.batch.line_search import ClimbOptions, Searchable, Vector, best_optimum, normalized
from demotic.learn.batch.pool import KBestPool
from demotic.learn.fitting.feature_split import FeatureSplit


@dataclass(frozen=True)
class MertOptions(BatchOptions, ClimbOptions):
    """Minimum error rate training; defaults as in the usual implementations, which start from the weights that they are given."""

    iterations: int = 10
    patience: int = 2  # stop after this many iterations without better BLEU; 0 for never
    metric: str = "bleu"  # corpus-level metric to optimise, on tokens: bleu, ter, chrf, bleu-ter
    ter_weight: float = 0.5  # bleu-ter: weight of 100 - TER; BLEU has the rest
    on: Literal["lists", "hypergraphs"] = (
        "lists"  # search lists of k translations, or hypergraphs of all derivations
    )
    density: int = 50  # hypergraphs: edges kept per source word, by their best derivation; 0 keeps all
    window: int = 3  # hypergraphs: number of latest iterations searched together
    kept: int = 10_000  # hypergraphs: number kept in memory per process; others are decoded again
    factors: Literal["one", "template"] = (
        "one"  # sparse weights are scaled by one factor, or by one for each template
    )

    def __post_init__(self) -> None:
        BatchOptions.__post_init__(self)
        ClimbOptions.__post_init__(self)
        self.objective()
        at_least(0, density=self.density, kept=self.kept)
        at_least(1, window=self.window)

    def objective(self) -> Metric:
        """By the name of the metric."""
        return tuning_metric(self.metric, self.ter_weight)

    def lasting(self) -> MertOptions:
        """What the result depends on: not on what is kept in memory."""
        return replace(super().lasting(), kept=0)

    def optimizer(self) -> Optimizer:
        """Line searches on the lists of the pool."""
        return MertOptimizer(self, self.objective(), by_template=self.factors == "template")


class ListCorpus:
    """Lists of hypotheses with dense features, to be searched.

    Args:
        features: shape (hypotheses, dimensions).
        pool: where the hypotheses come from.
        objective: what is searched for.
    """

    def __init__(self, features: Vector, pool: KBestPool, objective: Metric = BLEU) -> None:
        self._native = _core.LineSearch(
            np.ascontiguousarray(features), pool.begins, pool.statistics, objective.native
        )
        self._threads = default_threads()  # no influence on the result

    def search(self, point: Vector, directions: Vector) -> Sequence[_core.Optimum]:
        """The best interval along each direction."""
        return self._native.search(point, np.ascontiguousarray(directions), self._threads)

    def score(self, point: Vector) -> float:
        """The objective at a point, at most 1."""
        return self._native.score(point)


@dataclass(frozen=True)
class MertOptimizer:
    """Finds weights for the lists of a pool.

    Attributes:
        options: of the climb.
        objective: what is searched for.
        split: which features are dense.
        by_template: each template has a factor of its own.
    """

    options: ClimbOptions
    objective: Metric = BLEU
    split: FeatureSplit = field(default_factory=FeatureSplit)
    by_template: bool = False

    def optimize(self, pool: KBestPool, weights: Weights, seed: int, iteration: int) -> Optimum:
        """Weights that add up to 1 in magnitude."""
        basis = basis_of(self.split.dense_names(pool.index), weights, self.by_template)
        corpus = ListCorpus(basis.features(pool), pool, self.objective)
        return climb(corpus, basis, weights, self.options, (seed, iteration))


def basis_of(dense: Sequence[str], weights: Weights, by_template: bool = False) -> Basis:
    """The dense features; the sparse ones that have weights take part as their sum, or as a sum for each template.

    Args:
        dense: names.
        weights: their sparse part gives the vectors.
        by_template: a vector for each template, in the order of their names.
    """
    known = set(dense)
    vectors: dict[str, dict[str, float]] = {}
    for name, value in weights.items():
        if name not in known:
            template = name.partition(":")[0] if by_template else ""
            vectors.setdefault(template, {})[name] = value
    return Basis(dense, [Weights.from_dict(vectors[template]) for template in sorted(vectors)])


def climb(
    corpus: Searchable, basis: Basis, weights: Weights, options: ClimbOptions, seed: tuple[int, int]
) -> Optimum:
    """Search from weights and from random points; the result is over the index of the weights, with what the corpus says of it.

    Args:
        corpus: what is searched.
        basis: of its points.
        weights: to begin with; their sparse part is a sum of the vectors of the basis.
        options: how.
        seed: of the run, and the iteration.
    """
    chance = int(np.random.SeedSequence(seed).generate_state(1)[0])
    result = best_optimum(corpus, basis.point(weights, basis.coefficients(weights)), options, chance)
    point = normalized(result.weights)
    return Optimum(basis.weights(point, weights.index), {"searched_objective": 100 * result.score})
