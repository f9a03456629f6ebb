"""A model without some of its training pairs, as if they had never been there."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from demotic.adapt.rebuild import train_language_models, write_pairs
from demotic.base.errors import DemoticError
from demotic.base.files import Pathish, make_folder
from demotic.decode import TranslationModel
from demotic.decode.additions import ADDITIONS
from demotic.decode.model_folder import ALIGN, BINS, CLASSES, INDEX, MONO, ModelFolder
from demotic.grammar import index_files


@dataclass(frozen=True)
class Forgotten:
    """What was done.

    Attributes:
        pairs: that are gone.
        left: that remain.
        not_exact: what still depends on the forgotten pairs, a sentence each.
    """

    pairs: int
    left: int
    not_exact: tuple[str, ...]


def forget(model: TranslationModel, numbers: Collection[int], out: Pathish, threads: int = 0) -> Forgotten:
    """Write a model whose rules, lexical tables and language model are those of the other pairs alone.

    Pairs that were added to the model can be forgotten, too; those that stay become part of the new index.

    Args:
        model: stays as it is.
        numbers: of the pairs in the index, from 0.
        out: folder of the new model.
        threads: 0: all cores.

    Raises:
        DemoticError: if a pair does not exist, or none would be left.
    """
    index = model.index
    gone = set(numbers)
    if not gone:
        raise DemoticError("no pair to forget", model.folder, hint="check the line numbers, or the pattern")
    if not 0 <= min(gone) <= max(gone) < len(index):
        wrong = min(gone) if min(gone) < 0 else max(gone)
        raise DemoticError(f"there is no pair {wrong + 1:,}: the model has {len(index):,}", model.folder)
    left = [number for number in range(len(index)) if number not in gone]
    if not any(index.source(number) for number in left):
        raise DemoticError("no pair would be left", model.folder, hint="keep at least one pair")
    folder = make_folder(out)
    if folder.resolve() == model.folder.resolve():
        raise DemoticError("the new model must be in another folder", folder)
    with tempfile.TemporaryDirectory(dir=folder, prefix="forget.") as name:
        work = Path(name)
        files = write_pairs(index, left, work)
        index_files(files.source, files.target, files.links, work / INDEX, threads)
        models = train_language_models(model, files.target, model.options.lm, work, threads)
        parts = {**model.parts(), INDEX: work / INDEX, **models, ADDITIONS: None}
        ModelFolder(folder).write(model.values, parts, model.preprocessor, model.weights)
    return Forgotten(len(gone), len(left), tuple(_not_exact(model)))


def matching_pairs(model: TranslationModel, pattern: str) -> list[int]:
    """Numbers of the pairs with a side in which a regular expression is found; sides are prepared words with spaces between them.

    Raises:
        DemoticError: for an expression that is none.
    """
    try:
        expression = re.compile(pattern)
    except (
        re.error,
        OverflowError,
        RecursionError,
    ) as error:  # also a count of twenty digits, thousands of brackets
        raise DemoticError(f"'{pattern[:100]}' is not a regular expression: {error}") from None
    index = model.index
    return [
        number
        for number in range(len(index))
        if expression.search(" ".join(index.source(number)))
        or expression.search(" ".join(index.target(number)))
    ]


def _not_exact(model: TranslationModel) -> list[str]:
    notes = ["The links of the remaining pairs were found with the forgotten pairs in the text."]
    if model.part(ALIGN):
        notes.append("The alignment model was trained with the forgotten pairs.")
    notes.append("The weights were learnt with them; `demotic tune` learns new ones.")
    if model.part(BINS):
        notes.append(
            "The bins of features were chosen with them; `demotic tune --discretize` makes new ones."
        )
    if [path for path in model.folder.glob("*.txt") if path.name.startswith(("casing", "compounds"))]:
        notes.append("The tables of case and compounds were counted with them.")
    if any(model.folder.glob(CLASSES.format(side="*", size="*"))):
        notes.append("The word classes were made with them.")
    if model.part(MONO):
        notes.append("The monolingual text stays as it is, even where it has the same sentences.")
    if model.index.native.left_out:
        notes.append(
            "Pairs of more than 254 words a side were in the language model only; they are gone from it."
        )
    return notes
