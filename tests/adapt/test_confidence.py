"""Confidence: the regression against scikit-like brute force, figures against their definitions, the verb on a small model."""

from __future__ import annotations

import functools
import json
import math
import shutil
from pathlib import Path

import numpy as np
import pytest
import sacrebleu
import tomli_w

from demotic.adapt.calibrate import CalibrateOptions, fit_confidence, measure_quality
from demotic.adapt.check_confidence import check_confidence
from demotic.adapt.confidence import FILE, Confidence
from demotic.adapt.logistic import brier, calibration_error, fit_logistic
from demotic.adapt.signals import LIST, SIGNALS, SignalReader, signal_names
from demotic.base import DemoticError, read_lines
from demotic.base.errors import DemoticWarning
from demotic.base.options import load_toml
from demotic.cli.main import run
from demotic.decode import TranslationModel


def test_the_fit_is_where_the_gradient_vanishes():
    """Finite differences of the penalised likelihood, computed in another way, are 0 at the solution."""
    draw = np.random.default_rng(1)
    columns = draw.normal(2.0, 3.0, (200, 3))
    good = columns @ [1.0, -0.5, 0.0] + draw.normal(0, 2, 200) > 1
    found = fit_logistic(columns, good, l2=0.7)
    standard = (columns - columns.mean(axis=0)) / columns.std(axis=0)

    def loss(parameters: np.ndarray) -> float:
        p = 1 / (1 + np.exp(-(standard @ parameters[:3] + parameters[3])))
        return float(-np.log(np.where(good, p, 1 - p)).sum() + 0.35 * (parameters[:3] ** 2).sum())

    at = np.append(found.weights, found.intercept)
    for i in range(4):
        step = np.eye(4)[i] * 1e-4
        assert (loss(at + step) - loss(at - step)) / 2e-4 == pytest.approx(0, abs=1e-2)
    assert found.probabilities(columns).mean() == pytest.approx(good.mean(), abs=1e-4)


def test_all_good_gives_a_constant():
    found = fit_logistic(np.ones((8, 2)), np.ones(8, dtype=bool))
    assert found.probabilities(np.array([[5.0, 5.0]]))[0] == pytest.approx(0.9)


def test_figures_follow_their_definitions():
    values, good = np.array([0.2, 0.8] * 50), np.array([False, True] * 50)
    assert brier(values, good) == pytest.approx(0.04)
    assert calibration_error(values, good) == pytest.approx(0.2)
    assert calibration_error(np.full(100, 0.5), good) == pytest.approx(0.0, abs=0.11)


def test_signals_that_tell_are_used():
    draw = np.random.default_rng(2)
    signals = draw.normal(size=(400, len(SIGNALS)))
    quality = 0.6 + 0.2 * signals[:, 0] + draw.normal(0, 0.05, 400)
    found = fit_confidence(SIGNALS, signals, quality, CalibrateOptions())
    assert found.calibration.brier < 0.5 * found.calibration.brier_of_constant
    assert found.calibration.calibration_error < 0.1
    assert np.argmax(np.abs(found.logistic.weights)) == 0
    assert (
        found.thresholds["80"].probability
        <= found.thresholds["90"].probability
        <= found.thresholds["95"].probability
    )


def test_a_precision_out_of_reach_has_no_threshold():
    draw = np.random.default_rng(3)
    signals, quality = draw.normal(size=(400, len(SIGNALS))), draw.uniform(0, 1, 400)
    found = fit_confidence(SIGNALS, signals, quality, CalibrateOptions())
    assert dict(found.thresholds) == {}
    assert found.to_json()["thresholds"] == {"80": None, "90": None, "95": None}


def test_signals_are_those_of_the_best_translation(model_folder: Path, corpus: Path):
    """Agreement by sacrebleu's chrF, features from the text of the list."""
    model = TranslationModel(model_folder)
    words = model.preprocessor.words((corpus / "test.de").read_text("utf-8").splitlines()[2], "source")
    kbest = model.decoder.decode(words).kbest(LIST, unique=True)
    names = signal_names(model.decoder.dense)
    assert len(set(names)) == len(names) > len(SIGNALS)
    found = dict(zip(names, SignalReader(model).read(words, kbest), strict=True))
    shares = np.exp(3 * (kbest.scores - kbest.scores[0]) / np.linalg.norm(model.weights.values))
    best, *_ = texts = [" ".join(kbest.sentence(i)) for i in range(len(kbest))]
    alike = [sacrebleu.sentence_chrf(text, [best]).score / 100 for text in texts]
    assert found["agreement"] == pytest.approx(np.average(alike, weights=shares), abs=1e-6)
    features = dict(each.split("=") for each in kbest.to_text(0).splitlines()[0].split(" ||| ")[2].split())
    for name in names[len(SIGNALS) :]:
        assert found[name] == pytest.approx(float(features.get(name, 0)) / len(words), abs=1e-4)


def test_calibrate_and_translate(
    model_folder: Path, corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    folder = tmp_path / "model"
    shutil.copytree(model_folder, folder)
    text = corpus / "test.de"
    command = ["translate", str(folder), "--input", str(text)]
    assert run([*command, "--confidence"]) == 1
    assert "the model is not calibrated" in capsys.readouterr().err
    assert run(["calibrate", str(folder), "--sentences", "60", "--json", "--threads", "1"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["sentences"] == 60
    assert set(result["thresholds"]) == {"80", "90", "95"}
    assert 0 <= result["brier"] <= 1
    first = (folder / FILE).read_bytes()
    assert run(["calibrate", str(folder), "--sentences", "60", "--threads", "2"]) == 0
    assert (folder / FILE).read_bytes() == first  # for any number of threads
    capsys.readouterr()
    assert run(command) == 0
    plain = capsys.readouterr().out.splitlines()
    assert run([*command, "--confidence"]) == 0
    parts = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert [text for _, text in parts] == plain
    assert all(0 <= float(sure) <= 1 for sure, _ in parts)
    model = TranslationModel(folder)
    lines, references = ((corpus / f"test.{side}").read_text("utf-8").splitlines() for side in ("de", "en"))
    signals, quality = measure_quality(model, lines, [references], CalibrateOptions(), 1)
    confidence = Confidence.load(model)
    assert [f"{confidence.probability(row):.3f}" for row in signals] == [sure for sure, _ in parts]
    assert ((quality >= 0) & (quality <= 1)).all()
    checked = check_confidence(model, lines, [references], 1)
    values, good = confidence.logistic.probabilities(signals), quality >= 0.6
    assert checked.brier == pytest.approx(np.mean((values - good) ** 2))
    assert checked.brier_of_constant == pytest.approx(np.mean((confidence.calibration.good - good) ** 2))
    assert sum(point.sentences for point in checked.curve) == len(lines)
    assert sum(point.sentences * point.good for point in checked.curve) == pytest.approx(good.sum())
    for at in checked.thresholds:
        assert at.probability is None or at.sentences == (values >= at.probability).sum()
    option = f"mine={text},{corpus / 'test.en'}"
    picture = tmp_path / "curve.svg"
    command = ["calibrate", str(folder), "--check", option, "--curve", str(picture), "--threads", "1"]
    assert run([*command, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["mine"] == json.loads(json.dumps(checked.to_json()))
    assert picture.stat().st_size > 0
    assert (folder / FILE).read_bytes() == first  # nothing is fitted
    assert run(["calibrate", str(folder), "--check", "mine=only"]) == 2
    assert run(["calibrate", str(folder), "--curve", str(picture)]) == 2
    with (folder / "weights.txt").open("a") as file:
        file.write("Other 1.0\n")
    with pytest.warns(DemoticWarning, match="the weights of the model have changed"):
        Confidence.load(model)
    (folder / FILE).write_text("[signals.posterior]\nmean = 1.0\n")
    with pytest.raises(DemoticError, match="calibrated by another version"):
        Confidence.load(model)
    (folder / FILE).write_text("intercept = 1.0\n")
    with pytest.raises(DemoticError, match=r"confidence\.toml: the file is damaged"):
        Confidence.load(model)


def test_calibrate_on_text_of_ones_own(
    model_folder: Path, corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """What is fitted is the regression on signals and chrF of these very lines."""
    folder, lines = shutil.copytree(model_folder, tmp_path / "model"), []
    for side in ("de", "en"):
        lines.append([*read_lines(corpus / f"devtest.{side}"), *read_lines(corpus / f"dev.{side}")] * 2)
        (tmp_path / f"own.{side}").write_text("".join(f"{line}\n" for line in lines[-1]), "utf-8")
    command = ["calibrate", str(folder), "--threads", "1", "--src", str(tmp_path / "own.de")]
    assert run(command) == 2
    assert run([*command, "--ref", str(tmp_path / "own.en")]) == 0
    model = TranslationModel(folder)
    signals, quality = measure_quality(model, lines[0], [lines[1]], CalibrateOptions(), 1)
    expected = fit_logistic(signals, quality >= 0.6)
    found = Confidence.load(model)
    assert found.calibration.sentences == len(lines[0])
    assert found.logistic.probabilities(signals) == pytest.approx(expected.probabilities(signals))
    capsys.readouterr()
    few = [str(corpus / "test.de"), "--ref", str(corpus / "test.en")]
    assert run([*command[:-1], *few]) == 1
    assert "the text has 20 lines; calibrating needs 50" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("calibration.threshold", "high"),
        ("calibration.sentences", math.inf),
        ("signals.margin.deviation", 0),
        ("signals.margin.mean", math.nan),
        ("intercept", "x"),
        ("thresholds.80.probability", []),
    ],
)
def test_numbers_that_are_none_are_damage(model_folder: Path, tmp_path: Path, place: str, value: object):
    folder = shutil.copytree(model_folder, tmp_path / "model")
    model = TranslationModel(folder)
    names = signal_names(model.decoder.dense)
    draw = np.random.default_rng(4)
    signals = draw.normal(size=(400, len(names)))
    fit_confidence(names, signals, signals[:, 0] + 0.5, CalibrateOptions()).save(model)
    assert Confidence.load(model).calibration.sentences == 400
    values = load_toml(folder / FILE)
    *tables, key = place.split(".")
    functools.reduce(dict.__getitem__, tables, values)[key] = value
    (folder / FILE).write_text(tomli_w.dumps(values), "utf-8")
    with pytest.raises(DemoticError, match="the file is damaged"):
        Confidence.load(model)
