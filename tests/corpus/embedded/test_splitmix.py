"""The random generator of the embedded corpus."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from demotic.corpus.embedded.splitmix import SplitMix


def test_splitmix_gives_the_published_sequence():
    rng = SplitMix(1234567)
    expected = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431]
    assert [rng.next() for _ in expected] == expected


@given(st.integers(0, 2**64 - 1), st.integers(1, 1000))
def test_below_stays_below(seed: int, bound: int):
    rng = SplitMix(seed)
    assert all(0 <= rng.below(bound) < bound for _ in range(20))


def test_zipf_prefers_the_first():
    rng = SplitMix(3)
    counts = Counter(rng.zipf("abcd", 1) for _ in range(12_000))
    # 1 : 1/2 : 1/3 : 1/4, which sum to 25/12
    for letter, share in zip("abcd", (12 / 25, 6 / 25, 4 / 25, 3 / 25), strict=True):
        assert abs(counts[letter] / 12_000 - share) < 0.02
