"""A saved alignment model: links of pairs that were not in the training text."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from demotic import _core
from demotic.align.options import AlignOptions, Heuristic
from demotic.align.pharaoh import Link, format_links, format_probabilities
from demotic.base.errors import DemoticError, warn
from demotic.base.files import Pathish, atomic_write, make_folder
from demotic.base.progress import Progress
from demotic.corpus.readers import read_parallel
from demotic.corpus.text import split_words

ALIGN_MODEL = "align.bin"  # its name in a model folder
_MOSTLY_UNKNOWN = 0.5  # share of the words of one side that is worth a warning


@dataclass(frozen=True)
class ScoredLinks:
    """Links of a pair, sorted, and their posterior probabilities: the mean of both directions."""

    links: list[Link]
    probabilities: list[float]


class AlignmentModel:
    """Aligns new pairs with what was learnt from a corpus, in well under a millisecond each.

    Args:
        path: an `align.bin`, or a model folder that has one.
    """

    def __init__(self, path: Pathish) -> None:
        file = Path(path)
        if file.is_dir():
            file = file / ALIGN_MODEL
            if not file.exists():
                raise DemoticError(
                    f"the model has no {ALIGN_MODEL}", path, hint="train it again with the aligner `gibbs`"
                )
        self._native = _core.AlignmentModel(str(file))
        self.path = file

    def align(self, source: str, target: str, heuristic: Heuristic = AlignOptions.symmetrize) -> ScoredLinks:
        """Align one pair of tokenised sentences; the result does not depend on what was aligned before."""
        links, probabilities = self._native.align(source, target, heuristic)
        return ScoredLinks([(i, j) for i, j in links.tolist()], probabilities.tolist())

    def unknown(self, words: Iterable[str], *, is_source: bool) -> int:
        """How many of these words are not in the model."""
        asked = list(words)
        return len(asked) - self._native.known(asked, is_source)


def align_with(
    model: AlignmentModel,
    source: Pathish,
    target: Pathish,
    out: Pathish,
    heuristic: Heuristic = AlignOptions.symmetrize,
    probabilities: Pathish | None = None,
) -> int:
    """Align tokenised files with a saved model; returns the number of links.

    Args:
        model: of the same languages, in the same direction.
        source: tokenised text, no empty lines.
        target: as many lines.
        out: the alignment file, in Pharaoh format.
        heuristic: that combines the two directions.
        probabilities: file for the posterior probabilities of the links, in their order.
    """
    total = 0
    words, unknown = [0, 0], [0, 0]
    make_folder(Path(out).parent)
    with Progress("align", unit="pairs") as bar, atomic_write(out) as file, _file(probabilities) as scores:
        for pair in read_parallel(source, target, tokenized=True, empty=False):
            found = model.align(pair.source, pair.target, heuristic)
            total += len(found.links)
            file.write(format_links(found.links) + "\n")
            if scores:
                scores.write(format_probabilities(found.probabilities) + "\n")
            for side, text in enumerate((pair.source, pair.target)):
                here = split_words(text)
                words[side] += len(here)
                unknown[side] += model.unknown(here, is_source=side == 0)
            bar.advance()
        if words[0] == 0:
            raise DemoticError("the file is empty", source)
    for side, path in enumerate((source, target)):
        if unknown[side] > _MOSTLY_UNKNOWN * words[side]:
            warn(
                f"{path}: {unknown[side] / words[side]:.0%} of the words are not in {model.path}; is it a model of other "
                "languages, of the other direction, or of text that was prepared in another way?"
            )
    return total


def _file(path: Pathish | None) -> IO[str] | nullcontext[None]:
    return atomic_write(path) if path is not None else nullcontext()  # type: ignore[return-value]
