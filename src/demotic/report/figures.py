"""How figures look, and how they are saved: the same values, the same bytes, on paper and in a page."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from demotic.base.errors import DemoticError
from demotic.base.extras import need_extra
from demotic.base.files import Pathish, atomic_write_bytes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Draw = Callable[[], "Figure"]

FORMATS = (".png", ".svg")
INK, GRID, PAPER = "#1c2733", "#d5dbe1", "#ffffff"
SERIES = ("#2563a8", "#b4540a", "#1b7f4d", "#8a3ea8", "#0f7c8a", "#b3261e")
MARKERS = ("o", "s", "^", "D", "v", "P")  # nothing is told apart by colour alone
_STYLE: dict[Any, Any] = {
    **dict.fromkeys(("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color"), INK),
    "grid.color": GRID,
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "legend.frameon": False,
    "svg.hashsalt": "demotic",  # instead of random names
}


def need_matplotlib() -> None:
    """Fail if figures cannot be drawn; what takes long and ends with a figure asks first."""
    need_extra("report")


def new_axes(width: float = 4.6, height: float = 2.9) -> tuple[Figure, Axes]:
    """A figure with one pair of axes, in inches."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.subplots()
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def plain(text: str, longest: int = 32) -> str:
    """Text for a figure as it is: nothing in it is a formula, every character can be drawn, and it leaves room for the rest."""
    printable = "".join(character if character.isprintable() else "�" for character in text)
    short = printable if len(printable) <= longest else printable[: longest - 1] + "…"
    return short.replace("$", r"\$")


def save_figure(draw: Draw, out: Pathish) -> list[Path]:
    """Save a figure.

    Args:
        draw: makes it; called for each file, because saving settles the layout for one resolution.
        out: NAME.png or NAME.svg; without either ending both are written.

    Returns:
        The files written.
    """
    path = Path(out)
    if path.suffix and path.suffix not in FORMATS:
        raise DemoticError(
            f"unknown kind of figure '{path.suffix}'", out, hint="choose .png or .svg, or no ending for both"
        )
    files = [path] if path.suffix else [path.with_suffix(suffix) for suffix in FORMATS]
    for file in files:
        with atomic_write_bytes(file) as stream:
            stream.write(_render(draw, file.suffix[1:], transparent=False))
    return files


def inline_svg(draw: Draw, prefix: str) -> str:
    """A figure as an SVG element for a page, with text as text and colours that follow the page's.

    Args:
        draw: makes it.
        prefix: of all names inside, which must differ from those of other figures of the page.
    """
    svg = _render(draw, "svg", transparent=True).decode()
    svg = svg[svg.index("<svg") :].strip()
    svg = re.sub(r"<style.*?</style>", "", svg, flags=re.DOTALL)  # would apply to the whole page
    svg = re.sub(r'\b(id|clip-path|href)="(url\(#|#|)', rf'\1="\2{prefix}-', svg)
    variables = {INK: "ink", GRID: "grid", PAPER: "paper"}
    variables |= {colour: f"series-{number}" for number, colour in enumerate(SERIES, start=1)}
    for colour, variable in variables.items():
        svg = svg.replace(colour, f"var(--{variable})")
    width, height = re.findall(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)[0]
    return re.sub(
        r"<svg[^>]*>", f'<svg viewBox="0 0 {width} {height}" style="max-width:{width}pt">', svg, count=1
    )


def _render(draw: Draw, kind: str, transparent: bool) -> bytes:
    """Without a date or random names inside."""
    need_matplotlib()
    from cycler import cycler
    from matplotlib import rc_context

    metadata = {"Date": None, "Creator": None} if kind == "svg" else {"Software": None}
    stream = io.BytesIO()
    style = {
        **_STYLE,
        "axes.prop_cycle": cycler(color=SERIES),
        "svg.fonttype": "none" if transparent else "path",
    }
    with rc_context(style):
        draw().savefig(stream, format=kind, dpi=150, metadata=metadata, transparent=transparent)
    return stream.getvalue()
