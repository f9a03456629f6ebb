"""BLEU of the test set against the CPU minutes of a run: what is the time best spent on?"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean, stdev
from typing import TYPE_CHECKING

from demotic.report.figures import MARKERS, SERIES, new_axes, plain
from demotic.reproduce.context import Context
from demotic.reproduce.experiment import Column, Row
from demotic.reproduce.result import FigureResult
from demotic.reproduce.scores import Scores

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Point:
    """A row: means over replicas, and the deviation of BLEU over them."""

    minutes: float
    bleu: float
    deviation: float


def minutes_figures(context: Context, scores: Scores) -> list[FigureResult]:
    """A line for each text in the column `figure.by_minutes`, beside the row `figure.baseline`; none if the file names no column."""
    lines, baseline = minutes_lines(context, scores)
    if not lines:
        return []
    return [
        FigureResult(
            f"{context.experiment.name}-minutes",
            "BLEU of the test set against the CPU minutes of one run; means and deviations over replicas.",
            "; ".join(
                f"{name}: " + ", ".join(f"{point.bleu:.2f} after {point.minutes:.1f}" for point in points)
                for name, points in lines.items()
            ),
            lambda: draw_minutes(lines, baseline, _name(context)),
        )
    ]


def minutes_lines(context: Context, scores: Scores) -> tuple[dict[str, list[Point]], Point | None]:
    """Points by line, in the order of their minutes, and that of the baseline."""
    column, baseline = (context.experiment.figure.get(name, "") for name in ("by_minutes", "baseline"))
    lines: dict[str, list[Point]] = {}
    for row in context.rows() if column else ():
        point = _point(context, scores, row)
        if point is not None and row.id != baseline:
            lines.setdefault(row.labels.get(column, ""), []).append(point)
    for points in lines.values():
        points.sort(key=lambda point: point.minutes)
    return lines, _point(context, scores, context.experiment.row(baseline)) if baseline else None


def _name(context: Context) -> str:
    """Of the baseline."""
    row = context.experiment.figure.get("baseline", "")
    column = context.experiment.figure["by_minutes"]
    return context.experiment.row(row).labels.get(column, row) if row else ""


def _point(context: Context, scores: Scores, row: Row) -> Point | None:
    system = context.system(row, Column())
    if row.difference or system not in scores.outcomes or not (bleu := scores.bleu(system, "test")):
        return None
    counted = [outcome.cpu_minutes for outcome in scores.outcomes[system]]
    minutes = [known for known in counted if known is not None]
    if len(minutes) < len(counted):
        return None
    return Point(fmean(minutes), fmean(bleu), stdev(bleu) if len(bleu) > 1 else 0.0)


def draw_minutes(lines: dict[str, list[Point]], baseline: Point | None, name: str) -> Figure:
    """Points with their deviations, and the baseline, by its name, as a level; minutes on a logarithmic scale."""
    from matplotlib.ticker import NullFormatter, ScalarFormatter

    figure, axes = new_axes(6.4, 3.6)
    for number, (name, points) in enumerate(lines.items()):
        axes.errorbar(
            [point.minutes for point in points],
            [point.bleu for point in points],
            yerr=[point.deviation for point in points],
            marker=MARKERS[number % len(MARKERS)],
            color=SERIES[number % len(SERIES)],
            capsize=2,
            elinewidth=0.7,
            label=plain(name, 48),
        )
    if baseline is not None:
        axes.axhline(baseline.bleu, color="0.5", linestyle=":", linewidth=1.0, label=plain(name, 48))
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(ScalarFormatter())
    axes.xaxis.set_minor_formatter(ScalarFormatter())
    if max(point.minutes for points in lines.values() for point in points) > 20:
        axes.xaxis.set_minor_formatter(NullFormatter())
    axes.set_xlabel("CPU minutes of a run")
    axes.set_ylabel("BLEU")
    axes.legend(frameon=False, fontsize=7, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return figure
