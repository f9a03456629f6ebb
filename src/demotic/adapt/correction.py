"""What one correction does to the weights: a bounded step of an online learner."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from demotic.base.checks import at_least, positive
from demotic.base.errors import DemoticError
from demotic.decode import Decoder
from demotic.features import FeatureIndex, Weights
from demotic.learn.fitting.weight_length import SCALE, LengthOptions, stretched
from demotic.learn.online.mira import MiraOptions
from demotic.learn.online.rule import DataSize, OnlineRule, RuleOptions
from demotic.learn.registry import LEARNERS
from demotic.learn.task import Example
from demotic.learn.workers.epoch_statistics import EpochStatistics

MIRA = "mira"


@dataclass(frozen=True)
class CorrectionOptions:
    """How a model learns from corrections."""

    weights: bool | None = (
        None  # change the weights, or only add sentence pairs; default: unless a learner tuned them that cannot go on
    )
    max_step: float = 0.001  # C of MIRA: maximum step size of one correction; other learners have their own
    max_change: float = (
        0.02  # length of a step, as a share of the length of all weights; longer ones are shortened
    )
    k: int = 100  # translations that are compared with the correction
    metric: str = "bleu+1"  # sentence-level metric; one without memory, so that a correction can be undone
    learner: str = ""  # that makes the step; default: the one that tuned the model if it can go on from one sentence, else MIRA

    def __post_init__(self) -> None:
        at_least(0, max_step=self.max_step)
        positive(max_change=self.max_change)
        at_least(1, k=self.k)
        if self.learner and not goes_on(self.learner):
            raise DemoticError(
                f"'{self.learner}' cannot learn from one sentence",
                hint=f"choose one of {', '.join(filter(goes_on, LEARNERS))}",
            )

    def moves_weights(self, tuned: str) -> bool:
        """Whether a correction changes the weights of a model that this learner has tuned; nothing: they were set by hand."""
        wanted = not tuned or goes_on(tuned) if self.weights is None else self.weights
        return wanted and self.max_step > 0

    def rule_options(self, tuned: str = "") -> RuleOptions:
        """The learner of a step.

        Args:
            tuned: the one that tuned the model.
        """
        name = self.learner or (tuned if goes_on(tuned) else MIRA)
        if name == MIRA:
            return MiraOptions(k=self.k, metric=self.metric, c=self.max_step)
        options: RuleOptions = LEARNERS[name].options_type()()
        known = {field.name for field in fields(options)}
        changes: dict[str, Any] = {"k": self.k, "metric": self.metric}
        return replace(options, **{key: value for key, value in changes.items() if key in known})


def goes_on(learner: str) -> bool:
    """Whether a learner can learn from one more sentence: it is an online one, and needs to know nothing but the weights.

    AdaGrad's step depends on all gradients before it, which a model does not keep.
    """
    if learner not in LEARNERS:
        return False
    options_type = LEARNERS[learner].options_type()
    if not issubclass(options_type, RuleOptions):
        return False
    rule = options_type().rule(Weights(FeatureIndex()), DataSize(1, 1))
    return type(rule).memory is OnlineRule.memory


def changed_weights(
    decoder: Decoder, source: str, reference: str, options: CorrectionOptions, tuned: str = ""
) -> dict[str, float]:
    """The weights that a correction changes, by name, with their new values; the decoder's own stay as they are.

    Call it before the pair is added to the rules: with rules from the correction itself nothing would be left to learn. For
    learners that weigh scores against the metric, weights are stretched to a fixed length first, as when they tune, so that the size
    of a step does not depend on the tuner that left them.

    Args:
        decoder: with the weights before the correction.
        source: prepared words.
        reference: the correction, prepared.
        options: how far to go.
        tuned: the learner that tuned the model.
    """
    if not options.moves_weights(tuned):
        return {}
    learner = options.rule_options(tuned)
    # Features that this step meets first are numbered apart. The model numbers them in the order of its log, also when it has just
    # read it: sums over features are then added up in the same order, and the next step is the same to the last bit.
    weights = Weights(FeatureIndex(decoder.weights.index), decoder.weights.values)
    before = stretched(weights, SCALE) if isinstance(learner, LengthOptions) else weights.copy()
    rule = learner.rule(before.copy(), DataSize(1, 1))
    own = decoder.with_weights(rule.weights)
    graph = own.decode(source)
    rule.use_forced(lambda example, words: own.decode_reference(example.source, words))
    statistics = EpochStatistics()
    rule.learn(Example(source, (reference,)), graph, 0, statistics)
    rule.finish(statistics)
    after = np.array(rule.weights.values)
    start = np.zeros_like(after)
    start[: len(before.values)] = before.values
    moved = np.flatnonzero(after != start)
    values = start[moved] + _bounded(after[moved] - start[moved], start, options.max_change)
    factor = _factor(weights, before)
    names = (before.index.name(int(id_)) for id_ in moved)
    return dict(sorted(zip(names, (values / factor).tolist(), strict=True)))


def _bounded(
    step: npt.NDArray[np.float64], weights: npt.NDArray[np.float64], share: float
) -> npt.NDArray[np.float64]:
    """The step, or as much of it as is allowed; without any weights there is nothing to compare it with."""
    length, most = float(np.linalg.norm(step)), share * float(np.linalg.norm(weights))
    return step * (most / length) if 0 < most < length else step


def _factor(weights: Weights, longer: Weights) -> float:
    """What the weights were multiplied by."""
    largest = int(np.argmax(np.abs(weights.values))) if len(weights.values) else 0
    return float(longer.values[largest] / weights.values[largest]) if len(weights) else 1.0
