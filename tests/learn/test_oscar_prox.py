"""The proximal operator of OSCAR against other ways to the same minimum."""

from __future__ import annotations

import itertools

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as stn

from demotic import _core
from demotic.base import DemoticError

Vector = npt.NDArray[np.float64]


def prox(weights: Vector, lambda1: float, lambda2: float, step: float = 1.0, d: int | None = None) -> Vector:
    result = weights.copy()
    _core.oscar_prox(result, _core.OscarPenalty(lambda1, lambda2, d or len(weights)), step)
    return result


def objective(x: Vector, w: Vector, lambda1: float, lambda2: float, step: float) -> float:
    """Equation 3 up to a constant and a factor, straight from its definition."""
    pairs = sum(max(abs(a), abs(b)) for a, b in itertools.combinations(x, 2))
    return float(0.5 * ((x - w) ** 2).sum() + step * (lambda1 * np.abs(x).sum() + lambda2 * pairs))


def dual_solution(w: Vector, lambda1: float, lambda2: float, rounds: int = 20_000) -> Vector:
    """The minimum from the dual, which knows nothing of sorting or groups.

    max(|a|, |b|) is the largest of p a + q b over |p| + |q| <= 1, and |a| that of p a over |p| <= 1. So the minimum is w minus a sum
    of such vectors, one for each pair and each weight, and the sum is found by coordinate descent: each in turn takes its best
    value, the projection of what is left onto its ball.
    """
    d = len(w)
    left = w.copy()
    singles = np.zeros(d)
    pairs = list(itertools.combinations(range(d), 2))
    places, shares = np.array(pairs, dtype=int).reshape(-1, 2), np.zeros((len(pairs), 2))
    for _ in range(rounds):
        before = left.copy()
        left += singles
        singles = np.clip(left, -lambda1, lambda1)
        left -= singles
        for n, pair in enumerate(places):
            open_ = left[pair] + shares[n]
            shares[n] = l1_ball(open_, lambda2)
            left[pair] = open_ - shares[n]
        if np.abs(left - before).max(initial=0.0) < 1e-12:
            break
    return left


def l1_ball(point: Vector, radius: float) -> Vector:
    """Projection of two numbers onto |p| + |q| <= radius, case by case."""
    p, q = np.abs(point)
    if p + q <= radius:
        return point.copy()
    cut = (p + q - radius) / 2
    if cut > min(p, q):
        result = np.array([radius, 0.0]) if p > q else np.array([0.0, radius])
    else:
        result = np.array([p - cut, q - cut])
    return np.sign(point) * result


def satisfies_optimality(x: Vector, w: Vector, lambda1: float, lambda2: float) -> bool:
    """Whether 0 is in the subdifferential at x; for any size.

    The norm is the largest of <c, x> over signed permutations of the slopes s_r = lambda1 + lambda2 (d - r). So w - x must lie in the hull of those
    permutations that are largest at x: within each set of equal magnitudes, sorted residuals are majorised by the slopes of its ranks;
    where x is not 0 they also have its sign and sum to the same.
    """
    d = len(w)
    slopes = lambda1 + lambda2 * (d - 1 - np.arange(d))
    residuals = w - x
    magnitudes = np.abs(x)
    rank, scale = 0, 1e-9 * (1 + np.abs(w).max(initial=0.0)) * max(1, d)
    for value in np.unique(magnitudes)[::-1]:
        members = np.flatnonzero(magnitudes == value)
        own = slopes[rank : rank + len(members)]
        rank += len(members)
        rest = residuals[members] * np.sign(x[members]) if value > 0 else np.abs(residuals[members])
        excess = np.cumsum(np.sort(rest)[::-1]) - np.cumsum(own)
        if excess.max() > scale or (value > 0 and abs(excess[-1]) > scale):
            return False
    return True


@st.composite
def problems(draw: st.DrawFn, largest: int) -> tuple[Vector, float, float]:
    """Few different magnitudes, both signs, many zeros; strengths of every size."""
    size = draw(st.integers(1, largest))
    values = draw(stn.arrays(np.int64, size, elements=st.integers(-6, 6)))
    keep = draw(stn.arrays(np.bool_, size))
    weights = np.where(keep, values / 4.0, 0.0)
    return weights, draw(st.sampled_from([0.0, 0.1, 0.7])), draw(st.sampled_from([0.0, 0.01, 0.1, 0.3]))


@settings(max_examples=60, deadline=None)
@given(problems(6))
def test_equals_a_solver_that_knows_nothing_of_groups(problem: tuple[Vector, float, float]):
    w, lambda1, lambda2 = problem
    expected = dual_solution(w, lambda1, lambda2)
    found = prox(w, lambda1, lambda2)
    assert found == pytest.approx(expected, abs=1e-6)
    assert objective(found, w, lambda1, lambda2, 1.0) <= objective(expected, w, lambda1, lambda2, 1.0) + 1e-9


def test_equals_a_quadratic_program_of_scipy():
    """With a variable for each pair and each magnitude: what Bondell and Reich (2008) solve."""
    from scipy.optimize import LinearConstraint, minimize

    random = np.random.default_rng(3)
    for _ in range(12):
        d = int(random.integers(2, 5))
        w = random.choice([-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0], d)
        lambda1, lambda2 = random.uniform(0, 0.4, 2)
        pairs = list(itertools.combinations(range(d), 2))
        size = 2 * d + len(pairs)  # x, bounds on |x|, bounds on the maxima
        rows = []
        for i in range(d):
            for sign in (1.0, -1.0):
                row = np.zeros(size)
                row[i], row[d + i] = -sign, 1.0
                rows.append(row)
        for n, pair in enumerate(pairs):
            for i in pair:
                row = np.zeros(size)
                row[2 * d + n], row[d + i] = 1.0, -1.0
                rows.append(row)
        linear = np.concatenate([-w, np.full(d, lambda1), np.full(len(pairs), lambda2)])
        found = minimize(
            lambda v, linear=linear, d=d: 0.5 * v[:d] @ v[:d] + linear @ v,
            np.ones(size),
            jac=lambda v, linear=linear, d=d: np.concatenate([v[:d], np.zeros(len(v) - d)]) + linear,
            constraints=LinearConstraint(np.array(rows), 0, np.inf),
            method="SLSQP",
            options={"maxiter": 500, "ftol": 1e-14},
        )
        assert prox(w, lambda1, lambda2) == pytest.approx(found.x[:d], abs=1e-5)


def test_a_thousand_problems_with_many_more_weights_than_non_zeros():
    """Only the non-zeros are given, d is much larger; the conditions of the minimum are checked on all d."""
    random = np.random.default_rng(1)
    for _ in range(1000):
        d = int(random.integers(1, 300))
        u = int(random.integers(0, min(d, 40) + 1))
        magnitudes = random.choice([0.25, 0.5, 0.5, 1.0, 3.0, random.uniform(0, 4)], u)
        values = magnitudes * random.choice([-1.0, 1.0], u)
        lambda1, lambda2 = random.choice([0.0, 0.05, 0.3]), random.choice([0.0, 1e-4, 3e-3, 0.02])
        step = random.uniform(0, 2)
        given_ = prox(values, lambda1, lambda2, step, d)
        w, x = np.zeros(d), np.zeros(d)
        places = random.permutation(d)[:u]
        w[places], x[places] = values, given_
        assert satisfies_optimality(x, w, step * lambda1, step * lambda2)
        assert prox(w, lambda1, lambda2, step) == pytest.approx(x, abs=0)  # the zeros change no bit
        assert (np.sign(given_) * np.sign(values) >= 0).all()


@given(problems(30))
def test_lemma_1(problem: tuple[Vector, float, float]):
    w, lambda1, lambda2 = problem
    found = prox(w, lambda1, lambda2)
    assert (found[w == 0] == 0).all() and not np.signbit(found[found == 0]).any()


@given(problems(30), st.floats(0, 2), st.floats(0, 2))
def test_two_steps_are_one_of_their_sum(problem: tuple[Vector, float, float], first: float, second: float):
    """Why steps without a gradient between them may be taken together."""
    w, lambda1, lambda2 = problem
    both = prox(prox(w, lambda1, lambda2, first), lambda1, lambda2, second)
    assert both == pytest.approx(prox(w, lambda1, lambda2, first + second), abs=1e-9)


def test_equal_weights_stay_equal_to_the_last_bit():
    w = np.random.default_rng(5).choice([0.1, 0.2, 0.3, -0.3], 1000)
    found = prox(w, 1e-3, 1e-5)
    for value in (0.1, 0.2, 0.3, -0.3):
        assert len(np.unique(found[w == value])) == 1
    assert np.unique(np.abs(found[np.abs(w) == 0.3])).size == 1


def test_without_lambda2_it_is_soft_thresholding():
    w = np.array([3.0, -0.5, 1.0, 0.0])
    assert prox(w, 1.0, 0.0, 0.75).tolist() == [2.25, 0.0, 0.25, 0.0]


def test_neighbours_merge():
    """d = 2: the larger pays lambda2 until it meets the smaller, then both pay half."""
    assert prox(np.array([2.0, 1.0]), 0.0, 0.5).tolist() == [1.5, 1.0]
    assert prox(np.array([2.0, -1.0]), 0.0, 2.0).tolist() == [0.5, -0.5]


@pytest.mark.parametrize(
    ("lambda1", "lambda2", "step"),
    [(-1.0, 0.0, 1.0), (0.0, -1e-9, 1.0), (np.nan, 0.0, 1.0), (0.0, 0.0, -1.0)],
)
def test_negative_strengths_and_steps(lambda1: float, lambda2: float, step: float):
    with pytest.raises(DemoticError, match=r"at least 0"):
        prox(np.ones(2), lambda1, lambda2, step)


def test_bad_weights():
    with pytest.raises(DemoticError, match="not a finite number"):
        prox(np.array([1.0, np.nan]), 1.0, 1.0)
    with pytest.raises(DemoticError, match="the number of weights that are not 0"):
        prox(np.ones(2), 1.0, 1.0, d=1)
