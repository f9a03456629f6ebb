"""Which sentence pairs are fit for training."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class CleanOptions:
    """Limits on the length of a pair, in words."""

    min_words: int = 1
    max_words: int = 80
    max_ratio: float = 9.0  # longer side : shorter side
    deduplicate: bool = True  # a repeated pair would vouch for its own rules under leave-one-out


class Cleaner:
    """Judges pairs one after the other and counts its verdicts in `counts`."""

    REASONS = ("empty", "too short", "too long", "length ratio", "duplicate")

    def __init__(self, options: CleanOptions) -> None:
        self.options = options
        self.counts: Counter[str] = Counter(dict.fromkeys(("kept", *self.REASONS), 0))
        self._seen: set[bytes] = set()

    def keeps(self, source: Sequence[str], target: Sequence[str]) -> bool:
        """Whether the pair stays; the first reason that applies is counted."""
        reason = self._verdict(source, target)
        self.counts[reason] += 1
        return reason == "kept"

    def _verdict(self, source: Sequence[str], target: Sequence[str]) -> str:
        shorter, longer = sorted((len(source), len(target)))
        if shorter == 0:
            return "empty"
        if shorter < self.options.min_words:
            return "too short"
        if longer > self.options.max_words:
            return "too long"
        if longer > self.options.max_ratio * shorter:
            return "length ratio"
        if self.options.deduplicate and self._is_repeated(source, target):
            return "duplicate"
        return "kept"

    def _is_repeated(self, source: Sequence[str], target: Sequence[str]) -> bool:
        """Remembers 16 bytes a pair instead of the text."""
        text = " ".join(source) + "\n" + " ".join(target)
        key = hashlib.blake2b(text.encode(), digest_size=16).digest()
        if key in self._seen:
            return True
        self._seen.add(key)
        return False
