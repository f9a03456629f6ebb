"""The figures of a page, which are saved as files beside it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from demotic.base.errors import DemoticError
from demotic.base.files import make_folder
from demotic.report.figures import inline_svg, save_figure
from demotic.report.parts import FigurePart


@dataclass(frozen=True)
class FigureView:
    """A figure as it stands in the page."""

    name: str
    caption: str
    description: str
    svg: str  # an element of the page, with text that matplotlib has escaped


class FigureBook:
    """Puts figures into the page and remembers them."""

    def __init__(self) -> None:
        self._parts: dict[str, FigurePart] = {}

    def show(self, part: FigurePart) -> FigureView:
        """The figure as it stands in the page."""
        if part.name in self._parts:
            raise DemoticError(f"two figures of the report are called '{part.name}'")
        self._parts[part.name] = part
        return FigureView(part.name, part.caption, part.description, inline_svg(part.draw, part.name))

    def save(self, folder: Path) -> list[Path]:
        """Write all figures as PNG and SVG."""
        if not self._parts:
            return []
        make_folder(folder)
        return [file for name, part in self._parts.items() for file in save_figure(part.draw, folder / name)]
