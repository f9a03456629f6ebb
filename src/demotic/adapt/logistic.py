"""Logistic regression on standardised columns, and how good probabilities are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from demotic.base.blas import one_blas_thread

Array = npt.NDArray[np.float64]
_GROUPS = 10


@dataclass(frozen=True)
class Logistic:
    """p = 1 / (1 + exp(-(weights . standardised columns + intercept)))."""

    means: Array
    deviations: Array
    weights: Array
    intercept: float

    def probabilities(self, columns: Array) -> Array:
        """Shape (n,), of rows of shape (n, columns)."""
        return _sigmoid(((columns - self.means) / self.deviations) @ self.weights + self.intercept)


def fit_logistic(columns: Array, good: npt.NDArray[np.bool_], l2: float = 1.0) -> Logistic:
    """Maximum likelihood with an L2 penalty of l2 / 2 |weights|^2 on standardised columns; the intercept is free.

    Args:
        columns: shape (n, columns).
        good: shape (n,).
        l2: strength.
    """
    from scipy.optimize import minimize

    means, deviations = columns.mean(axis=0), columns.std(axis=0)
    deviations = np.where(deviations > 1e-9, deviations, 1.0)
    rows = np.column_stack([(columns - means) / deviations, np.ones(len(columns))])
    signs = np.where(good, 1.0, -1.0)
    penalty = np.append(np.full(columns.shape[1], l2), 0.0)

    def loss(weights: Array) -> tuple[float, Array]:
        margins = signs * (rows @ weights)
        value = np.logaddexp(0.0, -margins).sum() + 0.5 * (penalty * weights**2).sum()
        gradient = -(rows * (signs * _sigmoid(-margins))[:, None]).sum(axis=0) + penalty * weights
        return float(value), gradient

    # The share of good rows, as if there were one more of either kind: all may be good.
    start = np.zeros(rows.shape[1])
    start[-1] = np.log((good.sum() + 1) / (len(good) - good.sum() + 1))
    if good.all() or not good.any():
        return Logistic(means, deviations, start[:-1], float(start[-1]))
    with one_blas_thread():  # the same sums on every machine, and these are small
        found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 500})
    return Logistic(means, deviations, found.x[:-1], float(found.x[-1]))


def brier(probabilities: Array, good: npt.NDArray[np.bool_]) -> float:
    """Mean squared error (Brier 1950); 0 is best."""
    return float(((probabilities - good) ** 2).mean())


def calibration_error(probabilities: Array, good: npt.NDArray[np.bool_]) -> float:
    """Expected calibration error: |mean probability - share of good ones|, averaged over ten groups of equal size by probability."""
    gaps = [
        len(group) * abs(probabilities[group].mean() - good[group].mean())
        for group in probability_groups(probabilities)
    ]
    return float(sum(gaps) / len(probabilities))


def probability_groups(probabilities: Array) -> list[npt.NDArray[np.int64]]:
    """The places of the probabilities in ten groups of equal size, from low to high."""
    order = np.argsort(probabilities, kind="stable")
    return [group for group in np.array_split(order, _GROUPS) if len(group)]


def _sigmoid(values: Array) -> Array:
    return np.exp(-np.logaddexp(0.0, -values))
