"""Sums of feature vectors of a list, which all updates are made of."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic import _core
from demotic.base import DemoticError
from learn.lists import list_of

eighths = st.integers(-3, 3).map(lambda number: number / 8)
matrices = st.lists(st.tuples(eighths, eighths), min_size=2, max_size=6)


@settings(deadline=None)
@given(matrices, st.data())
def test_equals_the_matrix_product(rows: list[tuple[float, float]], data: st.DataObject):
    kbest, matrix = list_of(rows)
    drawn = data.draw(st.lists(st.floats(-1, 1), min_size=len(rows) - 1, max_size=len(rows) - 1))
    coefficients = np.array([*drawn, -sum(drawn)])
    ids, values = _core.combine_rows(kbest.native, coefficients)
    found = np.zeros(matrix.shape[1])
    found[ids] = values
    assert found == pytest.approx(coefficients @ matrix, abs=1e-12)
    assert (np.diff(ids.astype(int)) > 0).all() and (values != 0).all()


def test_what_is_the_same_everywhere_vanishes_exactly():
    """Or else rounding would give a weight to a feature that tells nothing apart."""
    kbest, matrix = list_of([(1, 0), (2, 0), (3, 1)])
    coefficients = np.array([0.1, 0.2, -0.3])
    assert sum(coefficient * float(np.float32(0.1)) for coefficient in coefficients) != 0
    ids, _ = _core.combine_rows(kbest.native, coefficients)
    assert np.ptp(matrix[:, ids], axis=0).all()


def test_what_cancels_vanishes_exactly():
    """The terms of B do, but not their rounding. AdaGrad would take a first step of full size for it."""
    kbest, matrix = list_of([(0, 1), (0, 1), (0, 0), (0, 0)])
    has_b = matrix[:, kbest.index.intern("B")] != 0
    coefficients = np.empty(4)
    coefficients[has_b] = 0.1 + 0.2, -0.3
    coefficients[~has_b] = 0.3, -(0.1 + 0.2)
    assert coefficients[has_b].sum() != 0
    ids, values = _core.combine_rows(kbest.native, coefficients)
    assert len(ids) == len(values) == 0


def test_too_few_coefficients():
    kbest, _ = list_of([(1, 0), (2, 0)])
    with pytest.raises(DemoticError, match="each of 2 hypotheses \\(got 1\\)"):
        _core.combine_rows(kbest.native, np.zeros(1))
