"""Lists with given features, for the kernels of learners."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from demotic.decode import Hypergraph, KBest
from demotic.features import FeatureIndex
from evaluate.lists import graph_of


def list_of(
    rows: Sequence[tuple[float, float]], index: FeatureIndex | None = None
) -> tuple[KBest, np.ndarray]:
    """Hypotheses with these values of A and B and with 0.1 for the feature Same; and their matrix, as wide as the index."""
    return named_list([{"A": a, "B": b, "Same": 0.1} for a, b in rows], index)


def named_list(
    rows: Sequence[Mapping[str, float]], index: FeatureIndex | None = None
) -> tuple[KBest, np.ndarray]:
    """Hypotheses with these features; and their matrix, as wide as the index."""
    index = FeatureIndex() if index is None else index
    rules = ""
    for i, row in enumerate(rows):
        features = " ".join(f"{name}={value!r}" for name, value in row.items())
        rules += f"[X] ||| source ||| word{i} ||| {features} |||\n"
    graph = Hypergraph(graph_of(rules, "source").native, index)
    kbest = graph.kbest(len(rows))  # not the one that copies the source
    assert len(kbest) == len(rows)
    return kbest, kbest.to_scipy(len(index)).toarray()
