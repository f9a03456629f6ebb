"""Writing a report: one self-contained page, and its figures as files."""

from __future__ import annotations

from pathlib import Path

from demotic.base.files import Pathish, atomic_write, make_folder
from demotic.report.figure_book import FigureBook
from demotic.report.page import render_page
from demotic.report.parts import Report


def write_report(report: Report, path: Pathish) -> list[Path]:
    """Write a report as one HTML file that needs nothing else, and its figures as PNG and SVG in `NAME.figures` beside it.

    The same report gives the same bytes.

    Returns:
        The files written, the page first.
    """
    page, book = Path(path), FigureBook()
    text = render_page(report, book)
    make_folder(page.parent)
    figures = book.save(page.with_suffix(".figures"))
    with atomic_write(page) as file:
        file.write(text)
    return [page, *figures]
