"""Is a difference due to chance? Two tests from statistics per sentence, for any metric that is a function of their sums.

Statistics have the shape (sentences, replicas, columns): several runs of an optimiser give several translations of the test set,
and a system's score is the mean over them (Clark et al. 2011).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from demotic import _core
from demotic.base.parallel import default_threads

Array = npt.NDArray[np.float64]
Scores = Callable[[Array], Array]  # sums (..., columns) to scores (...)

# Differences of sums that are equal on paper may differ in the last bits; they count as equal.
_ROUNDING = 1e-9


def approximate_randomization(
    baseline: Array, system: Array, scores: Scores, shuffles: int = 10_000, seed: int = 1, threads: int = 0
) -> float:
    """p-value of the difference of two systems, two-sided (Noreen 1989; Riezler and Maxwell 2005).

    If it did not matter which system made which translation, the translations of a sentence could be dealt out to both anew: how
    often is the difference then at least as large as it is? Every sentence is a stratum in which all replicas of both systems
    are dealt out; with one replica each, this is swapping with probability 1/2.

    Args:
        baseline: statistics, (sentences, replicas, columns).
        system: of the same sentences; the number of replicas may be another.
        scores: from sums to scores.
        shuffles: how often translations are dealt out.
        seed: of the shuffles.
        threads: 0: all cores. The result does not depend on it.
    """
    both = np.concatenate([baseline, system], axis=1)
    replicas = baseline.shape[1]

    def difference(sums: Array) -> Array:
        found = scores(sums)
        distance: Array = np.abs(found[..., :replicas].mean(axis=-1) - found[..., replicas:].mean(axis=-1))
        return distance

    sums = _core.shuffled_sums(np.ascontiguousarray(both), shuffles, seed, threads or default_threads())
    return _p_value(difference(sums), difference(both.sum(axis=0)))


def bootstrap_scores(
    systems: Array, scores: Scores, samples: int = 10_000, seed: int = 1, threads: int = 0
) -> Array:
    """Scores on test sets drawn with replacement from the sentences, the same for all: (samples, systems)."""
    return scores(
        _core.bootstrap_sums(np.ascontiguousarray(systems), samples, seed, threads or default_threads())
    )


def paired_bootstrap(baseline: Array, system: Array, difference: float) -> float:
    """p-value of the difference of two systems by paired bootstrap resampling (Koehn 2004), as sacrebleu computes it.

    How often does the difference on a drawn test set exceed its mean over the drawn test sets by the difference observed?

    Args:
        baseline: scores on drawn test sets, (samples,).
        system: on the same test sets.
        difference: observed, of the whole test set.
    """
    drawn = np.abs(system - baseline)
    return _p_value(drawn - drawn.mean(), abs(difference))


def _p_value(sampled: Array, observed: float | Array) -> float:
    """The observed value is one of the possible ones, hence + 1."""
    count = int(np.count_nonzero(sampled >= observed - _ROUNDING))
    return (count + 1) / (len(sampled) + 1)
