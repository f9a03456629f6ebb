"""The figures of a page, which are saved as files beside it."""

from __future__ import annotations

from pathlib import Path

from demotic.base.errors import DemoticError
from demotic.base.files import make_folder
from demotic.report.figures import inline_svg, save_figure
from demotic.report.markup import Markup, element
from demotic.report.parts import FigurePart


class FigureBook:
    """Puts figures into the page and remembers them."""

    def __init__(self) -> None:
        self._parts: dict[str, FigurePart] = {}

    def show(self, part: FigurePart) -> Markup:
        """The figure as it stands in the page."""
        if part.name in self._parts:
            raise DemoticError(f"two figures of the report are called '{part.name}'")
        self._parts[part.name] = part
        drawing = element(
            "div",
            Markup(inline_svg(part.draw, part.name)),
            role="img",
            aria_label=part.description,
            class_="drawing",
        )
        return element("figure", drawing, element("figcaption", part.caption), id=f"figure-{part.name}")

    def save(self, folder: Path) -> list[Path]:
        """Write all figures as PNG and SVG."""
        if not self._parts:
            return []
        make_folder(folder)
        return [file for name, part in self._parts.items() for file in save_figure(part.draw, folder / name)]
