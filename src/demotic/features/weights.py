"""Weights: a vector over a feature index, kept as text (`name value` a line) or, for millions, in binary form."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from demotic import _core
from demotic.base.errors import DemoticError
from demotic.base.files import Pathish, atomic_write, open_binary, read_blocks
from demotic.base.lazy import LazyModule
from demotic.features.index import FeatureIndex
from demotic.features.packed_weights import PackedWeights

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
else:
    np = LazyModule("numpy")

_MAGIC = b"DEMOTIC\n"
_OF_UNKNOWN_WORDS = ("PassThrough", "LanguageModel_OOV", "SourceOOV", "TargetOOV")


class Weights:
    """A weight for each feature of an index; features beyond the end of `values` weigh nothing.

    Args:
        index: names and ids; shared, not copied.
        values: by id; default: all 0. The decoder reads them in place.
    """

    def __init__(self, index: FeatureIndex, values: npt.ArrayLike | memoryview | None = None) -> None:
        self.index = index
        self._room: npt.NDArray[np.float64] | None = None  # what `values` may grow into
        if isinstance(values, memoryview) and values.format == "d" and values.ndim == 1:  # from native code
            self._values: memoryview | npt.NDArray[np.float64] = values
            return
        self._values = np.ascontiguousarray(
            np.zeros(len(index)) if values is None else values, dtype=np.float64
        )
        if self._values.ndim != 1:
            raise DemoticError(f"weights must have one dimension (got shape {self._values.shape})")
        if len(self._values) > len(index):
            raise DemoticError(
                f"more weights than features ({len(self._values)} and {len(index)})",
                hint="do they belong to another feature index?",
            )

    @property
    def values(self) -> npt.NDArray[np.float64]:
        """By id."""
        if isinstance(self._values, memoryview):
            self._values = np.asarray(self._values)  # the same memory
        return self._values

    @values.setter
    def values(self, values: npt.NDArray[np.float64]) -> None:
        self._values = values

    def dense_length(self) -> float:
        """The l1 norm of the weights of dense features, which are those without a colon in their names.

        Those of unknown words do not count unless there are no others. A dev set tells their sum, and not each of them: MERT may
        leave large ones of opposite signs, which say nothing about how far the scores of translations lie apart.
        """
        plain = _core.LearnableFeatures("dense")
        plain.classify(self.index)
        of_words = {self.index.find(name) for name in _OF_UNKNOWN_WORDS}
        dense = [id_ for id_ in plain.dense.tolist() if id_ < len(self.values)]
        length = float(sum(abs(self.values[id_]) for id_ in dense if id_ not in of_words))
        return length or float(sum(abs(self.values[id_]) for id_ in dense))

    @property
    def native(self) -> Any:
        """The values for native code. Those that were loaded and never looked at in Python need no numpy."""
        return self._values

    @classmethod
    def from_dict(cls, weights: Mapping[str, float], index: FeatureIndex | None = None) -> Weights:
        """Weights by name; new names are added to the index (default: an empty one)."""
        index = FeatureIndex() if index is None else index
        for name, value in weights.items():
            _check(name, value)
        ids = [index.intern(name) for name in weights]
        result = cls(index)
        result.values[ids] = list(weights.values())
        return result

    @classmethod
    def load(cls, path: Pathish, index: FeatureIndex | None = None) -> Weights:
        """Read weights in either form (text may be compressed); cdec's weight files too.

        Raises:
            DemoticError: for a malformed line, a weight that is not finite or a feature that comes twice, with the line.
        """
        index = FeatureIndex() if index is None else index
        with open_binary(path) as file:
            is_binary = file.read(len(_MAGIC)) == _MAGIC
        if is_binary:
            return cls(index, _core.load_weights(str(path), index))
        text = b"".join(read_blocks(path))
        return cls(index, _core.weights_from_text(text, str(path), index))

    @classmethod
    def unpack(cls, packed: PackedWeights, index: FeatureIndex | None = None) -> Weights:
        """Weights from the bytes of `pack`; new names get their ids in the order of names."""
        index = FeatureIndex() if index is None else index
        return cls(index, _core.unpack_weights(packed, index))

    def pack(self) -> PackedWeights:
        """The weights that are not 0 as bytes, sorted by name: what travels between machines. Ids do not."""
        return PackedWeights(_core.pack_weights(self.index, self.values))

    def save(self, path: Pathish) -> None:
        """Write the weights, sorted by name: in binary form if the name ends in .bin, else as text.

        Features of templates that weigh nothing are left out; dense ones are listed always.
        """
        if Path(path).suffix == ".bin":
            _core.save_weights(str(path), self.index, self.values)
            return
        text = _core.weights_to_text(self.index, self.values)
        with atomic_write(path) as file:
            file.write(text)

    def get(self, name: str) -> float:
        """The weight of a feature, 0 if the index does not know it."""
        id_ = self.index.find(name)
        return float(self.values[id_]) if id_ is not None and id_ < len(self.values) else 0.0

    def set(self, name: str, value: float) -> None:
        """Give a feature a weight; it is added to the index if it is new."""
        _check(name, value)
        id_ = self.index.intern(name)
        self.grow()
        self.values[id_] = value

    def grow(self) -> None:
        """Make room for features that were added to the index; `values` is then another array."""
        size = len(self.index)
        if size <= len(self.values):
            return
        is_in_room = self.values.base is self._room
        if self._room is None or size > len(self._room) or not is_in_room:
            # Twice the size, so that growing a little for every sentence does not copy everything every time.
            self._room = np.zeros(2 * size)
            self._room[: len(self.values)] = self.values
        self._values = self._room[:size]

    def copy(self) -> Weights:
        """The same weights over the same index, to be changed."""
        return Weights(self.index, self.values.copy())

    def __len__(self) -> int:
        """Features that weigh something."""
        return int(np.count_nonzero(self.values))

    def items(self) -> Iterator[tuple[str, float]]:
        """Names and weights that are not 0, sorted by name."""
        named = ((self.index.name(int(id_)), float(self.values[id_])) for id_ in np.flatnonzero(self.values))
        return iter(sorted(named))

    def heads(self) -> list[str]:
        """Names of dense features that weigh something, and `template:` once for each template of which some feature does."""
        return _core.name_heads(self.index, self.native)

    def to_dict(self) -> dict[str, float]:
        """Weights that are not 0, by name."""
        return dict(self.items())


def _check(name: str, value: float) -> None:
    if not math.isfinite(value):
        raise DemoticError(f"the weight of '{name}' must be a finite number (got {value})")
