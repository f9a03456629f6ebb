"""Writing figures: PNG and SVG, the same numbers giving the same bytes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from demotic.base.errors import DemoticError
from demotic.base.files import Pathish, atomic_write_bytes

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMATS = (".png", ".svg")


def figure_files(out: Pathish) -> list[Path]:
    """NAME.png or NAME.svg; without either ending both."""
    path = Path(out)
    if path.suffix and path.suffix not in FORMATS:
        raise DemoticError(
            f"unknown kind of figure '{path.suffix}'", out, hint="choose .png or .svg, or no ending for both"
        )
    return [path] if path.suffix else [path.with_suffix(suffix) for suffix in FORMATS]


def save_figures(draw: Callable[[], Figure], files: list[Path]) -> None:
    """Draw and write each: drawn anew, since saving settles the layout for one resolution; without a date or random names inside."""
    from matplotlib import rc_context

    for file in files:
        metadata = {"Date": None} if file.suffix == ".svg" else {"Software": None}
        with atomic_write_bytes(file) as stream, rc_context({"svg.hashsalt": "demotic"}):
            draw().savefig(stream, format=file.suffix[1:], dpi=150, metadata=metadata)
