"""Confidence: the regression against scikit-like brute force, figures against their definitions, the verb on a small model."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic.adapt.calibrate import CalibrateOptions, fit_confidence, measure_quality
from demotic.adapt.confidence import FILE, SIGNALS, Confidence
from demotic.adapt.logistic import brier, calibration_error, fit_logistic, threshold_for
from demotic.base import DemoticError
from demotic.base.errors import DemoticWarning
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


probabilities = st.lists(
    st.tuples(st.sampled_from([0.1, 0.25, 0.5, 0.7, 0.9]), st.booleans()), min_size=1, max_size=30
)


@settings(max_examples=50, deadline=None)
@given(probabilities, st.sampled_from([0.5, 0.8, 0.95]))
def test_thresholds_by_precision_are_the_lowest_that_suffice(pairs, precision):
    values, good = (np.array(column) for column in zip(*pairs, strict=True))
    found = threshold_for(precision, values, good)
    enough = [t for t in sorted(set(values)) if good[values >= t].mean() >= precision]
    assert found == (enough[0] if enough else 1.0)


def test_figures_follow_their_definitions():
    values, good = np.array([0.2, 0.8] * 50), np.array([False, True] * 50)
    assert brier(values, good) == pytest.approx(0.04)
    assert calibration_error(values, good) == pytest.approx(0.2)
    assert calibration_error(np.full(100, 0.5), good) == pytest.approx(0.0, abs=0.11)


def test_signals_that_tell_are_used():
    draw = np.random.default_rng(2)
    signals = draw.normal(size=(400, len(SIGNALS)))
    quality = 0.6 + 0.2 * signals[:, 0] + draw.normal(0, 0.05, 400)
    found = fit_confidence(signals, quality, CalibrateOptions())
    assert found.calibration.brier < 0.5 * found.calibration.brier_of_constant
    assert found.calibration.calibration_error < 0.1
    assert np.argmax(np.abs(found.logistic.weights)) == 0
    assert found.thresholds["80"] <= found.thresholds["90"] <= found.thresholds["95"]


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
    with (folder / "weights.txt").open("a") as file:
        file.write("Other 1.0\n")
    with pytest.warns(DemoticWarning, match="the weights of the model have changed"):
        Confidence.load(model)
    (folder / FILE).write_text("intercept = 1.0\n")
    with pytest.raises(DemoticError, match=r"confidence\.toml: the file is damaged"):
        Confidence.load(model)
