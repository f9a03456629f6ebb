"""Thresholds by precision: the bound against sums of binomial terms, the choice against brute force and on draws with known probabilities."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic.adapt.precision import lower_bound, threshold_for


@pytest.mark.parametrize(
    ("good", "of", "level"), [(1, 1, 0.95), (59, 59, 0.95), (17, 20, 0.9), (80, 100, 0.95)]
)
def test_at_the_bound_so_many_good_ones_have_the_chance_that_is_left(good, of, level):
    p = lower_bound(good, of, level)
    chance = sum(comb(of, k) * p**k * (1 - p) ** (of - k) for k in range(good, of + 1))
    assert chance == pytest.approx(1 - level)


def test_none_good_has_no_bound():
    assert lower_bound(0, 10) == 0.0


scored = st.lists(
    st.tuples(st.sampled_from([0.1, 0.25, 0.5, 0.7, 0.9]), st.booleans()), min_size=1, max_size=80
)


@settings(max_examples=50, deadline=None)
@given(scored, st.sampled_from([0.3, 0.5, 0.8]))
def test_the_lowest_group_whose_bound_suffices(pairs, precision):
    values, good = (np.array(column) for column in zip(*pairs, strict=True))
    found = threshold_for(precision, values, good)
    borders = {sorted(values, reverse=True)[-(-len(values) * i // 40) - 1] for i in range(1, 41)}
    enough = [
        t for t in borders if lower_bound(int(good[values >= t].sum()), int((values >= t).sum())) >= precision
    ]
    assert (found.probability if found else None) == (min(enough) if enough else None)
    if found:
        inside = values >= found.probability
        assert found.precision == pytest.approx(good[inside].mean()) and found.share == pytest.approx(
            inside.mean()
        )
        assert precision <= found.at_least <= found.precision


def test_thresholds_keep_their_promise_on_new_text():
    """100 calibrations of 1,000 sentences whose true probabilities are known: at most one in twenty promises too much."""
    draw = np.random.default_rng(5)
    population = np.sort(1 / (1 + np.exp(-draw.normal(0.1, 1.1, 50_000))))
    broken = naive_broken = 0
    for _ in range(100):
        values = draw.choice(population, 1000)
        good = draw.random(1000) < values
        found = threshold_for(0.8, values, good)
        broken += found is not None and population[population >= found.probability].mean() < 0.8
        falling = np.argsort(-values)
        shares = np.cumsum(good[falling]) / np.arange(1, 1001)
        lowest = values[falling][np.flatnonzero(shares >= 0.8)[-1]]
        naive_broken += population[population >= lowest].mean() < 0.8
    assert broken <= 5
    assert naive_broken > 40  # the lowest that was precise enough in the sample
