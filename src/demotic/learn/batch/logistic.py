"""Logistic regression without a bias, on the differences of pairs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from demotic.base.errors import DemoticError
from demotic.learn.regularizers import Regularizer

Vector = npt.NDArray[np.float64]
Loss = Callable[[Vector], tuple[float, Vector]]

_MAX_ITERATIONS = 1000
_HISTORY = 100  # updates that approximate the inverse Hessian, as in cdec


def logistic_loss(differences: Any, regularizers: Sequence[Regularizer]) -> Loss:
    """The regularised loss of weights, and its gradient.

    Each difference x = better - worse is an example twice, (x, +1) and (-x, -1), since the sampler of Hopkins and May (2011) hands
    both to the classifier; so each counts 2 log(1 + exp(-<w, x>)).

    Args:
        differences: a row per pair; a scipy matrix.
        regularizers: added to the loss.
    """
    transposed = differences.T.tocsr()

    def loss(weights: Vector) -> tuple[float, Vector]:
        margins = differences @ weights
        value = 2 * float(np.logaddexp(0, -margins).sum())
        gradient = -2 * (transposed @ _sigmoid(-margins))
        for regularizer in regularizers:
            more, slope = regularizer(weights)
            value += more
            gradient += slope
        return value, gradient

    return loss


def minimize(loss: Loss, start: Vector) -> tuple[Vector, float]:
    """The minimum of a smooth loss by L-BFGS, and its value."""
    from scipy.optimize import minimize as scipy_minimize

    options = {"maxiter": _MAX_ITERATIONS, "maxcor": _HISTORY, "ftol": 1e-10, "gtol": 1e-5}
    found = scipy_minimize(loss, start, jac=True, method="L-BFGS-B", options=options)
    if not np.isfinite(found.fun):
        raise DemoticError("the loss is not a finite number", hint="regularise more")
    return np.asarray(found.x, dtype=np.float64), float(found.fun)


def _sigmoid(x: Vector) -> Vector:
    """1 / (1 + exp(-x)), by a function that does not overflow."""
    return 0.5 * (1 + np.tanh(0.5 * x))
