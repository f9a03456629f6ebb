"""Scores of a test set: the table with significance, and a figure with confidence intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from demotic.evaluate import Comparison, SystemResult
from demotic.report.figure_book import FigureBook, FigureView
from demotic.report.figures import INK, MARKERS, SERIES, new_axes, plain
from demotic.report.parts import Cell, FigurePart, Table, TestSet
from demotic.report.tables import TableView, table_view
from demotic.report.templating import slug

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_MARKS = ((0.01, "**"), (0.05, "*"))


@dataclass(frozen=True)
class ResultsView:
    """What `results.html` shows."""

    warnings: Sequence[str]
    table: TableView | None = None
    figure: FigureView | None = None


def results_view(test_set: TestSet, book: FigureBook) -> ResultsView | None:
    """The scores of one test set; None if there is nothing to say of it."""
    comparison = test_set.comparison
    if comparison is None:
        return ResultsView(test_set.warnings) if test_set.warnings else None
    table = table_view(comparison_table(comparison, test_set.name))
    if len(comparison.systems) < 2 or not all(system.interval for system in comparison.systems):
        return ResultsView(test_set.warnings, table)
    return ResultsView(test_set.warnings, table, book.show(_interval_figure(comparison, test_set.name)))


def comparison_table(comparison: Comparison, name: str) -> Table:
    """A comparison as a table: differences to the first system, intervals, deviations and p-values."""
    arrow, better = ("↑", "higher") if comparison.higher_is_better else ("↓", "lower")
    several = len(comparison.systems) > 1
    replicated = any(len(system.scores) > 1 for system in comparison.systems)
    header = ["system", f"{comparison.title} {arrow}", "95% interval"]
    header += ["length"] if comparison.has_lengths else []
    header += ["difference", "p (AR)", "p (bootstrap)"] if several else []
    header += ["runs", "s_sel"] if replicated else []
    base = comparison.systems[0]
    rows = [_row(system, base, comparison, replicated) for system in comparison.systems]
    note = f"{arrow} {better} is better. {comparison.caption()}."
    if several:
        note = (
            f"Differences and p-values are against {base.name}, by approximate randomisation (AR) and paired bootstrap; "
            f"* p < 0.05, ** p < 0.01 by AR. {note}"
        )
    if replicated:
        note = f"Means over runs; s_sel is the standard deviation over runs. {note}"
    return Table(f"Scores on {name}", header, rows, note)


def _row(system: SystemResult, base: SystemResult, comparison: Comparison, replicated: bool) -> list[Cell]:
    p = system.p_randomization
    mark = next((mark for limit, mark in _MARKS if p is not None and p < limit), "")
    row: list[Cell] = [system.name, f"{system.mean:.2f}{mark}"]
    row.append(f"{system.interval[0]:.2f} – {system.interval[1]:.2f}" if system.interval else None)
    if comparison.has_lengths:
        row.append(None if system.length is None else f"{system.length:.3f}")
    if len(comparison.systems) > 1:
        row.append("–" if system is base else f"{system.mean - base.mean:+.2f}")
        row += ["–" if value is None else f"{value:.4f}" for value in (p, system.p_bootstrap)]
    if replicated:
        row += [len(system.scores), None if system.s_sel is None else f"{system.s_sel:.2f}"]
    return row


def _interval_figure(comparison: Comparison, name: str) -> FigurePart:
    facts = "; ".join(
        f"{system.name} {system.mean:.2f}, from {system.interval[0]:.2f} to {system.interval[1]:.2f}"
        for system in comparison.systems
        if system.interval
    )
    return FigurePart(
        f"scores-{slug(name)}",
        f"{comparison.title} on {name}, with 95% intervals of the bootstrap. Small dots: single runs.",
        f"{comparison.title} on {name}: {facts}.",
        lambda: _draw_intervals(comparison),
    )


def _draw_intervals(comparison: Comparison) -> Figure:
    figure, axes = new_axes(6.4, 0.9 + 0.38 * len(comparison.systems))
    for place, system in enumerate(comparison.systems):
        low, high = system.interval or (system.mean, system.mean)
        colour = SERIES[place % len(SERIES)]
        axes.plot([low, high], [place, place], color=colour, linewidth=2, solid_capstyle="round")
        axes.plot(system.mean, place, marker=MARKERS[place % len(MARKERS)], color=colour, markersize=8)
        if len(system.scores) > 1:
            axes.plot(system.scores, [place + 0.22] * len(system.scores), ".", color=INK, markersize=4)
    axes.axvline(comparison.systems[0].mean, color=INK, linewidth=0.8, linestyle=":", zorder=0)
    axes.set_yticks(range(len(comparison.systems)), [plain(system.name) for system in comparison.systems])
    axes.set_ylim(len(comparison.systems) - 0.5, -0.5)
    axes.set_xlabel(comparison.title)
    axes.spines["left"].set_visible(False)
    axes.tick_params(axis="y", length=0)
    return figure
