"""A word-aligned sentence pair as a grid: source words across, target words down."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from demotic.align.pharaoh import Link

if TYPE_CHECKING:
    from rich.table import Table

_WIDTH = 100  # characters; words of longer sentences stand upright
RIGHT, WRONG, MISSING = "■", "x", "o"
_STYLES = {RIGHT: "", WRONG: "red", MISSING: "yellow"}


def alignment_grid(source: Sequence[str], target: Sequence[str], links: Collection[Link]) -> Table:
    """Links as squares."""
    return _marked_grid(source, target, dict.fromkeys(links, RIGHT))


def compared_grid(
    source: Sequence[str],
    target: Sequence[str],
    found: Collection[Link],
    sure: Collection[Link],
    possible: Collection[Link],
) -> Table:
    """Found links as squares, or `x` if the gold links do not have them; sure gold links that are missing as `o`."""
    marks = {link: RIGHT if link in possible else WRONG for link in found}
    marks |= {link: MISSING for link in sure if link not in marks}
    return _marked_grid(source, target, marks)


def _marked_grid(source: Sequence[str], target: Sequence[str], marks: Mapping[Link, str]) -> Table:
    """A mark where two words meet, a dot elsewhere."""
    from rich.table import Table
    from rich.text import Text

    grid = Table(box=None, pad_edge=False)
    upright = max(map(len, target)) + sum(len(word) + 2 for word in source) > _WIDTH
    if upright:
        grid.padding = (0, 0, 0, 1)
    grid.add_column("", no_wrap=True)
    for word in source:
        header = Text("\n".join(word) if upright else word, style="cyan")
        grid.add_column(header, justify="center", vertical="bottom", no_wrap=True)
    for j, word in enumerate(target):
        cells = (marks.get((i, j), "·") for i in range(len(source)))
        grid.add_row(
            Text(word, style="green"), *(Text(cell, style=_STYLES.get(cell, "dim")) for cell in cells)
        )
    return grid
