"""What a fuzzer needs to know of a reader."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Target:
    """A reader."""

    name: str
    seed: Callable[[Path], bytes]  # a good file, given the folder of a model
    read: Callable[[Path, Path], object]  # the damaged file, the folder of the model
    suffix: str = ".bin"
