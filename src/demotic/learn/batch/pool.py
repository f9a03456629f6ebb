"""The hypotheses that a batch learner has seen: k-best lists accumulated over its iterations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from demotic.evaluate.bleu import BLEU_COLUMNS, bleu_score
from demotic.features import FeatureIndex, Weights
from demotic.learn.workers.kbest_lists import KBestLists, concatenate

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


class KBestPool:
    """Different hypotheses of every sentence, all in one matrix: what batch learners optimise on.

    Two hypotheses are the same if their words and their features (as 32-bit numbers) are. Rows stand sentence by sentence,
    within one in the order in which they came. New features get their ids in the order of their names, so the pool is the same
    however many workers decoded.

    Args:
        sentences: how many.
        index: numbers the features; default: an empty one.
        columns: of the statistics (`BatchOptions.objective`); those of BLEU come first.
    """

    def __init__(
        self, sentences: int, index: FeatureIndex | None = None, columns: int = BLEU_COLUMNS
    ) -> None:
        self.index = FeatureIndex() if index is None else index
        self._lists = _nothing(sentences, columns)
        self._matrix: csr_matrix | None = None

    def __len__(self) -> int:
        """Hypotheses."""
        return len(self._lists)

    @property
    def sentences(self) -> int:
        """How many."""
        return self._lists.sentences

    @property
    def begins(self) -> npt.NDArray[np.int64]:
        """Shape (sentences + 1,): the hypotheses of sentence s are the rows from begins[s] to begins[s + 1]."""
        return self._lists.begins

    @property
    def statistics(self) -> npt.NDArray[np.int32]:
        """Shape (hypotheses, columns): those of BLEU, then those of the metric that is tuned on, if it is another."""
        return self._lists.statistics

    @property
    def matrix(self) -> csr_matrix:
        """Features, a row per hypothesis, a column per feature of `index`."""
        from scipy.sparse import csr_matrix

        shape = (len(self), len(self.index))
        if self._matrix is None or self._matrix.shape != shape:
            lists = self._lists
            self._matrix = csr_matrix((lists.values, lists.features, lists.row_begins), shape=shape)
        return self._matrix

    def new(self, lists: KBestLists) -> KBestLists:
        """What `add` would add."""
        return lists.without_repetition(self._lists)

    def add(self, lists: KBestLists) -> int:
        """Take in the lists of all sentences; how many hypotheses were new."""
        fresh = self.new(lists)
        fresh = fresh.numbered([self.index.intern(name) for name in fresh.names])
        fresh = replace(fresh, values=fresh.values.astype(np.float64))
        both = [(part, s) for s in range(self.sentences) for part in (self._lists, fresh)]
        joined = concatenate(both, [])
        self._lists = replace(joined, begins=joined.begins[::2], best=fresh.best)
        self._matrix = None
        return len(fresh)

    def dense(self, names: Sequence[str]) -> npt.NDArray[np.float64]:
        """Values of some features as a full matrix, shape (hypotheses, names); 0 for a name that never came."""
        column = np.full(len(self.index), -1, dtype=np.int64)
        for i, name in enumerate(names):
            if (id_ := self.index.find(name)) is not None:
                column[id_] = i
        places = column[self._lists.features]
        wanted = places >= 0
        rows = np.repeat(np.arange(len(self)), self._lists.row_sizes)
        result = np.zeros((len(self), len(names)))
        result[rows[wanted], places[wanted]] = self._lists.values[wanted]
        return result

    def vector(self, weights: Weights) -> npt.NDArray[np.float64]:
        """Weights over `index` as an array with a place for each column; a copy."""
        values = np.zeros(len(self.index))
        known = weights.values[: len(values)]
        values[: len(known)] = known
        return values

    def scores(self, weights: Weights) -> npt.NDArray[np.float64]:
        """Weights . features of every hypothesis; the weights are over `index`."""
        return np.asarray(self.matrix @ self.vector(weights))

    def best(self, weights: Weights) -> npt.NDArray[np.int64]:
        """The row with the highest score of each sentence; of equals the first."""
        scores = self.scores(weights)
        return np.array(
            [
                begin + np.argmax(scores[begin:end])
                for begin, end in zip(self.begins, self.begins[1:], strict=False)
                if end > begin
            ],
            dtype=np.int64,
        )

    def bleu(self, weights: Weights) -> float:
        """Corpus BLEU, 0 to 100, of the best hypotheses under these weights."""
        return bleu_score(self.statistics[self.best(weights)].sum(axis=0, dtype=np.int64)).score


def _nothing(sentences: int, columns: int) -> KBestLists:
    return KBestLists(
        names=[],
        begins=np.zeros(sentences + 1, dtype=np.int64),
        keys=np.zeros(0, dtype=np.uint64),
        statistics=np.zeros((0, columns), dtype=np.int32),
        best=np.zeros((0, columns), dtype=np.int32),
        row_begins=np.zeros(1, dtype=np.int64),
        features=np.zeros(0, dtype=np.int32),
        values=np.zeros(0),
    )
