"""Logistic regression without a bias, on the differences of pairs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from demotic.base.blas import one_blas_thread
from demotic.base.errors import DemoticError
from demotic.learn.regularizers import Regularizer

Vector = npt.NDArray[np.float64]
Loss = Callable[[Vector], tuple[float, Vector]]

_MAX_ITERATIONS = 1000
_HISTORY = 100  # updates that approximate the inverse Hessian, as in cdec
# A mean is small: what 200,000 examples say of a rare feature is lost above these.
_LEAST_DECREASE, _LEAST_SLOPE = 1e-11, 1e-10


def logistic_loss(differences: Any, regularizers: Sequence[Regularizer]) -> Loss:
    """The regularised loss of weights, and its gradient.

    It is the mean over pairs of log(1 + exp(-<w, x>)), x = better - worse, so what a regulariser does beside it does not depend on the
    number of pairs. The sampler of Hopkins and May (2011) hands each pair to the classifier twice, as (x, +1) and as (-x, -1);
    the mean is the same.

    Args:
        differences: a row per pair, at least one; a scipy matrix.
        regularizers: added to the loss.
    """
    transposed = differences.T.tocsr()
    pairs = differences.shape[0]

    def loss(weights: Vector) -> tuple[float, Vector]:
        margins = differences @ weights
        value = float(np.logaddexp(0, -margins).sum()) / pairs
        gradient = transposed @ _sigmoid(-margins) / -pairs
        for regularizer in regularizers:
            more, slope = regularizer(weights)
            value += more
            gradient += slope
        return value, gradient

    return loss


def minimize(loss: Loss, start: Vector) -> tuple[Vector, float]:
    """The minimum of a smooth loss by L-BFGS, and its value."""
    from scipy.optimize import minimize as scipy_minimize

    options = {
        "maxiter": _MAX_ITERATIONS,
        "maxcor": _HISTORY,
        "ftol": _LEAST_DECREASE,
        "gtol": _LEAST_SLOPE,
    }
    with one_blas_thread():  # that of scipy, too, which may have been loaded just now
        found = scipy_minimize(loss, start, jac=True, method="L-BFGS-B", options=options)
    if not np.isfinite(found.fun):
        raise DemoticError("the loss is not a finite number", hint="raise the regularisation")
    return np.asarray(found.x, dtype=np.float64), float(found.fun)


def _sigmoid(x: Vector) -> Vector:
    """1 / (1 + exp(-x)), by a function that does not overflow."""
    return 0.5 * (1 + np.tanh(0.5 * x))
