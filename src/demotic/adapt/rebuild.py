"""The pairs of an index as text again, and an index file made of them."""

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
from demotic.decode.additions import index_name
from demotic.grammar import GrammarIndex, index_files


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
