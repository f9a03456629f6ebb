"""Scores of many runs as boxes: figure 4 of Simianer, Riezler and Dyer (2012)."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from demotic.base.errors import DemoticError
from demotic.base.files import Pathish
from demotic.report.figures import INK, PAPER, SERIES, new_axes, plain, save_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


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
    if not any(len(scores) > 1 for scores in systems.values()):
        raise DemoticError("a box plot needs a system with several runs", hint="give them as NAME=F1,F2,...")
    return save_figure(lambda: draw_boxes(systems, label), out)


def draw_boxes(systems: Mapping[str, Sequence[float]], label: str = "BLEU") -> Figure:
    """The figure of `box_plot`."""
    boxes = {name: box_of(scores) for name, scores in systems.items() if len(scores) > 1}
    lines = {name: scores[0] for name, scores in systems.items() if len(scores) == 1}
    figure, axes = new_axes(2 + 1.1 * len(boxes), 4)
    line = {"color": INK}
    axes.bxp(
        list(boxes.values()),
        positions=range(len(boxes)),
        widths=0.5,
        showmeans=True,
        patch_artist=True,
        boxprops={"facecolor": PAPER, "edgecolor": INK},
        medianprops={**line, "linewidth": 2},
        meanprops={"marker": "x", "markeredgecolor": INK},
        flierprops={"marker": ".", "markerfacecolor": INK, "markeredgecolor": INK},
        whiskerprops=line,
        capprops=line,
    )
    for place, box in enumerate(boxes.values()):
        _name(axes, "M", (place + 0.25, box["med"]), 3, "left")
        _name(axes, r"$\bar{x}$", (place - 0.25, box["mean"]), -3, "right")
    for number, (name, score) in enumerate(lines.items()):
        axes.axhline(score, color=SERIES[number % len(SERIES)], linestyle="--", label=plain(name))
    axes.set_xticks(range(len(boxes)), [f"{plain(name)}\n{len(systems[name])} runs" for name in boxes])
    axes.set_xlim(-0.6, len(boxes) - 0.4)
    axes.set_ylabel(label)
    if lines:
        axes.legend(frameon=False)
    return figure


def box_of(scores: Sequence[float]) -> dict[str, Any]:
    """What a box shows of two or more scores, as `Axes.bxp` takes it."""
    low, median, high = np.percentile(scores, [25, 50, 75]).tolist()
    mean, deviation = statistics.fmean(scores), statistics.stdev(scores)
    return {
        "q1": low,
        "med": median,
        "q3": high,
        "mean": mean,
        "whislo": mean - deviation,
        "whishi": mean + deviation,
        "fliers": [min(scores), max(scores)],
    }


def _name(axes: Axes, text: str, place: tuple[float, float], shift: int, side: str) -> None:
    """Write what a line of a box is beside its end."""
    axes.annotate(text, place, (shift, 0), textcoords="offset points", va="center", ha=side, fontsize=8)
