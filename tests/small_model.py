"""A small model of the embedded corpus, made once for all tests that tune or translate."""

from __future__ import annotations

import fcntl
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tomli_w

from demotic.align import AlignOptions
from demotic.base.files import atomic_write
from demotic.base.options import load_toml
from demotic.corpus.embedded import EmbeddedOptions, write
from demotic.decode import DecodeOptions, TranslationModel
from demotic.grammar import ExtractOptions
from demotic.pipeline.train import train
from demotic.pipeline.train_options import TrainInput, TrainOptions


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Raw text: train, dev, devtest, test."""
    folder = tmp_path_factory.mktemp("small-corpus")
    write(folder, EmbeddedOptions(train=400, dev=24, devtest=20, test=20))
    return folder


@pytest.fixture(scope="session")
def model_folder(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A trained model with weights by hand; the other processes of pytest get a copy."""
    folder = tmp_path_factory.mktemp("small-model")
    made = made_once(tmp_path_factory, "small-model", lambda path: make_model(corpus, path))
    shutil.copytree(made, folder, dirs_exist_ok=True)
    return folder


EXACT = ExtractOptions(max_samples=0)
QUICK_ALIGNER = AlignOptions(
    iterations=0.2
)  # ours: those of sil-thot are processes of their own, which takes longer


@pytest.fixture(scope="session")
def learnable(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model with an alignment model, which can align new pairs, without sampling; nobody changes it."""
    options = TrainOptions(align=QUICK_ALIGNER, grammar=EXACT)

    def make(folder: Path) -> None:
        train(TrainInput(corpus / "train.de", corpus / "train.en"), folder, options)

    return made_once(tmp_path_factory, "learnable-model", make)


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """A folder that the first process of this run of pytest to need it makes, while others wait; nobody changes it."""
    workers_folder = factory.getbasetemp()  # of one of several processes: inside the folder of the whole run
    root = workers_folder.parent if workers_folder.name.startswith("popen-") else workers_folder
    folder, done = root / f"once-{name}", root / f"once-{name}.done"
    with open(root / f"once-{name}.lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            make(folder)
            done.touch()
    return folder


def make_model(corpus: Path, folder: Path, **options: Any) -> Path:
    """Train quickly on a corpus, without tuning; options of training by name.

    Every word may be copied, as in cdec: with so few pairs that leaves learners more to choose from.
    """
    quick = TrainOptions(**{"align": AlignOptions("fast_align"), "decode": DecodeOptions(), **options})
    train(TrainInput(corpus / "train.de", corpus / "train.en"), folder, quick)
    return folder


TEMPLATES = ("id", "src_ngram", "shape")


@pytest.fixture(scope="session")
def sparse_model_folder(model_folder: Path, corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same model with weights for some of the sparse features that a few sentences have."""
    folder = tmp_path_factory.mktemp("sparse-model") / "model"
    shutil.copytree(model_folder, folder)
    values = load_toml(folder / "model.toml")
    with atomic_write(folder / "model.toml") as file:
        file.write(tomli_w.dumps({**values, "features": {"templates": list(TEMPLATES)}}))
    model = TranslationModel(folder)
    decoder = model.decoder.with_weights(model.weights)
    lines = (corpus / "dev.de").read_text("utf-8").splitlines()[:4]
    list(decoder.kbest((" ".join(model.preprocessor.words(line, "source")) for line in lines), 10, threads=1))
    weights = decoder.weights
    dense = len(weights.values)
    weights.grow()
    weights.values[dense::2] = 0.01 * (np.arange(len(weights.values[dense::2])) % 7 - 3)
    weights.save(folder / "weights.txt")
    return folder


def contents(model: Path) -> dict[str, bytes]:
    """Everything but the log of times and the lock."""
    paths = [
        path for path in model.rglob("*") if path.is_file() and path.name not in ("metrics.jsonl", ".lock")
    ]
    return {str(path.relative_to(model)): path.read_bytes() for path in paths}
