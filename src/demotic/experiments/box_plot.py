"""Scores of many runs as boxes: figure 4 of Simianer, Riezler and Dyer (2012)."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from demotic.base.errors import DemoticError
from demotic.base.files import Pathish, atomic_write_bytes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORMATS = (".png", ".svg")


@dataclass(frozen=True)
class Box:
    """What a box shows of the scores of a learner's runs."""

    median: float
    mean: float
    quartiles: tuple[float, float]
    deviation: float
    extremes: tuple[float, float]

    @classmethod
    def of(cls, scores: Sequence[float]) -> Box:
        """Of two or more scores."""
        low, median, high = np.percentile(scores, [25, 50, 75]).tolist()
        return cls(
            median,
            statistics.fmean(scores),
            (low, high),
            statistics.stdev(scores),
            (min(scores), max(scores)),
        )


def box_plot(systems: Mapping[str, Sequence[float]], out: Pathish, label: str = "BLEU") -> list[Path]:
    """Draw the scores of systems: a box for each that ran several times, a line across the figure for each that ran once.

    A box spans the quartiles, with a line at the median (M) and a cross at the mean; whiskers reach one standard deviation
    from the mean; dots are the lowest and the highest score.

    Args:
        systems: scores of each run, by name.
        out: NAME.png or NAME.svg; without either ending both are written.
        label: of the axis.

    Returns:
        The files written.
    """
    path = Path(out)
    if not any(len(scores) > 1 for scores in systems.values()):
        raise DemoticError("no system has several runs, so there is no box to draw", hint="NAME=F1,F2,...")
    if path.suffix and path.suffix not in FORMATS:
        raise DemoticError(
            f"unknown kind of figure '{path.suffix}'", out, hint="choose .png or .svg, or no ending for both"
        )
    files = [path] if path.suffix else [path.with_suffix(suffix) for suffix in FORMATS]
    for file in files:
        _save(_draw(systems, label), file)  # drawn anew: saving settles the layout for one resolution
    return files


def _draw(systems: Mapping[str, Sequence[float]], label: str) -> Figure:
    from matplotlib.figure import Figure

    boxes = {name: Box.of(scores) for name, scores in systems.items() if len(scores) > 1}
    lines = {name: scores[0] for name, scores in systems.items() if len(scores) == 1}
    figure = Figure(figsize=(2 + 1.1 * len(boxes), 4), layout="constrained")
    axes = figure.subplots()
    for place, box in enumerate(boxes.values()):
        _draw_box(axes, place, box)
    for number, (name, score) in enumerate(lines.items()):
        axes.axhline(score, color=f"C{number}", linestyle="--", label=name)
    axes.set_xticks(range(len(boxes)), [f"{name}\n{len(systems[name])} runs" for name in boxes])
    axes.set_xlim(-0.6, len(boxes) - 0.4)
    axes.set_ylabel(label)
    axes.spines[["top", "right"]].set_visible(False)
    if lines:
        axes.legend(frameon=False)
    return figure


def _draw_box(axes: Axes, place: float, box: Box) -> None:
    half = 0.25  # of the width
    low, high = box.quartiles
    axes.vlines(place, box.mean - box.deviation, box.mean + box.deviation, color="black", zorder=1)
    for end in (box.mean - box.deviation, box.mean + box.deviation):
        axes.hlines(end, place - half / 2, place + half / 2, color="black", zorder=1)
    axes.bar(place, high - low, 2 * half, low, facecolor="white", edgecolor="black", zorder=2)
    axes.hlines(box.median, place - half, place + half, color="black", linewidth=2, zorder=3)
    axes.annotate(
        "M", (place + half, box.median), (3, 0), textcoords="offset points", va="center", fontsize=8
    )
    axes.plot(place, box.mean, marker="x", color="black", zorder=3)
    axes.annotate(
        r"$\bar{x}$",
        (place - half, box.mean),
        (-3, 0),
        textcoords="offset points",
        va="center",
        ha="right",
        fontsize=8,
    )
    axes.plot([place, place], box.extremes, marker=".", linestyle="none", color="black", zorder=3)


def _save(figure: Figure, file: Path) -> None:
    """Without a date or random names inside: the same scores, the same bytes."""
    from matplotlib import rc_context

    metadata = {"Date": None} if file.suffix == ".svg" else {"Software": None}
    with atomic_write_bytes(file) as stream, rc_context({"svg.hashsalt": "demotic"}):
        figure.savefig(stream, format=file.suffix[1:], dpi=150, metadata=metadata)
