"""Tables of a page: captions, column headings that sort, figures right-aligned."""

from __future__ import annotations

import re
from collections.abc import Sequence

from demotic.base.errors import DemoticError
from demotic.base.tables import figure
from demotic.report.markup import Markup, element
from demotic.report.parts import Cell, Table

# 27.3, -1,204.5*, ±0.2, <0.001, 1e-05, 12% ...: what a cell of figures may look like.
_NUMBER = re.compile(r"[<>≤≥~±*†‡^\s]*([-+−]?\d[\d,]*\.?\d*(?:[eE][-+]?\d+)?)(?![\w])")


def render_table(table: Table, *, class_: str = "") -> Markup:
    """A table in a frame that scrolls sideways where the screen is narrow."""
    width = len(table.header)
    for row in table.rows:
        if len(row) != width:
            raise DemoticError(f"table '{table.caption}': a row has {len(row)} cells, the header {width}")
    numeric = [_is_numeric([row[i] for row in table.rows]) for i in range(width)]
    content = element(
        "table",
        element("caption", table.caption),
        element("thead", _spans(table), element("tr", map(_heading, table.header, numeric))),
        element("tbody", (_row(row, numeric, i in table.rules) for i, row in enumerate(table.rows))),
        class_=class_ or None,
    )
    # A region that scrolls must be reachable by keyboard, and so have a name.
    framed = element("div", content, class_="scroll", tabindex=0, role="region", aria_label=table.caption)
    note = element("p", table.note, class_="note") if table.note else None
    if not table.collapsed:
        return element("div", framed, note, class_="table")
    return element("details", element("summary", table.caption), framed, note, class_="table")


def sort_key(cell: Cell) -> str | None:
    """The number that a cell sorts by; None: by its text."""
    if cell is None or isinstance(cell, bool):
        return None
    if isinstance(cell, int | float):
        return repr(cell)
    match = _NUMBER.match(cell)
    return match[1].replace(",", "").replace("−", "-") if match else None


def _spans(table: Table) -> Markup | None:
    if not table.spans:
        return None
    if sum(columns for _, columns in table.spans) != len(table.header):
        raise DemoticError(f"table '{table.caption}': the spans do not cover its {len(table.header)} columns")
    cells = (
        element("th", name, colspan=columns, scope="colgroup") if name else element("td", colspan=columns)
        for name, columns in table.spans
    )
    return element("tr", cells, class_="spans")


def _heading(name: str, numeric: bool) -> Markup:
    """The page's script turns the text into a button; without it there is nothing to press."""
    if not name:
        return element("td")
    return element("th", name, scope="col", class_="number" if numeric else None)


def _row(row: Sequence[Cell], numeric: Sequence[bool], ruled: bool) -> Markup:
    first, *others = row
    cells = [_cell("th", first, numeric[0], scope="row")]
    cells += [_cell("td", cell, is_number) for cell, is_number in zip(others, numeric[1:], strict=True)]
    return element("tr", cells, class_="ruled" if ruled else None)


def _cell(name: str, cell: Cell, numeric: bool, **attributes: str) -> Markup:
    shown = "" if cell is None else cell if isinstance(cell, Markup) else figure(cell)
    key = sort_key(cell) if numeric else None
    return element(name, shown, class_="number" if numeric else None, data_sort=key, **attributes)


def _is_numeric(column: Sequence[Cell]) -> bool:
    """Whether every cell that says something is a figure; a dash says nothing."""
    filled = [cell for cell in column if cell not in (None, "", "-", "–", "—")]
    return bool(filled) and all(sort_key(cell) is not None for cell in filled)
