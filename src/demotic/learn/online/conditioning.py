"""Conditioning: features that are rare take larger steps (Flanigan, Dyer and Carbonell 2013, sections 5.2 and 6.1)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from demotic import _core
from demotic.decode import Hypergraph
from demotic.features import FeatureIndex
from demotic.learn.online.rule import DataSize


class ExtractionFrequency:
    """In how many of the lists that will be seen a feature is likely not to be 0, before they are seen.

    A learner that sees the lists one by one cannot know, so the paper takes the count of the rule in extraction instead, and the
    size of the corpus for dense features. Here the count of a feature is that of the rules of a sentence that have it, added
    up (for `id` features it is the count of the one rule); the largest so far counts. A corpus of N pairs and n sentences to
    learn from make this count x n / N lists, at least one and at most all n of them, as for dense features.
    """

    def __init__(self, size: DataSize) -> None:
        self._size = size
        self._counts = _core.FeatureCounts()

    def observe(self, graph: Hypergraph, index: FeatureIndex) -> None:
        """Take in the rules of a sentence; features that the index does not know are passed over."""
        self._counts.observe(graph.native, index)

    def expected_lists(self, ids: npt.NDArray[np.uint32]) -> npt.NDArray[np.float64]:
        """Expected number of lists for each feature."""
        lists, corpus = self._size.sentences, self._size.corpus
        counts = self._counts.counts(ids)
        expected = np.where(counts > 0, counts * lists / max(1, corpus), lists)  # dense: of no rule
        return np.clip(expected, 1, max(1, lists))
