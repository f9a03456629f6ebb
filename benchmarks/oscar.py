"""OSCAR: the proximal operator on a million weights, online grouping on a million tuples, groups of half a million features."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import numpy as np
from rich.console import Console

from benchmarks import measure
from demotic import _core
from demotic.cli.common import table
from demotic.features import FeatureGroups

_WEIGHTS, _TUPLES, _FEATURES, _PER_TUPLE = 1_000_000, 1_000_000, 500_000, 25


def run(unit: float) -> None:
    """Print the table."""
    jobs = (
        (f"proximal operator, {_WEIGHTS:,} weights that are not 0", prox),
        (f"grouping, one pass over {_TUPLES:,} tuples, d = {_FEATURES:,}", grouping),
        (f"write and read groups of {_FEATURES:,} features", groups_file),
    )
    rows = []
    for name, job in jobs:
        cost = measure.in_process(job)
        rows.append((name, f"{cost.result:.2f}", f"{cost.peak:.0f} MB"))
    Console(width=160).print(table("oscar", ["", "CPU s", "peak"], rows))


def prox() -> float:
    """CPU seconds; the goal is below one."""
    weights = np.random.default_rng(0).normal(size=_WEIGHTS)
    penalty = _core.OscarPenalty(1e-10, 3e-10, 50 * _WEIGHTS)
    started = time.process_time()
    _core.oscar_prox(weights, penalty, 1.0)
    return time.process_time() - started


def grouping() -> float:
    """CPU seconds; common features are much more frequent than rare ones."""
    random = np.random.default_rng(1)
    features = (_FEATURES * random.random(_TUPLES * _PER_TUPLE) ** 4).astype(np.int32)
    values = random.choice([-1.0, 1.0], len(features)).astype(np.float32)
    weights, is_free = np.zeros(_FEATURES), np.zeros(_FEATURES, np.uint8)
    learner = _core.OnlineGrouping(weights, is_free, _core.OscarPenalty(1e-10, 3e-8, _FEATURES), 0.01)
    order = random.permutation(_TUPLES)
    started = time.process_time()
    learner.learn(np.arange(0, len(features) + 1, _PER_TUPLE), features, values, order, 1)
    return time.process_time() - started


def groups_file() -> float:
    """CPU seconds."""
    names = [f"id:[1]_wort{i}_[2]|[1]_word{i}_[2]" for i in range(_FEATURES)]
    groups = FeatureGroups.from_values(names, np.arange(_FEATURES) % 500 + 1.0)
    with tempfile.TemporaryDirectory() as folder:
        started = time.process_time()
        groups.save(Path(folder) / "groups.txt")
        FeatureGroups.load(folder)
        return time.process_time() - started
