"""How the systems learnt: curves over epochs, and the figures behind them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from demotic.report.epoch_table import epoch_columns, epoch_figure
from demotic.report.figure_book import FigureBook, FigureView
from demotic.report.figures import MARKERS, SERIES, new_axes, plain
from demotic.report.parts import Cell, FigurePart, SystemPart, Table
from demotic.report.tables import TableView, table_view

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Row = Mapping[str, Any]
Curves = Mapping[str, Sequence[tuple[float, float]]]  # epoch and value, by label

_QUALITY = {"held_out_bleu": "held-out", "bleu": "tuning set", "train_bleu": "while learning"}
_STYLES = ("-", "--", "-.", ":")


@dataclass(frozen=True)
class LearningView:
    """What `learning.html` shows."""

    systems: TableView
    figures: Sequence[FigureView]
    epochs: Sequence[TableView]


def learning_view(systems: Sequence[SystemPart], book: FigureBook) -> LearningView | None:
    """All systems, and curves and tables of those that have a history; None if there are no systems."""
    if not systems:
        return None
    learnt = [system for system in systems if system.history]
    return LearningView(
        table_view(systems_table(systems)),
        [book.show(figure) for figure in learning_figures(learnt)],
        [table_view(epoch_table(system)) for system in learnt],
    )


def systems_table(systems: Sequence[SystemPart]) -> Table:
    """A row for each system: its learner, how long it learnt, how large it is."""
    rows: list[list[Cell]] = []
    for system in systems:
        time = minutes(system)
        row: list[Cell] = [system.name, system.learner, len(system.history) or None, system.epoch]
        rows.append([*row, active_features(system), None if time is None else f"{time:.1f}"])
    header = ["system", "learner", "epochs", "kept", "features", "minutes"]
    note = "Features: those that weigh something. Minutes: decoding and learning."
    return Table("Systems", header, rows, note)


def minutes(system: SystemPart) -> float | None:
    """That learning took, as far as it is known."""
    if system.minutes is not None:
        return system.minutes
    seconds = [value for row in system.history if (value := _seconds(row)) is not None]
    return sum(seconds) / 60 if seconds else None


def active_features(system: SystemPart) -> int | None:
    """Features that weigh something or, if weights are not known, that the chosen epoch counted."""
    if system.weights:
        return len(system.weights)
    rows = system.history[: system.epoch] if system.epoch else system.history
    return next(
        (int(row[key]) for row in rows[-1:] for key in ("kept_features", "active_features") if key in row),
        None,
    )


def learning_figures(systems: Sequence[SystemPart]) -> list[FigurePart]:
    """A figure each for quality, features and seconds, as far as the epochs tell."""
    measured = [system for system in systems if _quality_key(system)]
    quality = {
        f"{system.name} ({_QUALITY[key]})": _curve(system, _column(key))
        for system in measured
        if (key := _quality_key(system))
    }
    kept = {system.name: _curve(system, _features) for system in systems}
    seconds = {system.name: _curve(system, _seconds) for system in systems}
    wanted = [
        ("learning-bleu", "BLEU after each epoch; a ring marks the epoch that was kept.", "BLEU", quality),
        ("learning-features", "Features with a weight after each epoch.", "features", kept),
        ("learning-seconds", "Seconds that each epoch took, decoding and learning.", "seconds", seconds),
    ]
    epochs = {name: system.epoch for system, name in zip(measured, quality, strict=True)}
    figures = []
    for name, caption, label, curves in wanted:
        filled = {key: points for key, points in curves.items() if points}
        if filled:
            rings = epochs if name == "learning-bleu" else {}
            figures.append(_figure(name, caption, label, filled, rings))
    return figures


def epoch_table(system: SystemPart) -> Table:
    """All that a learner reported, a row per epoch; the epoch that was kept is marked."""
    columns = epoch_columns(system.history)
    rows: list[list[Cell]] = []
    for row in system.history:
        cells: list[Cell] = [epoch_figure(key, row.get(key, "")) for key in columns]
        if system.epoch is not None and row.get("epoch") == system.epoch and "epoch" in columns:
            place = list(columns).index("epoch")
            cells[place] = f"{cells[place]} ◂ kept"
        rows.append(cells)
    learner = f" ({system.learner})" if system.learner and system.learner != system.name else ""
    return Table(f"Epochs of {system.name}{learner}", list(columns.values()), rows, collapsed=True)


def _figure(
    name: str, caption: str, label: str, curves: Curves, rings: Mapping[str, int | None]
) -> FigurePart:
    ends = "; ".join(
        f"{key}: {points[0][1]:,.4g} in epoch {points[0][0]:g}, {points[-1][1]:,.4g} in epoch {points[-1][0]:g}"
        for key, points in curves.items()
    )
    return FigurePart(name, caption, f"{label} by epoch. {ends}.", lambda: _draw(curves, label, rings))


def _draw(curves: Curves, label: str, rings: Mapping[str, int | None]) -> Figure:
    from matplotlib.ticker import EngFormatter, MaxNLocator

    figure, axes = new_axes()
    for number, (name, points) in enumerate(curves.items()):
        x, y = zip(*points, strict=True)
        axes.plot(
            x,
            y,
            color=SERIES[number % len(SERIES)],
            marker=MARKERS[number % len(MARKERS)],
            linestyle=_STYLES[number % len(_STYLES)],
            markersize=5,
            label=plain(name),
        )
        for epoch, value in points:
            if epoch == rings.get(name):
                axes.plot(
                    epoch,
                    value,
                    "o",
                    markersize=12,
                    markerfacecolor="none",
                    color=SERIES[number % len(SERIES)],
                )
    values = [value for points in curves.values() for _, value in points]
    if label != "BLEU":
        axes.yaxis.set_major_formatter(EngFormatter(sep=" "))
        if min(values) > 0 and max(values) > 50 * min(values):
            axes.set_yscale("log")
        else:
            axes.set_ylim(bottom=0)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.grid(axis="y")
    axes.set_axisbelow(True)
    axes.set_xlabel("epoch")
    axes.set_ylabel(label)
    figure.legend(loc="outside upper left", frameon=False, fontsize=9, ncols=1 if len(curves) < 4 else 2)
    return figure


def _curve(system: SystemPart, value: Callable[[Row], Any]) -> list[tuple[float, float]]:
    """Epochs and values, as far as both are finite numbers: the rows are from a file, which may say anything."""
    found = ((row.get("epoch", i), value(row)) for i, row in enumerate(system.history, start=1))
    return [(float(x), float(y)) for x, y in found if _is_number(x) and _is_number(y)]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and abs(value) <= sys.float_info.max


def _column(key: str) -> Callable[[Row], Any]:
    return lambda row: row.get(key)


def _quality_key(system: SystemPart) -> str | None:
    return next((key for key in _QUALITY if any(key in row for row in system.history)), None)


def _features(row: Row) -> Any:
    return row.get("kept_features", row.get("active_features"))


def _seconds(row: Row) -> float | None:
    known = [row[key] for key in ("decode_seconds", "learn_seconds") if _is_number(row.get(key))]
    return float(sum(known)) if known else None
