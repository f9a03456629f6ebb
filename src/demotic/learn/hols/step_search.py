"""The line search phase of HOLS on accumulated lists: MERT with two synthetic features."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from demotic.features import Weights
from demotic.learn.batch.basis import Basis
from demotic.learn.batch.batch_options import Optimum
from demotic.learn.batch.line_search import ClimbOptions
from demotic.learn.batch.mert import ListCorpus, climb
from demotic.learn.batch.pool import KBestPool
from demotic.learn.fitting.feature_split import FeatureSplit


@dataclass(frozen=True)
class StepSearch:
    """Optimises dense weights, the factor w1 of f1 = ws . fs and the factor alpha of f2 = g . fs (section 5.1).

    Attributes:
        options: of the climb.
        weights: before the step; f1 is left out where their sparse part is 0.
        gradient: g.
        split: which features are dense.
    """

    options: ClimbOptions
    weights: Weights
    gradient: Weights
    split: FeatureSplit = field(default_factory=FeatureSplit)

    def optimize(self, pool: KBestPool, weights: Weights, seed: int, iteration: int) -> Optimum:
        """Weights that add up to 1 in magnitude, with the step folded in; `w1` and `alpha` in the report."""
        basis = self.basis(pool)
        corpus = ListCorpus(basis.features(pool), pool)
        found = climb(corpus, basis, weights, self.options, (seed, iteration))
        *w1, alpha = basis.coefficients(found.weights)
        point = basis.point(found.weights, [*w1, alpha])
        report = {
            **found.report,
            "w1": w1[0] if w1 else 0.0,
            "alpha": alpha,
            "outermost": float(_is_outermost(corpus, point)),
        }
        return Optimum(found.weights, report)

    def basis(self, pool: KBestPool) -> Basis:
        """The dense features of a pool, f1 if there is anything in it, and f2."""
        dense = self.split.dense_names(pool.index)
        has_sparse = len(self.weights) > sum(self.weights.get(name) != 0 for name in dense)
        return Basis(dense, [self.weights, self.gradient] if has_sparse else [self.gradient])


def _is_outermost(corpus: ListCorpus, point: np.ndarray[tuple[int], np.dtype[np.float64]]) -> bool:
    """Whether the best interval for alpha has only one end: then nothing in the lists speaks against going further."""
    axis = np.zeros((1, len(point)))
    axis[0, -1] = 1.0
    (optimum,) = corpus.search(point, axis)
    return not (np.isfinite(optimum.low) and np.isfinite(optimum.high))
