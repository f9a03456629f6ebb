"""Tables of a page: captions, column headings that sort, figures right-aligned."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from demotic.base.errors import DemoticError
from demotic.base.tables import figure
from demotic.report.parts import Bar, Cell, Table

# 27.3, -1,204.5*, ±0.2, <0.001, 1e-05, 12% ...: what a cell of figures may look like.
_NUMBER = re.compile(r"[<>≤≥~±*†‡^\s]*([-+−]?\d[\d,]*\.?\d*(?:[eE][-+]?\d+)?)(?![\w])")


@dataclass(frozen=True)
class CellView:
    """A cell as it stands in the page.

    Attributes:
        text: what it says.
        numeric: whether its column holds figures.
        sort: the number that it sorts by; None: by its text.
        bar: shown instead of the text.
    """

    text: str
    numeric: bool
    sort: str | None = None
    bar: Bar | None = None


@dataclass(frozen=True)
class TableView:
    """A table as it stands in the page; the attributes are those of `Table`, checked and with cells as text."""

    caption: str
    headings: Sequence[tuple[str, bool]]  # and whether the column holds figures
    rows: Sequence[Sequence[CellView]]
    note: str
    spans: Sequence[tuple[str, int]]
    rules: Sequence[int]
    collapsed: bool


def table_view(table: Table) -> TableView:
    """What `table.html` shows of a table."""
    width = len(table.header)
    for row in table.rows:
        if len(row) != width:
            raise DemoticError(f"table '{table.caption}': a row has {len(row)} cells, the header {width}")
    if table.spans and sum(columns for _, columns in table.spans) != width:
        raise DemoticError(f"table '{table.caption}': the spans do not cover its {width} columns")
    numeric = [_is_numeric([row[i] for row in table.rows]) for i in range(width)]
    return TableView(
        table.caption,
        list(zip(table.header, numeric, strict=True)),
        [[_cell_view(*pair) for pair in zip(row, numeric, strict=True)] for row in table.rows],
        table.note,
        table.spans,
        table.rules,
        table.collapsed,
    )


def sort_key(cell: Cell) -> str | None:
    """The number that a cell sorts by; None: by its text."""
    if cell is None or isinstance(cell, bool | Bar):
        return None
    if isinstance(cell, int | float):
        return repr(cell)
    match = _NUMBER.match(cell)
    return match[1].replace(",", "").replace("−", "-") if match else None


def _cell_view(cell: Cell, numeric: bool) -> CellView:
    if isinstance(cell, Bar):
        return CellView("", numeric, bar=cell)
    return CellView("" if cell is None else figure(cell), numeric, sort_key(cell) if numeric else None)


def _is_numeric(column: Sequence[Cell]) -> bool:
    """Whether every cell that says something is a figure; a dash says nothing."""
    filled = [cell for cell in column if cell not in (None, "", "-", "–", "—")]
    return bool(filled) and all(sort_key(cell) is not None for cell in filled)
