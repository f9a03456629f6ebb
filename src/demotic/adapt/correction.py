"""What one correction does to the weights: a bounded step of MIRA."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from demotic.base.checks import at_least
from demotic.decode import Decoder
from demotic.features import Weights
from demotic.learn.fitting.weight_length import SCALE, stretched
from demotic.learn.online.mira import MiraOptions
from demotic.learn.online.rule import DataSize
from demotic.learn.task import Example
from demotic.learn.workers.epoch_statistics import EpochStatistics


@dataclass(frozen=True)
class CorrectionOptions:
    """How a model learns from corrections."""

    weights: bool = True  # change the weights; otherwise only sentence pairs are added
    max_step: float = 0.001  # C of MIRA: maximum step size of one correction
    k: int = 100  # translations that are compared with the correction
    metric: str = "bleu+1"  # sentence-level metric; one without memory, so that a correction can be undone

    def __post_init__(self) -> None:
        at_least(0, max_step=self.max_step)
        at_least(1, k=self.k)

    def mira(self) -> MiraOptions:
        """The same for the learner."""
        return MiraOptions(k=self.k, metric=self.metric, c=self.max_step)


def changed_weights(
    decoder: Decoder, source: str, reference: str, options: CorrectionOptions
) -> dict[str, float]:
    """The weights that a correction changes, by name, with their new values; the decoder's own stay as they are.

    Call it before the pair is added to the rules: with rules from the correction itself nothing would be left to learn. As when
    MIRA tunes, weights are stretched to a fixed length first, so that the size of a step does not depend on the tuner that
    left them.

    Args:
        decoder: with the weights before the correction.
        source: prepared words.
        reference: the correction, prepared.
        options: how far to go.
    """
    if not options.weights or options.max_step == 0:
        return {}
    weights = decoder.weights
    before = stretched(weights, SCALE)
    rule = options.mira().rule(before.copy(), DataSize(1, 1))
    graph = decoder.with_weights(rule.weights).decode(source)
    rule.learn(Example(source, (reference,)), graph, 0, EpochStatistics())
    after = rule.weights.values
    start = np.zeros_like(after)
    start[: len(before.values)] = before.values
    factor = _factor(weights, before)
    moved = {
        before.index.name(int(id_)): float(after[id_] / factor) for id_ in np.flatnonzero(after != start)
    }
    return dict(sorted(moved.items()))


def _factor(weights: Weights, longer: Weights) -> float:
    """What the weights were multiplied by."""
    largest = int(np.argmax(np.abs(weights.values))) if len(weights.values) else 0
    return float(longer.values[largest] / weights.values[largest]) if len(weights) else 1.0
