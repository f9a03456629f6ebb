"""Lists of translations as flat arrays: what every learner eats."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from demotic import _core
from demotic.features import FeatureIndex

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


class KBest:
    """Hypotheses of one sentence: words, model scores, and a sparse matrix of features. No object per hypothesis.

    Args:
        native: the same list for native code, without numbers for new features.
        index: gives them their ids; those that it does not know are added to it.

    Attributes:
        native: the same list for native code.
        index: names of the features.
        scores: float64, shape (k,): weights . features.
        words: uint32: places in `vocabulary`, all hypotheses one after the other.
        word_begins: uint64, shape (k + 1,).
        features: uint32: feature ids, rising in each row.
        values: float64, beside `features`.
        row_begins: uint64, shape (k + 1,).
        edges: uint32: the edges of each derivation from the top down, all one after the other.
        edge_begins: uint64, shape (k + 1,).
    """

    def __init__(self, native: _core.KBestList, index: FeatureIndex) -> None:
        native.number_features(index)
        self.native = native
        self.index = index
        self.vocabulary: list[str] = native.vocabulary
        self.scores: npt.NDArray[np.float64] = native.scores
        self.words: npt.NDArray[np.uint32] = native.words
        self.word_begins: npt.NDArray[np.uint64] = native.word_begins
        self.features: npt.NDArray[np.uint32] = native.features
        self.values: npt.NDArray[np.float64] = native.values
        self.row_begins: npt.NDArray[np.uint64] = native.row_begins
        self.edges: npt.NDArray[np.uint32] = native.edges
        self.edge_begins: npt.NDArray[np.uint64] = native.edge_begins

    def __len__(self) -> int:
        return len(self.scores)

    def sentence(self, i: int) -> list[str]:
        """Words of hypothesis i."""
        begin, end = int(self.word_begins[i]), int(self.word_begins[i + 1])
        return [self.vocabulary[word] for word in self.words[begin:end].tolist()]

    def sentences(self) -> Iterator[list[str]]:
        """Words of every hypothesis, best first."""
        return (self.sentence(i) for i in range(len(self)))

    def row(self, i: int) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.float64]]:
        """Ids and values of the features of hypothesis i."""
        begin, end = int(self.row_begins[i]), int(self.row_begins[i + 1])
        return self.features[begin:end], self.values[begin:end]

    def derivation(self, i: int) -> npt.NDArray[np.uint32]:
        """Edges of hypothesis i in its hypergraph, from the top down."""
        return self.edges[int(self.edge_begins[i]) : int(self.edge_begins[i + 1])]

    def to_scipy(self, columns: int | None = None) -> csr_matrix:
        """The features as a scipy CSR matrix, one row per hypothesis, without copying the values.

        Args:
            columns: width of the matrix, features beyond it are left out; default: as wide as the largest feature id needs. With
                `len(weights.values)` the product with `weights.values` is the score: features that have no place there weigh nothing.
        """
        from scipy.sparse import csr_matrix

        needed = int(self.features.max(initial=0)) + 1
        indices, starts = self.features.astype(np.int64), self.row_begins.astype(np.int64)
        width = needed if columns is None else columns
        matrix = csr_matrix((self.values, indices, starts), shape=(len(self), max(needed, width)))
        return matrix if width >= needed else matrix[:, :width]
