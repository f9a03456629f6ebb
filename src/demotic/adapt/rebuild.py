"""The pairs of an index as text again, and what is made of them: an index file, language models."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from demotic.align.pharaoh import format_links
from demotic.base.files import atomic_write
from demotic.base.progress import Progress
from demotic.decode import TranslationModel
from demotic.decode.additions import index_name
from demotic.decode.model_folder import LM
from demotic.grammar import GrammarIndex, index_files
from demotic.lm import LmOptions, train
from demotic.lm.class_models import train_class_model


@dataclass(frozen=True)
class PairFiles:
    """Tokenised text, line by line, and its alignment."""

    source: Path
    target: Path
    links: Path


def write_pairs(index: GrammarIndex, numbers: Iterable[int], folder: Path) -> PairFiles:
    """Write pairs of an index as text. Pairs that are too long for the index are not in it, so they are left out here, too."""
    files = PairFiles(folder / "train.src", folder / "train.tgt", folder / "train.align")
    with (
        Progress("pairs", unit="pairs") as bar,
        atomic_write(files.source) as source,
        atomic_write(files.target) as target,
        atomic_write(files.links) as links,
    ):
        for number in numbers:
            bar.advance()
            if not (words := index.source(number)):
                continue
            source.write(" ".join(words) + "\n")
            target.write(" ".join(index.target(number)) + "\n")
            links.write(format_links(index.links(number)) + "\n")
    return files


def train_language_models(
    model: TranslationModel, target: Path, options: LmOptions, folder: Path, threads: int = 0
) -> dict[str, Path]:
    """Train the language models of a model on other text; those over word classes keep their classes.

    Args:
        model: which ones, and the monolingual text that belongs to them.
        target: tokenised text in the place of the target side of the training text.
        options: of the model of words.
        folder: for the files.
        threads: 0: all cores.

    Returns:
        The files by their names in a model folder.
    """
    mono = [model.mono] if model.mono else []
    found = {LM: folder / LM}
    train([target], options, found[LM], extra=mono, threads=threads)
    for further in model.lms.further:
        assert further.classes is not None
        name, of_model = f"{further.name}.bin", model.options.class_lm.of_model()
        found[name] = folder / name
        train_class_model([target], further.classes, of_model, found[name], extra=mono, threads=threads)
    return found


@contextmanager
def merged_index(index: GrammarIndex, path: Path) -> Iterator[MergedIndex]:
    """An index file of all pairs, added ones too, beside the old one; it is removed when the block ends, unless it was published."""
    with tempfile.TemporaryDirectory(dir=path.parent, prefix="merge.") as folder:
        files = write_pairs(index, range(len(index)), Path(folder))
        merged = Path(folder) / path.name
        index_files(files.source, files.target, files.links, merged)
        yield MergedIndex(merged, path)


@dataclass(frozen=True)
class MergedIndex:
    """An index file that waits to take the place of another."""

    file: Path
    place: Path

    @property
    def name(self) -> str:
        """What a log calls it. Write it down first: whoever opens the model sees by the file which of both it is."""
        return index_name(self.file)

    def publish(self) -> None:
        """Take the place."""
        os.replace(self.file, self.place)
