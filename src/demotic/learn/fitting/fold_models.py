"""Language models that have not seen a fold of the training data, made from the index's own target side."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from demotic.base.files import Pathish, atomic_write, read_lines
from demotic.base.options import options_to_dict
from demotic.corpus.splits import folds
from demotic.decode import TranslationModel
from demotic.decode.additions import ADDITIONS
from demotic.decode.model_folder import INDEX, LM
from demotic.learn.learner import LearnSettings
from demotic.lm import LanguageModel, LmOptions, train_folds
from demotic.lm.class_models import train_class_folds


def train_fold_models(model: TranslationModel, n: int, settings: LearnSettings) -> Path | None:
    """A folder with `lm.0.bin`, ...: model i of all sentences outside fold i and all monolingual text. None for n = 0.

    Beside them lie `lm.class200.0.bin`, ... if the model has language models over word classes. Their classes stay those of the
    whole text: they say which words are alike, not which follow each other in a sentence.

    An LM that has seen the translation of a sentence likes it too well and gains weight for that alone; Flanigan, Dyer and
    Carbonell (2013), section 5.1, train on folds for this reason. Order, pruning and vocabulary are those of the model's own LM.
    """
    if n == 0:
        return None
    options = replace(model.options.lm, order=model.lm.order)
    of_classes = model.options.class_lm
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
        _move_models(folder / "models", "lm")
        for further in model.lms.further:
            assert further.classes is not None
            train_class_folds(
                text, further.classes, fold_of, of_classes.of_model(), folder / "models", extra=mono
            )
            _move_models(folder / "models", further.name)
        text.unlink()
        (folder / "words.txt").unlink(missing_ok=True)

    return (settings.shared or settings.run).stage(
        "fold_models", work, options=_key(model, n, options, settings), inputs={}
    )


def _key(model: TranslationModel, n: int, options: LmOptions, settings: LearnSettings) -> dict[str, Any]:
    """All that the models of folds depend on: the text with what was added to it, the folds, options, and word classes."""
    digests, of_classes = settings.run.digests, model.options.class_lm
    classes = [digests.of(model.class_files(size)[1]) for size in of_classes.classes]
    return {
        "folds": n,
        "lm": {**options_to_dict(options), "vocab_from": []},
        "vocab_from": digests.of(model.folder / LM) if options.vocab_from else "",
        "seed": settings.seed,
        "index": digests.of(model.folder / INDEX),
        **({"additions": digests.of(log)} if (log := model.part(ADDITIONS)) else {}),
        "mono": digests.of(model.mono) if model.mono else "",
        **({"class_lm": options_to_dict(of_classes), "classes": classes} if classes else {}),
    }


def _move_models(source: Path, name: str) -> None:
    """`lm.0.bin`, ... to the folder above, under another name."""
    for path in source.iterdir():
        path.rename(source.parent / path.name.replace("lm", name, 1))
    source.rmdir()


def _write_vocabulary(lm: LanguageModel, texts: Iterable[Pathish], out: Path) -> None:
    """The words of some texts that a model knows."""
    words = {word for text in texts for line in read_lines(text) for word in line.split(" ")}
    with atomic_write(out) as file:
        file.writelines(word + "\n" for word in sorted(words) if word in lm)
