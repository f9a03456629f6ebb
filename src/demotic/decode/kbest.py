"""Lists of translations as flat arrays: what every learner eats."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from demotic import _core
from demotic.base.lazy import LazyModule
from demotic.features import FeatureIndex

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from scipy.sparse import csr_matrix
else:
    np = LazyModule("numpy")


class KBest:
    """Hypotheses of one sentence: words, model scores, a sparse matrix of features, and how good each is once that is known.

    There is no object per hypothesis. Lists of many sentences are `KBestLists`, those of several iterations a `KBestPool`.

    The arrays lie in native memory; whoever only prints the list loads no numpy.

    Args:
        native: the same list for native code, without numbers for new features.
        index: gives them their ids; those that it does not know are added to it.

    Attributes:
        native: the same list for native code.
        index: names of the features.
        metric: shape (k,), the sentence metric of each hypothesis; from `rate` on.
        metric_words: source words that the metric speaks of, of the sentence or of a pseudo-document; from `rate` on.
    """

    metric: npt.NDArray[np.float64]
    metric_words: float

    def __init__(self, native: _core.KBestList, index: FeatureIndex) -> None:
        native.number_features(index)
        self.native = native
        self.index = index

    def rate(self, metric: npt.NDArray[np.float64], words: float) -> None:
        """Set `metric` and `metric_words`."""
        self.metric, self.metric_words = metric, words

    def teaches(self) -> bool:
        """Whether anything can be learnt: hypotheses differ in the metric, and all numbers are finite."""
        finite = all(np.isfinite(numbers).all() for numbers in (self.scores, self.metric, self.values))
        return bool(finite and np.ptp(self.metric) > 0)

    @cached_property
    def vocabulary(self) -> list[str]:
        """Every word of the list once, in order of first appearance."""
        return self.native.vocabulary

    @cached_property
    def scores(self) -> npt.NDArray[np.float64]:
        """Weights . features, shape (k,)."""
        return self.native.scores

    @cached_property
    def words(self) -> npt.NDArray[np.uint32]:
        """Places in `vocabulary`, all hypotheses one after the other."""
        return self.native.words

    @cached_property
    def word_begins(self) -> npt.NDArray[np.uint64]:
        """Where each hypothesis begins in `words`, and the end: shape (k + 1,)."""
        return self.native.word_begins

    @cached_property
    def features(self) -> npt.NDArray[np.uint32]:
        """Feature ids, rising in each row."""
        return self.native.features

    @cached_property
    def values(self) -> npt.NDArray[np.float64]:
        """Beside `features`."""
        return self.native.values

    @cached_property
    def row_begins(self) -> npt.NDArray[np.uint64]:
        """Where each hypothesis begins in `features` and `values`, and the end: shape (k + 1,)."""
        return self.native.row_begins

    @cached_property
    def edges(self) -> npt.NDArray[np.uint32]:
        """The edges of each derivation from the top down, all one after the other."""
        return self.native.edges

    @cached_property
    def edge_begins(self) -> npt.NDArray[np.uint64]:
        """Where each derivation begins in `edges`, and the end: shape (k + 1,)."""
        return self.native.edge_begins

    def __len__(self) -> int:
        return len(self.native)

    def sentence(self, i: int) -> list[str]:
        """Words of hypothesis i."""
        return self.native.sentence(i)

    def sentences(self) -> Iterator[list[str]]:
        """Words of every hypothesis, best first."""
        return (self.sentence(i) for i in range(len(self)))

    def to_text(self, number: int) -> str:
        """A line for each hypothesis, as cdec prints them: `number ||| words ||| Name=value ... ||| score`.

        Args:
            number: of the sentence.
        """
        return self.native.to_text(number, self.index)

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
