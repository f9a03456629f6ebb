"""Scores of many runs as boxes: figure 4 of Simianer, Riezler and Dyer (2012)."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from demotic.base.errors import DemoticError
from demotic.base.files import Pathish
from demotic.report.figures import INK, PAPER, SERIES, new_axes, plain, save_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


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
    if not any(len(scores) > 1 for scores in systems.values()):
        raise DemoticError("no system has several runs, so there is no box to draw", hint="NAME=F1,F2,...")
    return save_figure(lambda: draw_boxes(systems, label), out)


def draw_boxes(systems: Mapping[str, Sequence[float]], label: str = "BLEU") -> Figure:
    """The figure of `box_plot`."""
    boxes = {name: Box.of(scores) for name, scores in systems.items() if len(scores) > 1}
    lines = {name: scores[0] for name, scores in systems.items() if len(scores) == 1}
    figure, axes = new_axes(2 + 1.1 * len(boxes), 4)
    for place, box in enumerate(boxes.values()):
        _draw_box(axes, place, box)
    for number, (name, score) in enumerate(lines.items()):
        axes.axhline(score, color=SERIES[number % len(SERIES)], linestyle="--", label=plain(name))
    axes.set_xticks(range(len(boxes)), [f"{plain(name)}\n{len(systems[name])} runs" for name in boxes])
    axes.set_xlim(-0.6, len(boxes) - 0.4)
    axes.set_ylabel(label)
    if lines:
        axes.legend(frameon=False)
    return figure


def _draw_box(axes: Axes, place: float, box: Box) -> None:
    half = 0.25  # of the width
    low, high = box.quartiles
    axes.vlines(place, box.mean - box.deviation, box.mean + box.deviation, color=INK, zorder=1)
    for end in (box.mean - box.deviation, box.mean + box.deviation):
        axes.hlines(end, place - half / 2, place + half / 2, color=INK, zorder=1)
    axes.bar(place, high - low, 2 * half, low, facecolor=PAPER, edgecolor=INK, zorder=2)
    axes.hlines(box.median, place - half, place + half, color=INK, linewidth=2, zorder=3)
    axes.annotate(
        "M", (place + half, box.median), (3, 0), textcoords="offset points", va="center", fontsize=8
    )
    axes.plot(place, box.mean, marker="x", color=INK, zorder=3)
    axes.annotate(
        r"$\bar{x}$",
        (place - half, box.mean),
        (-3, 0),
        textcoords="offset points",
        va="center",
        ha="right",
        fontsize=8,
    )
    axes.plot([place, place], box.extremes, marker=".", linestyle="none", color=INK, zorder=3)
