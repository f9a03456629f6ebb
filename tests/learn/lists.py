"""Lists with given features, for the kernels of learners."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from demotic.decode import Hypergraph, KBest
from demotic.features import FeatureIndex
from evaluate.lists import graph_of


def list_of(
    rows: Sequence[tuple[float, float]], index: FeatureIndex | None = None
) -> tuple[KBest, np.ndarray]:
    """Hypotheses with these values of A and B and with 0.1 for the feature Same; and their matrix, as wide as the index."""
    index = FeatureIndex() if index is None else index
    rules = "".join(
        f"[X] ||| source ||| word{i} ||| A={a} B={b} Same=0.1 |||\n" for i, (a, b) in enumerate(rows)
    )
    graph = Hypergraph(graph_of(rules, "source").native, index)
    kbest = graph.kbest(len(rows))  # not the one that copies the source
    assert len(kbest) == len(rows)
    return kbest, kbest.to_scipy(len(index)).toarray()
