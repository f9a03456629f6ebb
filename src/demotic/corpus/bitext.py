"""A parallel corpus as ids in one memory-mapped file."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, zip_longest

from demotic._core import Bitext, BitextBuilder, Vocab
from demotic.base.errors import DemoticError
from demotic.base.files import Pathish, read_lines
from demotic.base.progress import Progress
from demotic.corpus.readers.parallel import read_parallel

__all__ = ["Bitext", "Vocab", "build_bitext"]

_BLOCK = 5000


def build_bitext(source: Pathish, target: Pathish, links: Pathish | None, out: Pathish) -> Bitext:
    """Store tokenised, line-aligned text and its word alignment as a `Bitext` file.

    Args:
        source: tokenised text (plain, .gz, .xz), no empty lines.
        target: as many lines.
        links: alignment in Pharaoh format (`0-0 1-2`), as many lines; None: not aligned.
        out: the file to write.
    """
    builder = BitextBuilder()
    with Progress("bitext", unit="pairs") as bar:
        for block in _blocks(_checked(source, target, links)):
            columns = ["\n".join(column).encode() + b"\n" for column in zip(*block, strict=True)]
            before = len(builder)
            try:
                builder.add_block(columns[0], columns[1], columns[2] if links is not None else None)
            except DemoticError as error:
                raise DemoticError(error.message, links or source, len(builder) + 1, error.hint) from error
            bar.advance(len(builder) - before)
    if len(builder) == 0:
        raise DemoticError("the file is empty", source)
    builder.write(str(out))
    return Bitext(str(out))


def _checked(source: Pathish, target: Pathish, links: Pathish | None) -> Iterator[tuple[str, str, str]]:
    link_lines = read_lines(links) if links is not None else iter(())
    pairs = read_parallel(source, target, tokenized=True, empty=False)
    for number, (pair, line) in enumerate(zip_longest(pairs, link_lines), start=1):
        if pair is None or (line is None and links is not None):
            raise DemoticError(
                "text and alignment differ in length from here on", links, number, "align these files again"
            )
        yield pair.source, pair.target, line or ""


def _blocks(rows: Iterator[tuple[str, str, str]]) -> Iterator[list[tuple[str, str, str]]]:
    while block := list(islice(rows, _BLOCK)):
        yield block
