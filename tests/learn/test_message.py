"""The form in which workers answer."""

from __future__ import annotations

from typing import Any

import hypothesis.extra.numpy as stn
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from demotic.base.errors import DemoticError
from demotic.features import PackedWeights, Weights
from demotic.learn.workers.message import Message

NAMES = st.text(max_size=4)
FIGURES = st.dictionaries(NAMES, st.integers() | st.text(max_size=5) | st.lists(st.floats(allow_nan=False)))
TYPES = st.sampled_from([np.int32, np.int64, np.uint64, np.float32, np.float64])
ARRAYS = st.dictionaries(
    NAMES, TYPES.flatmap(lambda t: stn.arrays(t, stn.array_shapes(max_dims=2, min_side=0)))
)
WEIGHTS = st.dictionaries(NAMES, st.binary(max_size=20).map(PackedWeights))


@given(FIGURES, ARRAYS, WEIGHTS)
def test_a_message_arrives_as_it_was_sent(
    figures: dict[str, Any], arrays: dict[str, Any], weights: dict[str, PackedWeights]
):
    packed = Message(figures, arrays, weights).pack()
    found = Message.unpack(packed)
    assert (found.figures, found.weights) == (figures, weights)
    assert list(found.arrays) == list(arrays)
    for name, array in arrays.items():
        assert found.arrays[name].dtype == array.dtype and found.arrays[name].shape == array.shape
        assert found.arrays[name].tobytes() == array.tobytes()
    assert found.pack() == packed


@given(FIGURES, ARRAYS, WEIGHTS, st.integers(1, 200))
def test_what_was_cut_off_is_refused(
    figures: dict[str, Any], arrays: dict[str, Any], weights: dict[str, PackedWeights], missing: int
):
    packed = Message(figures, arrays, weights).pack()
    with pytest.raises(DemoticError, match="damaged message"):
        Message.unpack(packed[:-missing])


@pytest.mark.parametrize(
    "nonsense", [b"", b"PK\x03\x04", b"[]\n     ", b'{"arrays": 3}\n', b'{"figures": {}}\n']
)
def test_other_bytes_are_refused(nonsense: bytes):
    with pytest.raises(DemoticError, match="damaged message"):
        Message.unpack(nonsense)


def test_packed_weights_know_their_number_of_features():
    packed = Weights.from_dict({"Glue": 1.0, "id:a|b": 2.0, "zero": 0.0}).pack()
    assert isinstance(packed, PackedWeights) and packed.features == 2 == len(Weights.unpack(packed))
    assert packed.digest() != Weights.from_dict({"Glue": 1.0}).pack().digest()
