"""What online learners hand on from epoch to epoch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from demotic.base.digests import digest_of
from demotic.base.errors import DemoticError
from demotic.features import PackedWeights
from demotic.learn.workers.message import Message


@dataclass(frozen=True)
class State:
    """Where all shards begin.

    Attributes:
        weights: packed.
        memory: what a rule remembers of each feature beside its weight, packed likewise (`OnlineRule.memory`); empty: nothing.
    """

    weights: PackedWeights
    memory: PackedWeights = field(default_factory=PackedWeights)

    def digest(self) -> str:
        """Hex digest; that of the weights if nothing else is remembered."""
        if not self.memory:
            return self.weights.digest()
        both = self.weights.digest() + self.memory.digest()
        return digest_of(both.encode())

    def parts(self) -> Mapping[str, PackedWeights]:
        """By name, for a `Message`."""
        return {"weights": self.weights, **({"memory": self.memory} if self.memory else {})}

    @classmethod
    def of(cls, message: Message) -> State:
        """The state among the parts of a message."""
        return cls(message.weights["weights"], message.weights.get("memory", PackedWeights()))

    def pack(self) -> bytes:
        """For a file."""
        return Message(weights=self.parts()).pack()

    @classmethod
    def unpack(cls, packed: bytes) -> State:
        """What `pack` packed.

        Raises:
            DemoticError: for other bytes.
        """
        message = Message.unpack(packed)
        if "weights" not in message.weights:
            raise DemoticError("this is no state of a learner", hint="repeat the command")
        return cls.of(message)
