"""The one form in which a worker answers: figures, arrays and packed weights by name."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from demotic.base.errors import DemoticError
from demotic.base.json_text import parse_json
from demotic.features import PackedWeights

_ALIGNMENT = 8  # bytes: arrays of 64-bit numbers are read in place
_LONGEST_HEAD = 1 << 30


@dataclass(frozen=True)
class Message:
    """What a worker sends to the driver; checkpoints keep it in the same bytes.

    Attributes:
        figures: plain values that JSON can hold.
        arrays: numbers.
        weights: packed vectors.
    """

    figures: Mapping[str, Any] = field(default_factory=dict)
    arrays: Mapping[str, npt.NDArray[Any]] = field(default_factory=dict)
    weights: Mapping[str, PackedWeights] = field(default_factory=dict)

    def pack(self) -> bytes:
        """A line of JSON that describes the parts, then the parts, each at a multiple of 8 bytes; little-endian."""
        arrays = {name: _little_endian(array) for name, array in self.arrays.items()}
        head = {
            "figures": dict(self.figures),
            "arrays": {name: [array.dtype.str, list(array.shape)] for name, array in arrays.items()},
            "weights": {name: len(packed) for name, packed in self.weights.items()},
        }
        line = json.dumps(head).encode() + b"\n"
        return b"".join(
            map(_padded, [line, *(array.tobytes() for array in arrays.values()), *self.weights.values()])
        )

    @classmethod
    def unpack(cls, packed: bytes) -> Message:
        """The message that `pack` packed; arrays are views of the bytes.

        Raises:
            DemoticError: for other bytes.
        """
        try:
            end = packed.index(b"\n", 0, _LONGEST_HEAD) + 1
            head = parse_json(packed[:end])
            place = _aligned(end)
            arrays, weights = {}, {}
            for name, (dtype, shape) in head["arrays"].items():
                count = int(np.prod(shape, dtype=np.int64))
                arrays[name] = np.frombuffer(packed, np.dtype(dtype), count, place).reshape(shape)
                place = _aligned(place + arrays[name].nbytes)
            for name, size in head["weights"].items():
                weights[name] = PackedWeights(packed[place : place + size])
                place = _aligned(place + size)
            if place != len(packed):
                raise ValueError("bytes are missing or left over")
            return cls(head["figures"], arrays, weights)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise DemoticError("a worker sent a damaged message", hint="repeat the command") from error


def _little_endian(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return np.ascontiguousarray(array, array.dtype.newbyteorder("<"))


def _aligned(size: int) -> int:
    return -(-size // _ALIGNMENT) * _ALIGNMENT


def _padded(part: bytes) -> bytes:
    return part + b"\0" * (_aligned(len(part)) - len(part))
