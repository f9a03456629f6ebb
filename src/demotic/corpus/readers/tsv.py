"""Tab-separated parallel text."""

from __future__ import annotations

from collections.abc import Iterator

from demotic.base.errors import DemoticError
from demotic.base.files import Pathish, read_lines
from demotic.corpus.readers.pair import Pair


def read_tsv(path: Pathish, source_column: int = 0, target_column: int = 1) -> Iterator[Pair]:
    """Yield two columns (0-based) of a tab-separated file. There is no quoting: a tab always ends a cell."""
    needed = max(source_column, target_column) + 1
    for number, line in enumerate(read_lines(path), start=1):
        cells = line.split("\t")
        if len(cells) < needed:
            raise DemoticError(
                f"expected at least {needed} columns (got {len(cells)})",
                path,
                number,
                "separate columns by one tab: source TAB target",
            )
        yield Pair(cells[source_column], cells[target_column], number)
