"""`demotic translate MODEL FILE...`: files by their format."""

from __future__ import annotations

from pathlib import Path

from demotic.base.errors import DemoticError
from demotic.base.files import make_folder
from demotic.base.progress import Progress
from demotic.corpus.formats import Document, read_document
from demotic.decode import TranslationModel
from demotic.decode.documents import NO_REVIEW, REVIEW_ALL, Review, translate_document


def translate_files(
    model: TranslationModel, files: list[Path], folder: Path | None, review: Review, threads: int
) -> None:
    """Write a translation of each file.

    Args:
        model: of the language pair.
        files: of known formats.
        folder: where they go under their own names; None: beside the originals, as `name.LANGUAGE.suffix`.
        review: which translations are marked for a person to check, where the format can.
        threads: number of threads.
    """
    options = model.options.prepare
    targets = _targets(files, folder, options.target_language)
    # All are read before the first is written: a mistake in the last one is told at once.
    documents = [read_document(file, options.source_language, options.target_language) for file in files]
    if folder is not None:
        make_folder(folder)
    with Progress("translate", total=sum(len(each.slots) for each in documents), unit="segments") as bar:
        for document, target in zip(documents, targets, strict=True):
            _check(document, target)
            document.write(target, translate_document(model, document, threads, review))
            bar.advance(len(document.slots))


def review_of(model: TranslationModel, everything: bool, below: float | None) -> Review:
    """All translations, those that are good enough with less than this probability, or none."""
    if everything:
        return REVIEW_ALL
    if below is None:
        return NO_REVIEW
    from demotic.adapt.confidence import ConfidentModel
    from demotic.adapt.signals import LIST

    probability = ConfidentModel(model).probability
    return Review(lambda sentence, kbest: probability(sentence, kbest) < below, LIST)


def _targets(files: list[Path], folder: Path | None, language: str) -> list[Path]:
    targets = [
        file.with_name(f"{file.stem}.{language}{file.suffix}") if folder is None else folder / file.name
        for file in files
    ]
    for number, target in enumerate(targets):
        if target in targets[:number]:
            raise DemoticError(
                f"two files would be written to {target}", hint="translate them into different folders"
            )
    return targets


def _check(document: Document, target: Path) -> None:
    if target.exists() and target.samefile(document.path):
        raise DemoticError(
            "the translation would overwrite the original", document.path, hint="give another --output-dir"
        )
