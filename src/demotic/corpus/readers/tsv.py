"""Tab-separated parallel text."""

from __future__ import annotations

from collections.abc import Iterator

from demotic.base.errors import DemoticError
from demotic.base.files import Pathish, read_lines
from demotic.corpus.readers.pair import Pair


def read_tsv(path: Pathish) -> Iterator[Pair]:
    """Yield the first two columns of a tab-separated file. There is no quoting: a tab always ends a cell."""
    for number, line in enumerate(read_lines(path), start=1):
        cells = line.split("\t")
        if len(cells) < 2:
            raise DemoticError(
                f"expected at least 2 columns (got {len(cells)})",
                path,
                number,
                "separate columns by one tab: source TAB target",
            )
        yield Pair(cells[0], cells[1], number)
