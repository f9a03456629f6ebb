"""Tables as text: for terminals, Markdown and LaTeX. Columns of figures are right-aligned."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

Row = Sequence[str]

_LATEX_SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
    "±": r"$\pm$",
    "−": "$-$",
    "Δ": r"$\Delta$",
    "→": r"$\rightarrow$",
    "†": r"$^\dagger$",
    **{raised: f"$^{{{figure}}}$" for figure, raised in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")},
    **{character: "\\" + character for character in "&%$#_{}"},
}


def alignments(rows: Sequence[Row], columns: int) -> list[Literal["left", "right"]]:
    """Of each column: left for the first, which names things, and for those in which a cell begins with a letter."""
    words = [any(row[i][:1].isalpha() for row in rows) for i in range(columns)]
    return ["left" if i == 0 or words[i] else "right" for i in range(columns)]


def plain_table(header: Row, rows: Sequence[Row]) -> str:
    """Columns separated by two spaces."""
    sides = alignments(rows, len(header))
    widths = [max(len(row[i]) for row in [header, *rows]) for i in range(len(header))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if side == "left" else cell.rjust(width)
            for cell, width, side in zip(row, widths, sides, strict=True)
        ).rstrip()
        for row in [header, *rows]
    )


def markdown_table(header: Row, rows: Sequence[Row]) -> str:
    """A pipe table."""
    rule = ["---" if side == "left" else "---:" for side in alignments(rows, len(header))]
    escaped = [[cell.replace("|", "\\|") for cell in row] for row in [header, *rows]]
    return "\n".join("| " + " | ".join(row) + " |" for row in [escaped[0], rule, *escaped[1:]])


def latex_table(header: Row, rows: Sequence[Row], is_latex: bool = False) -> str:
    """A `tabular` with rules of the package booktabs; `is_latex`: the cells need no escapes."""
    cells = [row if is_latex else [escape_latex(cell) for cell in row] for row in [header, *rows]]
    lines = [" & ".join(row) + r" \\" for row in cells]
    begin = rf"\begin{{tabular}}{{{''.join(side[0] for side in alignments(rows, len(header)))}}}"
    return "\n".join(
        [begin, r"\toprule", lines[0], r"\midrule", *lines[1:], r"\bottomrule", r"\end{tabular}"]
    )


def escape_latex(text: str) -> str:
    """Text as LaTeX prints it."""
    return "".join(_LATEX_SPECIAL.get(character, character) for character in text)


def figure(value: object) -> str:
    """A number as people write it: 29,000; 3.14; text as it is."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    return f"{value:,}" if isinstance(value, int) else f"{value:,.2f}"


TABLE_FORMATS: dict[str, Callable[[Row, Sequence[Row]], str]] = {
    "table": plain_table,
    "markdown": markdown_table,
    "latex": latex_table,
}
