"""Tables as text: for terminals, Markdown and LaTeX. The first column names things, the others are figures."""

from __future__ import annotations

from collections.abc import Callable, Sequence

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


def plain_table(header: Row, rows: Sequence[Row]) -> str:
    """Columns separated by two spaces."""
    widths = [max(len(row[i]) for row in [header, *rows]) for i in range(len(header))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if i == 0 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in [header, *rows]
    )


def markdown_table(header: Row, rows: Sequence[Row]) -> str:
    """A pipe table."""
    rule = ["---", *("---:" for _ in header[1:])]
    escaped = [[cell.replace("|", "\\|") for cell in row] for row in [header, *rows]]
    return "\n".join("| " + " | ".join(row) + " |" for row in [escaped[0], rule, *escaped[1:]])


def latex_table(header: Row, rows: Sequence[Row], is_latex: bool = False) -> str:
    """A `tabular` with rules of the package booktabs; `is_latex`: the cells need no escapes."""
    cells = [row if is_latex else [escape_latex(cell) for cell in row] for row in [header, *rows]]
    lines = [" & ".join(row) + r" \\" for row in cells]
    begin = rf"\begin{{tabular}}{{l{'r' * (len(header) - 1)}}}"
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
