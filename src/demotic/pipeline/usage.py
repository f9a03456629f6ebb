"""How many features a model has, and how many of them are of use on other text: table 1 of Liu et al. (2013)."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from demotic.base.json_text import parse_json
from demotic.base.progress import track
from demotic.decode import TranslationModel
from demotic.features import FeatureGroups
from demotic.features.groups import GROUPS
from demotic.pipeline.tune import TUNING_SECONDS


@dataclass(frozen=True)
class Usage:
    """Counts of features; those of a group count as one.

    Attributes:
        active: features with a weight.
        reused: active ones that occur in the lists of the text.
        features: single features with a weight, grouped or not.
        sentences: of the text.
        decoding_seconds: that the lists took.
        tuning_seconds: that `demotic tune` worked on the model, all its runs together; 0: not known.
    """

    active: int
    reused: int
    features: int
    sentences: int
    decoding_seconds: float
    tuning_seconds: float


def feature_usage(model: TranslationModel, lines: Iterable[str], k: int = 1000, threads: int = 0) -> Usage:
    """Active and reused features of a model.

    Args:
        model: if it has groups, these are counted instead of their members.
        lines: raw text, such as a test set.
        k: size of the lists; the paper's is 1,000.
        threads: no influence on the result; 0: all cores.
    """
    started = time.perf_counter()
    weights = model.weights
    active = np.flatnonzero(weights.values)
    occurs = np.zeros(len(weights.values), dtype=bool)
    sentences = 0
    for kbest in track(model.kbest(lines, k, threads), "translate", unit="sentences"):
        seen = kbest.features
        occurs[seen[seen < len(occurs)]] = True  # others came with the text and have no weight
        sentences += 1
    decoding = time.perf_counter() - started
    unit = _units(model)
    names = {int(i): weights.index.name(int(i)) for i in active}
    return Usage(
        active=len({unit.get(name, name) for name in names.values()}),
        reused=len({unit.get(name, name) for i, name in names.items() if occurs[i]}),
        features=len(active),
        sentences=sentences,
        decoding_seconds=decoding,
        tuning_seconds=_tuning_seconds(model.folder / "run" / "metrics.jsonl"),
    )


def _units(model: TranslationModel) -> dict[str, str]:
    """For each grouped feature what it is counted as."""
    if not (model.folder / GROUPS).exists():
        return {}
    groups = FeatureGroups.load(model.folder).members()
    return {name: f"group:{number}" for number, names in enumerate(groups, start=1) for name in names}


def _tuning_seconds(log: Path) -> float:
    if not log.exists():
        return 0.0
    seconds = 0.0
    for line in log.read_text("utf-8", errors="replace").splitlines():
        with contextlib.suppress(ValueError, AttributeError, TypeError):  # cut off when a run was killed
            seconds += float(parse_json(line).get(TUNING_SECONDS, 0.0))
    return seconds
