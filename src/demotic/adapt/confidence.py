"""The probability that a translation is good enough."""

from __future__ import annotations

import hashlib
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import tomli_w

from demotic.adapt.logistic import Logistic
from demotic.base.errors import DemoticError, warn
from demotic.base.files import atomic_write
from demotic.base.options import load_toml
from demotic.decode import KBest, TranslationModel
from demotic.decode.model_folder import WEIGHTS
from demotic.decode.options import DECODER_FEATURES

FILE = "confidence.toml"
LIST = 100  # translations that the posterior is taken over
SIGNALS = ("posterior", "margin", "rule_length", "lm_per_word", "unknown", "log_length", "length_ratio")
Array = npt.NDArray[np.float64]


class SignalReader:
    """What can be seen of a translation without a reference: one number for each of `SIGNALS`.

    Args:
        model: that translates.
        known: the source words that count as known; None: all of the index.
    """

    def __init__(self, model: TranslationModel, known: Container[str] | None = None) -> None:
        self._known = model.index.native.source_vocab if known is None else known
        self._lm_feature = DECODER_FEATURES[model.decoder.dense][0]

    def read(self, words: Sequence[str], kbest: KBest) -> Array:
        """The signals of the first translation of a list.

        Args:
            words: of the source sentence.
            kbest: `LIST` different translations, or as many as there are.
        """
        scores = np.asarray(kbest.scores, dtype=np.float64)[:LIST] - kbest.scores[0]
        length, target = max(1, len(words)), len(kbest.sentence(0))
        ids, values = kbest.row(0)
        lm = kbest.index.find(self._lm_feature)
        log_probability = float(values[ids == lm].sum()) if lm is not None else 0.0
        return np.array(
            [
                -np.log(np.exp(scores).sum()),
                -scores[1] if len(scores) > 1 else 0.0,
                length / max(1, len(kbest.derivation(0))),
                log_probability / (target + 1),
                sum(word not in self._known for word in words) / length,
                np.log(length),
                np.log((target + 1) / (length + 1)),
            ]
        )


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

    logistic: Logistic
    calibration: Calibration
    thresholds: Mapping[
        str, float
    ]  # precision in percent -> probability from which on so many were good enough

    def probability(self, signals: Array) -> float:
        """That the translation is good enough."""
        return float(self.logistic.probabilities(signals[None, :])[0])

    def save(self, model: TranslationModel) -> None:
        """Write `confidence.toml`."""
        values = {
            "calibration": self.calibration.__dict__,
            "thresholds": dict(self.thresholds),
            "signals": {
                name: {"mean": float(mean), "deviation": float(deviation), "weight": float(weight)}
                for name, mean, deviation, weight in zip(
                    SIGNALS, self.logistic.means, self.logistic.deviations, self.logistic.weights, strict=True
                )
            },
            "intercept": float(self.logistic.intercept),
            "weights": _digest(model),
        }
        with atomic_write(model.folder / FILE) as file:
            file.write(tomli_w.dumps(values))

    @classmethod
    def load(cls, model: TranslationModel) -> Confidence:
        """Read what `save` wrote.

        Raises:
            DemoticError: if the model was not calibrated, or the file is damaged.
        """
        path = model.folder / FILE
        if not path.exists():
            raise DemoticError(
                "the model is not calibrated", model.folder, hint=f"run  demotic calibrate {model.folder}"
            )
        values = load_toml(path)
        try:
            signals = [values["signals"][name] for name in SIGNALS]
            columns = [
                np.array([float(each[key]) for each in signals]) for key in ("mean", "deviation", "weight")
            ]
            logistic = Logistic(*columns, float(values["intercept"]))
            thresholds = {str(key): float(value) for key, value in values["thresholds"].items()}
            if values["weights"] != _digest(model):
                warn(
                    f"{path}: the weights of the model have changed since; run  demotic calibrate {model.folder}  again"
                )
            return cls(logistic, Calibration(**values["calibration"]), thresholds)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise DemoticError(
                f"the file is damaged ({error})", path, hint=f"run  demotic calibrate {model.folder}  again"
            ) from error


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
        """That the first translation of a line of raw text is good enough; `kbest` should have `LIST` translations."""
        words = self.model.preprocessor.words(line, "source")
        return self.confidence.probability(self._reader.read(words, kbest))
