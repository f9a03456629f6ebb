"""Fits the confidence of a model on held-out training sentences, or on other text."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from demotic.adapt.confidence import PRECISIONS, Calibration, Confidence
from demotic.adapt.judged_text import JudgedSentence, judge_all, judged_sentences
from demotic.adapt.logistic import Logistic, brier, calibration_error, fit_logistic
from demotic.adapt.precision import threshold_for
from demotic.adapt.rebuild import train_language_models
from demotic.adapt.signals import LIST, SignalReader, signal_names
from demotic.base.checks import at_least, between
from demotic.base.errors import DemoticError
from demotic.base.files import atomic_write
from demotic.corpus.splits import folds, sample
from demotic.decode import Decoder, KBest, LanguageModels, TranslationModel
from demotic.evaluate import References, sentence_metric

Array = npt.NDArray[np.float64]
_FOLDS = 10
_LEAST = 50  # sentences: fewer say nothing


@dataclass(frozen=True)
class CalibrateOptions:
    """How the confidence of a model is fitted."""

    sentences: int = (
        2000  # of the training text, at most one in five; they count as absent from index and language model
    )
    metric: str = "chrf"  # sentence metric that says what is good
    threshold: float = 0.6  # a translation is good enough from this value of the metric on
    l2: float = 1.0  # strength of the regulariser
    seed: int = 0  # of the sample

    def __post_init__(self) -> None:
        """Check the ranges."""
        at_least(_LEAST, sentences=self.sentences)
        between(0, 1, threshold=self.threshold)
        at_least(0, l2=self.l2)


def calibrate(
    model: TranslationModel, options: CalibrateOptions | None = None, threads: int = 0
) -> Confidence:
    """Fit the confidence of a model on a sample of its training pairs.

    All pairs of the sample count as absent at once: rules come from the others, and so do the language models, which are trained anew.

    Args:
        model: a trained model.
        options: sample and metric.
        threads: 0: all cores.

    Raises:
        DemoticError: if the model has too few training pairs.
    """
    options = options or CalibrateOptions()
    index = model.index
    usable = [i for i in range(len(index)) if index.source(i)]
    count = min(options.sentences, len(usable) // 5)
    if count < _LEAST:
        raise DemoticError(
            f"the model has {len(usable)} training pairs; calibrating needs {5 * _LEAST}", model.folder
        )
    chosen = [usable[i] for i in sample(len(usable), count, options.seed).tolist()]
    held_out, mask = set(chosen), index.mask(chosen)
    known = {word for i in usable if i not in held_out for word in index.source(i)}
    usual = model.decoder
    with tempfile.TemporaryDirectory() as folder:
        lms = _language_models_without(model, held_out, Path(folder))
        decoder = Decoder(
            lms, usual.weights, usual.rules, usual.templates, usual.options, usual.dense, frozen=True
        )
        signals, quality = _measure(
            SignalReader(model, known),
            [(index.source(i), [index.target(i)]) for i in chosen],
            lambda words: decoder.decode(words, exclude=mask).kbest(LIST, unique=True),
            options,
            threads,
        )
    return fit_confidence(signal_names(usual.dense), signals, quality, options)


def calibrate_on(
    model: TranslationModel,
    source: Sequence[str],
    references: Sequence[Sequence[str]],
    options: CalibrateOptions | None = None,
    threads: int = 0,
) -> Confidence:
    """Fit the confidence of a model on text that it was not trained on; with several references the closest one counts.

    Args:
        model: a trained model.
        source: raw lines.
        references: one or more sets of raw translations.
        options: metric; the number of sentences is that of the text.
        threads: 0: all cores.

    Raises:
        DemoticError: if there are too few lines.
    """
    options = options or CalibrateOptions()
    if len(source) < _LEAST:
        raise DemoticError(f"the text has {len(source)} lines; calibrating needs {_LEAST}")
    signals, quality = measure_quality(model, source, references, options, threads)
    return fit_confidence(signal_names(model.decoder.dense), signals, quality, options)


def measure_quality(
    model: TranslationModel,
    source: Sequence[str],
    references: Sequence[Sequence[str]],
    options: CalibrateOptions,
    threads: int = 0,
) -> tuple[Array, Array]:
    """Signals and sentence metric of translations of raw text that the model has not seen.

    Args:
        model: a trained model.
        source: raw lines.
        references: one or more sets of raw translations.
        options: metric.
        threads: 0: all cores.
    """
    return _measure(
        SignalReader(model),
        judged_sentences(model, source, references),
        lambda words: model.decoder.decode(words).kbest(LIST, unique=True),
        options,
        threads,
    )


def fit_confidence(
    names: tuple[str, ...], signals: Array, quality: Array, options: CalibrateOptions
) -> Confidence:
    """Fit on everything; probabilities for the figures and thresholds come from ten folds, each fitted without its own sentences.

    Args:
        names: of the signals.
        signals: shape (sentences, signals).
        quality: shape (sentences,).
        options: what is good enough.
    """
    good = quality >= options.threshold
    fold_of = folds(len(good), _FOLDS, options.seed)
    probabilities = np.zeros(len(good))
    for fold in range(_FOLDS):
        inside = fold_of == fold
        held_in: Logistic = fit_logistic(signals[~inside], good[~inside], options.l2)
        probabilities[inside] = held_in.probabilities(signals[inside])
    calibration = Calibration(
        options.metric,
        options.threshold,
        len(good),
        float(good.mean()),
        brier(probabilities, good),
        brier(np.full(len(good), good.mean()), good),
        calibration_error(probabilities, good),
    )
    found = {str(each): threshold_for(each / 100, probabilities, good) for each in PRECISIONS}
    thresholds = {share: each for share, each in found.items() if each is not None}
    return Confidence(names, fit_logistic(signals, good, options.l2), calibration, thresholds)


def _measure(
    reader: SignalReader,
    sentences: Sequence[JudgedSentence],
    decode: Callable[[list[str]], KBest],
    options: CalibrateOptions,
    threads: int,
) -> tuple[Array, Array]:
    metric = sentence_metric(options.metric)

    def judge(sentence: JudgedSentence) -> tuple[Array, float]:
        words, references = sentence
        kbest = decode(words)
        return reader.read(words, kbest), float(metric.scores(References(references), kbest)[0])

    found = judge_all(judge, sentences, "translate", threads)
    return np.array([signal for signal, _ in found]), np.array([quality for _, quality in found])


def _language_models_without(model: TranslationModel, pairs: set[int], folder: Path) -> LanguageModels:
    """Trained as the model's own, on all other pairs and the monolingual text."""
    text = folder / "target.txt"
    with atomic_write(text) as file:
        file.writelines(
            " ".join(model.index.target(i)) + "\n" for i in range(len(model.index)) if i not in pairs
        )
    options = replace(model.options.lm, order=model.lm.order, vocab_from=(), vocab_size=0)
    train_language_models(model, text, options, folder)
    return model.lms.retrained(folder)
