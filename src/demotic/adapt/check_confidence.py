"""How well the confidence of a model holds on text that it was not calibrated on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from demotic.adapt.calibrate import CalibrateOptions, measure_quality
from demotic.adapt.confidence import PRECISIONS, Confidence
from demotic.adapt.logistic import brier, calibration_error, probability_groups
from demotic.base.errors import DemoticError
from demotic.decode import TranslationModel

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class AtThreshold:
    """The sentences from a threshold on."""

    promised: float  # precision
    probability: float | None  # the threshold; None: none reaches the precision
    sentences: int = 0
    precision: float | None = None  # share of them that are good enough; None: there are none


@dataclass(frozen=True)
class CurvePoint:
    """Sentences with similar probabilities."""

    probability: float  # mean
    good: float  # share
    sentences: int


@dataclass(frozen=True)
class ConfidenceCheck:
    """Probabilities against what is good enough. A constant is the share of good ones in the calibration, for every sentence."""

    sentences: int
    references: int
    good: float  # share
    constant: float
    brier: float
    brier_of_constant: float
    calibration_error: float
    calibration_error_of_constant: float
    thresholds: tuple[AtThreshold, ...]
    curve: tuple[CurvePoint, ...]

    def to_json(self) -> dict[str, Any]:
        """As plain values."""
        return asdict(self)


def check_confidence(
    model: TranslationModel,
    source: Sequence[str],
    references: Sequence[Sequence[str]],
    threads: int = 0,
) -> ConfidenceCheck:
    """Translate text that neither the model nor its calibration has seen, and compare probabilities with references.

    With several references a translation is good enough if it is by the metric of the calibration, which for chrF takes the closest
    reference. More translations are good enough then than probabilities say: these speak of one reference.

    Args:
        model: calibrated.
        source: raw lines.
        references: one or more sets of raw translations.
        threads: 0: all cores.

    Raises:
        DemoticError: if the model is not calibrated, or there are no lines.
    """
    confidence = Confidence.load(model)
    if not source:
        raise DemoticError("there are no lines to check the confidence on")
    how = confidence.calibration
    options = CalibrateOptions(metric=how.metric, threshold=how.threshold)
    signals, quality = measure_quality(model, source, references, options, threads)
    good = quality >= how.threshold
    return _check(confidence, confidence.logistic.probabilities(signals), good, len(references))


def _check(
    confidence: Confidence, probabilities: Array, good: npt.NDArray[np.bool_], references: int
) -> ConfidenceCheck:
    constant = np.full(len(good), confidence.calibration.good)
    return ConfidenceCheck(
        len(good),
        references,
        float(good.mean()),
        confidence.calibration.good,
        brier(probabilities, good),
        brier(constant, good),
        calibration_error(probabilities, good),
        float(abs(constant[0] - good.mean())),
        tuple(_at_threshold(confidence, each, probabilities, good) for each in PRECISIONS),
        tuple(
            CurvePoint(float(probabilities[group].mean()), float(good[group].mean()), len(group))
            for group in probability_groups(probabilities)
        ),
    )


def _at_threshold(
    confidence: Confidence, percent: int, probabilities: Array, good: npt.NDArray[np.bool_]
) -> AtThreshold:
    threshold = confidence.thresholds.get(str(percent))
    if threshold is None:
        return AtThreshold(percent / 100, None)
    inside = probabilities >= threshold.probability
    precision = float(good[inside].mean()) if inside.any() else None
    return AtThreshold(percent / 100, threshold.probability, int(inside.sum()), precision)
