"""A service around the small model."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import tomli_w
from starlette.testclient import TestClient

from demotic.adapt.confidence import Calibration, Confidence
from demotic.adapt.logistic import Logistic
from demotic.adapt.precision import Threshold
from demotic.adapt.signals import signal_names
from demotic.base.options import load_toml
from demotic.decode import TranslationModel
from demotic.serve import Service, make_app
from small_service import HOST, service_of


@pytest.fixture(scope="module")
def model(model_folder: Path) -> TranslationModel:
    return TranslationModel(model_folder)


@pytest.fixture(scope="module")
def service(model_folder: Path) -> Service:
    return service_of(model_folder)


@pytest.fixture(scope="module")
def client(service: Service) -> Iterator[TestClient]:
    with TestClient(make_app(service), HOST) as client:
        yield client


@pytest.fixture(scope="module")
def lines(corpus: Path) -> list[str]:
    return (corpus / "test.de").read_text("utf-8").splitlines()[:3]


@pytest.fixture(scope="session")
def calibrated(model_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the model, with a calibration that looks at the posterior and the number of words."""
    folder = tmp_path_factory.mktemp("calibrated") / "sure"
    shutil.copytree(model_folder, folder)
    model = TranslationModel(folder)
    names = signal_names(model.decoder.dense)
    weights = np.array([0.5 if name in ("posterior", "log_length") else 0.0 for name in names])
    logistic = Logistic(np.zeros(len(names)), np.ones(len(names)), weights, 0.25)
    calibration = Calibration("chrf", 0.6, 100, 0.5, 0.2, 0.25, 0.05)
    Confidence(names, logistic, calibration, {"80": Threshold(0.7, 0.2, 0.85, 0.8)}).save(model)
    return folder


@pytest.fixture(scope="session")
def french_folder(model_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same model under another name, which says that it translates French."""
    folder = tmp_path_factory.mktemp("models") / "french"
    shutil.copytree(model_folder, folder)
    values = load_toml(folder / "model.toml")
    values.setdefault("prepare", {})["source_language"] = "fr"
    (folder / "model.toml").write_text(tomli_w.dumps(values), "utf-8")
    return folder
