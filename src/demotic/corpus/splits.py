"""Folds and shards: deterministic random partitions of a corpus into parts of even size."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demotic.base.errors import DemoticError
from demotic.base.lazy import LazyModule

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
else:
    np = LazyModule("numpy")

_SAMPLE = 0x5EED_0F_A_5A4D91E  # so that a sample is not simply the first folds


def folds(size: int, n: int, seed: int) -> npt.NDArray[np.int32]:
    """The fold (0 to n-1) of each of `size` sentences; fold sizes differ by one at most.

    The same seed gives the same folds with every version of numpy and on every machine.
    """
    if n < 1:
        raise DemoticError(f"folds must be at least 1 (got {n})")
    if n > size:
        raise DemoticError(f"folds must be at most the number of sentences, {size} (got {n})")
    result = np.empty(size, dtype=np.int32)
    result[random_order(size, seed)] = np.arange(size, dtype=np.int64) * n // size
    return result


def shards(size: int, z: int, seed: int) -> list[npt.NDArray[np.int64]]:
    """The sentences of each of z shards, in ascending order; shard sizes differ by one at most.

    "Randomly divide training data into evenly sized shards": Simianer et al. (2012), section 1.
    """
    part = folds(size, z, seed)
    order = np.argsort(part, kind="stable")
    return np.split(order, np.searchsorted(part[order], np.arange(1, z)))


def random_order(size: int, seed: int) -> npt.NDArray[np.int64]:
    """A random permutation: positions sorted by a hash of (seed, position)."""
    position = np.arange(size, dtype=np.uint64)
    keys = splitmix64(position ^ splitmix64(np.array([seed], dtype=np.uint64)))
    return np.argsort(keys, kind="stable")


def sample(size: int, count: int, seed: int) -> npt.NDArray[np.int64]:
    """Positions of `count` of `size` sentences drawn at random, in ascending order; independent of folds with the same seed."""
    return np.sort(random_order(size, seed ^ _SAMPLE)[:count])


def splitmix64(x: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """The finalizer of splitmix64 (Steele, Lea and Flood 2014); equals `mix` in cpp/base/hash.hpp."""
    with np.errstate(over="ignore"):
        x = x + np.uint64(0x9E3779B97F4A7C15)
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return x ^ (x >> np.uint64(31))
