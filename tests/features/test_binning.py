"""Bins of uniform population: hand-computed cases, properties, files and names."""

from __future__ import annotations

import itertools
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from demotic.base import DemoticError
from demotic.features import Bins, FeatureBins, describe, parse_name
from demotic.features.binning import adjusted_frequencies, chains, parse_bin, populate_bins_uniformly
from features.slow_bins import bin_of


def sizes(frequencies: list[int], bins: int) -> list[int]:
    """How many values each bin has."""
    return np.diff(populate_bins_uniformly(np.array(frequencies), bins)).tolist()


def slow_adjustment(frequencies: list[int], bins: int) -> tuple[list[float], float]:
    """Equations 5 and 6 as an iteration, with N in the denominator, until it stands still."""
    current = [float(f) for f in frequencies]
    while True:
        u = sum(current) / bins
        changed = [min(f, u) for f in current]
        if max(a - b for a, b in zip(current, changed, strict=True)) <= 1e-12 * u:
            return changed, u
        current = changed


def slow_bins(frequencies: list[int], bins: int) -> list[list[int]]:
    """Algorithm 1, line by line, 1-based as printed, with the readings of the module."""
    adjusted, whole = adjusted_frequencies(np.array(frequencies), bins)
    f = {i + 1: int(value) for i, value in enumerate(adjusted)}
    x = len(frequencies)
    b: dict[int, list[int]] = {j: [] for j in range(1, bins + 1)}

    def r(j: int) -> int:
        return x - (bins - j)

    def c(j: int) -> int:
        return j * whole - sum(f[i] for k in range(1, j + 1) for i in b[k])

    i = 1
    for j in range(1, bins + 1):
        while i <= r(j) and f[i] <= c(j):
            b[j].append(i)
            i += 1
        if i <= r(j) and Fraction(f[i] - c(j), f[i]) < Fraction(1, 2):
            b[j].append(i)
            i += 1
    b[bins] += range(i, x + 1)
    return [b[j] for j in range(1, bins + 1)]


def test_hand_computed_cases():
    assert sizes([1, 1, 1, 1], 2) == [2, 2]
    assert sizes([1, 1, 1, 1, 1, 1], 4) == [
        1,
        2,
        1,
        2,
    ]  # u' = 1.5: a value that straddles by a half stays out
    # 97 fills a bin alone, u' = 3 / 1; the other three values share the second bin.
    assert sizes([97, 1, 1, 1], 2) == [1, 3]
    assert sizes([1, 1, 97, 1], 2) == [
        2,
        2,
    ]  # u' = 3, f' = 1 1 3 1: the frequent value straddles, by 2 of its 3
    assert sizes([5, 3, 1], 3) == [1, 1, 1]
    assert sizes([1, 2], 16) == [1, 1]


def test_adjusted_frequencies_by_hand():
    adjusted, size = adjusted_frequencies(np.array([97, 1, 1, 1]), 2)
    assert (adjusted.tolist(), size) == ([3, 1, 1, 1], 3)
    adjusted, size = adjusted_frequencies(
        np.array([10, 6, 1, 1, 1, 1]), 4
    )  # two are capped: u' = 4 / 2, times 2
    assert (adjusted.tolist(), size) == ([4, 4, 2, 2, 2, 2], 4)


frequency_lists = st.lists(st.integers(1, 60) | st.integers(1000, 5000), min_size=2, max_size=40)


@given(frequency_lists, st.integers(1, 12))
def test_the_fixed_point_is_that_of_the_iteration(frequencies: list[int], bins: int):
    if len(frequencies) < bins:
        return
    adjusted, size = adjusted_frequencies(np.array(frequencies), bins)
    expected, u = slow_adjustment(frequencies, bins)
    scale = size / float(u)
    assert adjusted == pytest.approx([float(f) * scale for f in expected], rel=1e-6)
    assert adjusted.max() <= size and adjusted.sum() == bins * size  # N bins hold everything


@given(frequency_lists, st.integers(1, 12))
def test_algorithm_1(frequencies: list[int], bins: int):
    if len(frequencies) < bins:
        return
    begins = populate_bins_uniformly(np.array(frequencies), bins)
    assert [list(range(a + 1, b + 1)) for a, b in itertools.pairwise(begins)] == slow_bins(frequencies, bins)


@given(st.lists(st.integers(-30, 30), min_size=1, max_size=200), st.integers(1, 20))
def test_every_value_is_in_one_bin_and_no_bin_is_empty(numbers: list[int], count: int):
    values = [n / 4 for n in numbers]
    bins = FeatureBins.from_values("f", values, count)
    assert len(bins) == min(count, len(set(values)))
    inside = [[j for j in range(len(bins)) if bins.low[j] <= v <= bins.high[j]] for v in values]
    assert all(len(found) == 1 for found in inside)
    assert {found[0] for found in inside} == set(range(len(bins)))
    assert [bin_of(bins, v) for v in values] == [found[0] for found in inside]


@given(st.lists(st.integers(-30, 30), min_size=1, max_size=200), st.integers(1, 20))
def test_a_rising_transformation_gives_the_same_bins(numbers: list[int], count: int):
    values = np.array([n / 4 for n in numbers], dtype=np.float32)
    plain, changed = (
        FeatureBins.from_values("f", values, count),
        FeatureBins.from_values("f", np.exp(values), count),
    )
    assert [bin_of(plain, v) for v in values] == [bin_of(changed, v) for v in np.exp(values)]


def test_uniform_values_fill_bins_evenly():
    values = np.random.default_rng(1).random(100_000)
    bins = FeatureBins.from_values("f", values, 16)
    populations = np.bincount([bin_of(bins, v) for v in values[:20_000]])
    assert len(populations) == 16 and populations.min() > 1000 and populations.max() < 1500


def test_unseen_values_go_to_the_nearest_bin():
    bins = FeatureBins("f", (0.0, 1.0, 3.0), (0.5, 2.0, 4.0))
    assert [bin_of(bins, v) for v in (-9.0, 0.7, 0.75, 0.8, 2.4, 2.6, 99.0)] == [0, 0, 0, 1, 1, 2, 2]


@given(
    st.lists(st.floats(width=32, allow_nan=False, allow_infinity=False), min_size=1, max_size=60),
    st.integers(1, 9),
)
def test_any_float_stays_in_its_bin(values: list[float], count: int):
    """Edges are written as short decimals; neighbouring 32-bit numbers must not change places."""
    bins = FeatureBins.from_values("f", values, count)
    order = [bin_of(bins, v) for v in sorted(values)]
    assert order == sorted(order) and set(order) == set(range(len(bins)))


@pytest.mark.parametrize(
    ("values", "message"),
    [([1.0, float("nan")], "finite"), ([1.0, float("inf")], "finite"), ([], "never occurs")],
)
def test_bad_values(values: list[float], message: str):
    with pytest.raises(DemoticError, match=message):
        FeatureBins.from_values("f", values, 4)


def test_names_are_readable_and_reversible():
    bins = FeatureBins("LanguageModel_OOV", (-1.5, 0.1, 1.00001, 4e30), (-1.5, 0.25, 3.0, 5e30))
    assert bins.names == tuple(
        f"bin:LanguageModel%5FOOV_{values}" for values in ("-1.5", "0.1..0.25", "1.00001..3", "4e+30..5e+30")
    )
    for name, low, high in zip(bins.names, bins.low, bins.high, strict=True):
        parsed = parse_name(name)
        assert str(parsed) == name and parsed.template == "bin" and parsed.detail is not None
        assert parse_bin(parsed.detail) == ("LanguageModel_OOV", low, high)
    assert describe("bin:TM_0.1") == "TM is 0.1"
    assert describe("bin:TM_0.1..0.25") == "TM is 0.1 to 0.25"
    assert describe("bin:nonsense") == "bin:nonsense"


def test_chains_keep_to_one_feature_and_to_the_order_of_values():
    names = ["bin:B_2", "LanguageModel", "bin:A_10", "bin:A_9", "bin:B_-1..1", "id:a|b", "bin:A_1e-05"]
    assert chains(names) == [[6, 3, 2], [4, 0]]


def test_the_file(tmp_path: Path):
    bins = Bins(
        (
            FeatureBins.from_values("P", np.random.default_rng(1).random(50), 8),
            FeatureBins("odd. name", (1.0, 2.0), (1.0, 2.5)),
        ),
        ("Real",),
        ("EgivenFCoherent",),
        overlap=True,
    )
    bins.save(tmp_path / "bins.toml")
    assert Bins.load(tmp_path / "bins.toml") == bins


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("overlap = 1", "'overlap' must be true or false"),
        ("overlop = true", "unknown option 'overlop'"),
        ("bins = 3", "must be a table of tables"),
        ("[bins.P]\nlow = [1, 2]\nhigh = [1]", "in increasing order"),
        ("[bins.P]\nlow = [2, 1]\nhigh = [2, 1]", "in increasing order"),
        ("[bins.P]\nlow = [1, 4]\nhigh = [0.5, 5]", "ends before it begins"),
        ("[bins.P]\nlow = [1, nan]\nhigh = [1, 2]", "finite"),
        ("[bins.P]\nlow = [1]\nhigh = [1]", "at least 2 bins"),
        ("[bins.P]\nlow = 'x'", "must be a list"),
        ("real = ['P']\n[bins.P]\nlow = [1, 2]\nhigh = [1, 2]", "twice"),
        ("[bins", "not valid TOML"),
    ],
)
def test_bad_files(tmp_path: Path, text: str, message: str):
    file = tmp_path / "bins.toml"
    file.write_text(text)
    with pytest.raises(DemoticError, match=message) as error:
        Bins.load(file)
    assert error.value.file == str(file)
