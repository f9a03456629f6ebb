"""Line-aligned text in two files, and the choice of a reader by file name."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

from demotic.base.errors import DemoticError
from demotic.base.files import Pathish, read_lines
from demotic.corpus.readers.pair import Pair
from demotic.corpus.readers.po import read_po
from demotic.corpus.readers.tmx import read_tmx
from demotic.corpus.readers.tsv import read_tsv
from demotic.corpus.text import check_tokenized


def read_parallel(
    source: Pathish, target: Pathish, *, tokenized: bool = False, empty: bool = True
) -> Iterator[Pair]:
    """Yield line i of `source` with line i of `target`. Files of unequal length raise `DemoticError` with both counts.

    Args:
        source: a text file (plain, .gz, .xz).
        target: as many lines.
        tokenized: check that the text can be tokenised text: no tabs, no `|||`.
        empty: whether tokenised text may have empty lines.
    """
    for number, (left, right) in enumerate(zip_longest(read_lines(source), read_lines(target)), start=1):
        if left is None or right is None:
            raise _unequal(source, target)
        if tokenized:
            check_tokenized(left, source, number, empty=empty)
            check_tokenized(right, target, number, empty=empty)
        yield Pair(left, right, number)


def _unequal(source: Pathish, target: Pathish) -> DemoticError:
    counts = {str(path): sum(1 for _ in read_lines(path)) for path in (source, target)}
    (shorter, fewer), (longer, more) = sorted(counts.items(), key=lambda item: item[1])
    return DemoticError(
        f"{fewer:,} lines, but {longer} has {more:,}",
        shorter,
        fewer,
        "line N of one file must translate line N of the other; check for lost or split lines",
    )


def read_pairs(path: Pathish, source_language: str, target_language: str) -> Iterator[Pair]:
    """Read .tsv, .tmx or .po (also .gz, .xz) by the file's name; languages matter for TMX only."""
    suffixes = [suffix for suffix in Path(path).suffixes if suffix not in (".gz", ".xz")]
    kind = suffixes[-1] if suffixes else ""
    if kind == ".tmx":
        return read_tmx(path, source_language, target_language)
    if kind in (".po", ".pot"):
        return read_po(path)
    if kind in (".tsv", ".tab"):
        return read_tsv(path)
    raise DemoticError(
        "unknown format of parallel text",
        path,
        hint="give one .tsv, .tmx or .po file (.gz, .xz too), or --src and --tgt",
    )
