"""A pool that is easy to learn from."""

from __future__ import annotations

import numpy as np

from demotic.learn import KBestPool
from demotic.learn.workers.kbest_lists import KBestLists

NAMES = ["good", "bad", "id:noise|x"]


def toy_pool(sentences: int = 30, size: int = 20, seed: int = 1) -> KBestPool:
    """Translations of 12 words; every match is a `good`, every other word a `bad`, and there is noise."""
    rng = np.random.default_rng(seed)
    matches = rng.integers(3, 13, sentences * size)
    totals = np.array([12, 11, 10, 9])
    statistics = np.zeros((len(matches), 10), dtype=np.int32)
    statistics[:, :4] = np.maximum(1, matches[:, None] - np.arange(4))
    statistics[:, 4:8] = totals
    statistics[:, 8:] = 12
    values = np.column_stack([matches, 13 - matches, rng.normal(size=len(matches))])
    lists = KBestLists(
        NAMES,
        np.arange(sentences + 1) * size,
        rng.integers(0, 2**62, len(matches)).astype(np.uint64),
        statistics,
        statistics[::size],
        np.arange(len(matches) + 1) * 3,
        np.tile(np.arange(3, dtype=np.int32), len(matches)),
        values.astype(np.float32).ravel(),
    )
    pool = KBestPool(sentences)
    pool.add(lists)
    return pool
