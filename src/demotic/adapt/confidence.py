"""The probability that a translation is good enough."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import tomli_w

from demotic.adapt.logistic import Logistic
from demotic.adapt.precision import Threshold
from demotic.adapt.signals import SignalReader, signal_names
from demotic.base.errors import DemoticError, warn
from demotic.base.files import atomic_write
from demotic.base.options import load_toml
from demotic.decode import KBest, TranslationModel
from demotic.decode.model_folder import WEIGHTS

FILE = "confidence.toml"
PRECISIONS = (80, 90, 95)  # percent, of the thresholds
Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Calibration:
    """How `confidence.toml` was made, and how well it did on sentences that it was not fitted on."""

    metric: str  # sentence metric
    threshold: float  # a translation is good enough from here on
    sentences: int
    good: float  # share of them that were good enough
    brier: float  # mean squared error of the probabilities
    brier_of_constant: float  # of `good` for every sentence
    calibration_error: float  # mean distance of probabilities from shares, over ten groups


@dataclass(frozen=True)
class Confidence:
    """A calibrated model of quality, stored in the model folder."""

    names: tuple[str, ...]  # of the signals
    logistic: Logistic
    calibration: Calibration
    thresholds: Mapping[
        str, Threshold
    ]  # by precision in percent; those that no threshold reaches are missing

    def probability(self, signals: Array) -> float:
        """That the translation is good enough."""
        return float(self.logistic.probabilities(signals[None, :])[0])

    def to_json(self) -> dict[str, Any]:
        """How it was made, and the probability of each precision; null: no threshold reaches it."""
        found = {str(each): self.thresholds.get(str(each)) for each in PRECISIONS}
        return {
            **asdict(self.calibration),
            "thresholds": {share: each.probability if each else None for share, each in found.items()},
        }

    def save(self, model: TranslationModel) -> None:
        """Write `confidence.toml`."""
        fitted = self.logistic
        values = {
            "calibration": asdict(self.calibration),
            "thresholds": {share: asdict(each) for share, each in self.thresholds.items()},
            "signals": {
                name: {"mean": float(mean), "deviation": float(deviation), "weight": float(weight)}
                for name, mean, deviation, weight in zip(
                    self.names, fitted.means, fitted.deviations, fitted.weights, strict=True
                )
            },
            "intercept": float(fitted.intercept),
            "weights": _digest(model),
        }
        with atomic_write(model.folder / FILE) as file:
            file.write(tomli_w.dumps(values))

    @classmethod
    def load(cls, model: TranslationModel) -> Confidence:
        """Read what `save` wrote.

        Raises:
            DemoticError: if the model was not calibrated, the file is damaged, or it has other signals than this version reads.
        """
        path = model.folder / FILE
        if not path.exists():
            raise DemoticError(
                "the model is not calibrated", model.folder, hint=f"run  demotic calibrate {model.folder}"
            )
        values, names = load_toml(path), signal_names(model.decoder.dense)
        hint = f"run  demotic calibrate {model.folder}  again"
        try:
            if set(values["signals"]) != set(names):
                raise DemoticError("the model was calibrated by another version of Demotic", path, hint=hint)
            logistic = _logistic(names, values)
            thresholds = {
                str(key): Threshold(**{name: float(number) for name, number in value.items()})
                for key, value in values["thresholds"].items()
            }
            if values["weights"] != _digest(model):
                warn(
                    f"{path}: the weights of the model have changed since; run  demotic calibrate {model.folder}  again"
                )
            return cls(names, logistic, _calibration(values["calibration"]), thresholds)
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
            raise DemoticError(f"the file is damaged ({error})", path, hint=hint) from error


def _logistic(names: tuple[str, ...], values: Mapping[str, Any]) -> Logistic:
    """The regression in the file."""
    signals = [values["signals"][name] for name in names]
    means, deviations, weights = (
        np.array([float(each[key]) for each in signals]) for key in ("mean", "deviation", "weight")
    )
    intercept = float(values["intercept"])
    if not np.isfinite([*means, *deviations, *weights, intercept]).all() or (deviations <= 0).any():
        raise ValueError("a number of a signal is out of its range")
    return Logistic(means, deviations, weights, intercept)


def _calibration(values: Mapping[str, Any]) -> Calibration:
    """The figures in the file, as the numbers that they should be."""
    kinds: dict[str, Any] = {"metric": str, "sentences": int}
    return Calibration(**{name: kinds.get(name, float)(value) for name, value in values.items()})


def _digest(model: TranslationModel) -> str:
    """Names the weights: a calibration is of no use for others."""
    return hashlib.sha256((model.folder / WEIGHTS).read_bytes()).hexdigest()[:16]


class ConfidentModel:
    """A model with its calibration.

    Args:
        model: calibrated by `calibrate`.
    """

    def __init__(self, model: TranslationModel) -> None:
        self.model = model
        self.confidence = Confidence.load(model)

    @cached_property
    def _reader(self) -> SignalReader:
        return SignalReader(self.model)

    def probability(self, line: str, kbest: KBest) -> float:
        """That the first translation of a line of raw text is good enough; `kbest` should have `LIST` translations.

        A sentence that a person has corrected has 1.
        """
        words = self.model.preprocessor.words(line, "source")
        if self.model.correction_of(words):
            return 1.0
        return self.confidence.probability(self._reader.read(words, kbest))
