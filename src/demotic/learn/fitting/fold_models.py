"""Language models that have not seen a fold of the training data, made from the index's own target side."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from demotic.base.files import Pathish, atomic_write, read_lines
from demotic.base.options import options_to_dict
from demotic.corpus.splits import folds
from demotic.decode import TranslationModel
from demotic.decode.additions import ADDITIONS
from demotic.decode.model_folder import INDEX, LM
from demotic.learn.learner import LearnSettings
from demotic.lm import LanguageModel, train_folds


def train_fold_models(model: TranslationModel, n: int, settings: LearnSettings) -> Path | None:
    """A folder with `lm.0.bin`, ...: model i of all sentences outside fold i and all monolingual text. None for n = 0.

    An LM that has seen the translation of a sentence likes it too well and gains weight for that alone; Flanigan, Dyer and
    Carbonell (2013), section 5.1, train on folds for this reason. Order, pruning and vocabulary are those of the model's own LM.
    """
    if n == 0:
        return None
    options = replace(model.options.lm, order=model.lm.order)
    fold_of = folds(len(model.index), n, settings.seed)

    def work(folder: Path) -> None:
        text = folder / "target.txt"
        with atomic_write(text) as file:
            file.writelines(" ".join(model.index.target(i)) + "\n" for i in range(len(model.index)))
        mono = [] if model.mono is None else [model.mono]
        # The vocabulary options refer to the whole text, so what they leave of it are the words of the model's own LM.
        known = options
        if options.vocab_size or options.vocab_from:
            _write_vocabulary(model.lm, [text, *mono], folder / "words.txt")
            known = replace(options, vocab_size=0, vocab_from=(folder / "words.txt",))
        train_folds(text, fold_of, known, folder / "models", extra=mono)
        text.unlink()
        (folder / "words.txt").unlink(missing_ok=True)
        for path in (folder / "models").iterdir():
            path.rename(folder / path.name)
        (folder / "models").rmdir()

    key = {
        "folds": n,
        "lm": {**options_to_dict(options), "vocab_from": []},
        "vocab_from": settings.run.digests.of(model.folder / LM) if options.vocab_from else "",
        "seed": settings.seed,
        "index": settings.run.digests.of(model.folder / INDEX),
        **({"additions": settings.run.digests.of(log)} if (log := model.part(ADDITIONS)) else {}),
        "mono": settings.run.digests.of(model.mono) if model.mono else "",
    }
    return (settings.shared or settings.run).stage("fold_models", work, options=key, inputs={})


def _write_vocabulary(lm: LanguageModel, texts: Iterable[Pathish], out: Path) -> None:
    """The words of some texts that a model knows."""
    words = {word for text in texts for line in read_lines(text) for word in line.split(" ")}
    with atomic_write(out) as file:
        file.writelines(word + "\n" for word in sorted(words) if word in lm)
