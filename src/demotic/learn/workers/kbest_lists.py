"""k-best lists of many sentences as flat arrays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from demotic.learn.workers.message import Message

_ARRAYS: dict[str, npt.DTypeLike] = {
    "begins": np.int64,
    "keys": np.uint64,
    "statistics": np.int32,
    "best": np.int32,
    "row_begins": np.int64,
    "features": np.int32,
    "values": np.float32,
}


@dataclass(frozen=True)
class KBestLists:
    """Hypotheses of some sentences, one sentence after the other.

    Attributes:
        names: features that occur.
        begins: shape (sentences + 1,): hypotheses of sentence s are those from begins[s] to begins[s + 1].
        keys: a hash of each hypothesis' words and features: what tells them apart.
        statistics: shape (hypotheses, 10): n-gram statistics (`demotic.evaluate.References`); 12 columns with those of TER.
        best: shape (sentences, 10 or 12): statistics of the translation that the model chose.
        row_begins: shape (hypotheses + 1,): where each row of the feature matrix begins in the next two.
        features: places in `names`, rising in each row.
        values: never 0; 32 bits when packed.
    """

    names: Sequence[str]
    begins: npt.NDArray[np.int64]
    keys: npt.NDArray[np.uint64]
    statistics: npt.NDArray[np.int32]
    best: npt.NDArray[np.int32]
    row_begins: npt.NDArray[np.int64]
    features: npt.NDArray[np.int32]
    values: npt.NDArray[np.floating[Any]]

    def __len__(self) -> int:
        return len(self.keys)

    @cached_property
    def row_sizes(self) -> npt.NDArray[np.int64]:
        """Features of each hypothesis."""
        return np.diff(self.row_begins)

    @property
    def sentences(self) -> int:
        """How many sentences."""
        return len(self.begins) - 1

    def message(self) -> Message:
        """As they travel and are kept."""
        arrays = {name: getattr(self, name).astype(dtype, copy=False) for name, dtype in _ARRAYS.items()}
        return Message({"names": list(self.names)}, arrays)

    @classmethod
    def from_message(cls, message: Message) -> KBestLists:
        """The lists of a message; the arrays are views of its bytes."""
        return cls(names=message.figures["names"], **{name: message.arrays[name] for name in _ARRAYS})

    def select(self, keep: npt.NDArray[np.bool_]) -> KBestLists:
        """The hypotheses where `keep` is true; of names, those that still occur."""
        entries = np.repeat(keep, self.row_sizes)
        used, features = np.unique(self.features[entries], return_inverse=True)
        return KBestLists(
            names=[self.names[i] for i in used],
            begins=cumulative(keep)[self.begins],
            keys=self.keys[keep],
            statistics=self.statistics[keep],
            best=self.best,
            row_begins=cumulative(self.row_sizes[keep]),
            features=features.astype(np.int32),
            values=self.values[entries],
        )

    def numbered(self, ids: Sequence[int]) -> KBestLists:
        """The same lists with these ids instead of the places in `names`, which are dropped."""
        from scipy.sparse import csr_matrix

        features = np.array([*ids, 0], dtype=np.int32)[self.features]
        rows = csr_matrix((self.values, features, self.row_begins), (len(self), max(ids, default=0) + 1))
        rows = rows.sorted_indices()
        return replace(self, names=(), features=rows.indices, values=rows.data)

    def without_repetition(self, known: KBestLists | None = None) -> KBestLists:
        """The hypotheses that are neither in the list of the sentence in `known` nor further up in its list here."""
        keep = np.zeros(len(self), dtype=bool)
        for s in range(self.sentences):
            old = known.keys[known.begins[s] : known.begins[s + 1]] if known else self.keys[:0]
            keys = np.concatenate([old, self.keys[self.begins[s] : self.begins[s + 1]]])
            first = np.unique(keys, return_index=True)[1]  # where each key comes first
            keep[self.begins[s] + first[first >= len(old)] - len(old)] = True
        return self.select(keep)


def join(parts: Iterable[tuple[Sequence[int], KBestLists]], sentences: int) -> KBestLists:
    """One set of lists from those of several shards.

    Args:
        parts: for each shard, the places of its sentences in the whole, and its lists.
        sentences: of the whole; each belongs to one shard.
    """
    loaded = list(parts)
    names = sorted({name for _, lists in loaded for name in lists.names})
    numbers = {name: i for i, name in enumerate(names)}
    pieces: dict[int, tuple[KBestLists, int]] = {}
    for positions, lists in loaded:
        numbered = lists.numbered([numbers[name] for name in lists.names])
        pieces.update({position: (numbered, i) for i, position in enumerate(positions)})
    return concatenate([pieces[s] for s in range(sentences)], names)


def concatenate(pieces: Sequence[tuple[KBestLists, int]], names: Sequence[str]) -> KBestLists:
    """Single sentences, each given as lists and its number in them, one after the other; the lists number features alike."""
    hypotheses = [slice(lists.begins[s], lists.begins[s + 1]) for lists, s in pieces]
    entries = [
        slice(lists.row_begins[rows.start], lists.row_begins[rows.stop])
        for (lists, _), rows in zip(pieces, hypotheses, strict=True)
    ]

    def joined(field: str, parts: Sequence[slice]) -> Any:
        return np.concatenate(
            [getattr(lists, field)[part] for (lists, _), part in zip(pieces, parts, strict=True)]
        )

    return KBestLists(
        names=names,
        begins=cumulative([rows.stop - rows.start for rows in hypotheses]),
        keys=joined("keys", hypotheses),
        statistics=joined("statistics", hypotheses),
        best=joined("best", [slice(s, s + 1) for _, s in pieces]),
        row_begins=cumulative(joined("row_sizes", hypotheses)),
        features=joined("features", entries),
        values=joined("values", entries),
    )


def cumulative(counts: npt.ArrayLike) -> npt.NDArray[np.int64]:
    """Where each begins if so many come one after the other, and where the last one ends."""
    return np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])
