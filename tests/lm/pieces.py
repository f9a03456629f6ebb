"""Chart states of the native language model, which only the decoder and tests use."""

from __future__ import annotations

from collections.abc import Sequence

from demotic._core import ChartState
from demotic.lm import LanguageModel


def piece(model: LanguageModel, words: Sequence[str]) -> tuple[float, ChartState]:
    """A piece of a sentence whose surroundings are not known yet: its log10 probability so far, and its state."""
    total, state = 0.0, ChartState()
    for word in words:
        change, state = model.core.append(state, word)
        total += change
    return total, state
