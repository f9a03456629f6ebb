"""Weights as bytes: what travels between processes and what checkpoints keep."""

from __future__ import annotations

from demotic.base.digests import digest_of


class PackedWeights(bytes):
    """The weights that are not 0, in the order of their names (`Weights.pack`).

    Ids do not travel: whoever unpacks the bytes numbers the features in the order of their names. The core defines the layout
    (`cpp/features/packed_weights.hpp`) and checks it when weights are unpacked.
    """

    __slots__ = ()

    @property
    def features(self) -> int:
        """How many features have a weight."""
        return int.from_bytes(self[:8], "little")

    def digest(self) -> str:
        """Hex digest of the bytes (BLAKE2b, 128 bits)."""
        return digest_of(self)
