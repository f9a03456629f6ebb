"""Language models that have not seen a fold of the training data, made from the index's own target side."""

from __future__ import annotations

from pathlib import Path

from demotic.base.files import atomic_write
from demotic.corpus.splits import folds
from demotic.decode import TranslationModel
from demotic.decode.model import INDEX
from demotic.learn.learner import LearnSettings
from demotic.lm import LmOptions, train_folds


def train_fold_models(model: TranslationModel, n: int, settings: LearnSettings) -> Path | None:
    """A folder with `lm.0.bin`, ...: model i of all sentences outside fold i. None for n = 0.

    An LM that has seen the translation of a sentence likes it too well and gains weight for that alone; Flanigan, Dyer and
    Carbonell (2013), section 5.1, train on folds for this reason.
    """
    if n == 0:
        return None
    options = LmOptions(order=model.lm.order)
    fold_of = folds(len(model.index), n, settings.seed)

    def work(folder: Path) -> None:
        text = folder / "target.txt"
        with atomic_write(text) as file:
            file.writelines(" ".join(model.index.target(i)) + "\n" for i in range(len(model.index)))
        train_folds(text, fold_of, options, folder / "models")
        text.unlink()
        for path in (folder / "models").iterdir():
            path.rename(folder / path.name)
        (folder / "models").rmdir()

    key = {
        "folds": n,
        "order": options.order,
        "seed": settings.seed,
        "index": settings.run.digests.of(model.folder / INDEX),
    }
    return (settings.shared or settings.run).stage("fold_models", work, options=key, inputs={})
