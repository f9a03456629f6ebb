"""A table of tuned systems: a row for each configuration, with the paper's figures and its marks of significance."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import fmean, stdev
from typing import Any

from demotic.reproduce.context import Context, SystemId
from demotic.reproduce.experiment import Column, Row
from demotic.reproduce.kinds.epoch_curves import epoch_figures
from demotic.reproduce.kinds.minutes_figure import minutes_figures
from demotic.reproduce.layout import Cell, Heading, PaperTable
from demotic.reproduce.marks import Decoration, Decorations, decorate, explain
from demotic.reproduce.result import Result
from demotic.reproduce.scores import Scores

_NOTHING = Cell("–")


def system_table(context: Context, scores: Scores) -> Result:
    """The table, with columns for features and minutes where the paper has none."""
    columns = _columns(context)
    builder = _Builder(context, scores)
    headings, cells = [], []
    for column in columns:
        is_published = any(column.title in row.published for row in context.rows())
        if context.is_measured(column):
            headings.append(Heading(_title(context, column)))
            cells.append(builder.column(column))
        if is_published:
            headings.append(Heading(column.title, is_published=True))
            cells.append([Cell(row.published.get(column.title, "")) for row in context.rows()])
    table = PaperTable(headings, list(zip(*cells, strict=True)))
    return Result(
        context.experiment,
        table.transposed() if context.experiment.transposed else table,
        [*epoch_figures(context, scores), *minutes_figures(context, scores)],
        data={"systems": systems_json(context, scores)},
        notes=[
            *dict.fromkeys(explain(mark, context.experiment) for mark in context.experiment.marks),
            *_signatures(context, scores),
        ],
    )


def systems_json(context: Context, scores: Scores) -> list[dict[str, Any]]:
    """Every system with its scores, for programs."""
    found = []
    for (row, pair), outcomes in scores.outcomes.items():
        sets = dict.fromkeys(name for outcome in outcomes for name in outcome.outputs)
        found.append(
            {
                "row": row,
                "pair": str(context.data[pair - 1].pair),
                "bleu": {name: scores.bleu((row, pair), name) for name in [*sets, "tune"]},
                "features": [outcome.features for outcome in outcomes],
                "epochs": [outcome.epoch for outcome in outcomes],
                "minutes": [outcome.seconds / 60 for outcome in outcomes],
                "cpu_minutes": [outcome.cpu_minutes for outcome in outcomes],
                "models": [str(outcome.model) for outcome in outcomes],
            }
        )
    return found


def _columns(context: Context) -> list[Column]:
    columns = list(context.experiment.columns)
    kinds = {column.value for column in columns}
    if not kinds & {"features", "active"}:
        columns.append(Column("#features", "features"))
    if not kinds & {"minutes", "cpu_minutes"}:
        columns.append(Column("minutes", "minutes"))
    return columns


def _title(context: Context, column: Column) -> str:
    return str(context.data[column.pair - 1].pair) if column.pair else column.title


def _signatures(context: Context, scores: Scores) -> list[str]:
    names = [column.translations for column in context.experiment.columns if column.is_score]
    names = [name for name in dict.fromkeys(names) if name not in ("tune", "seen")]
    found = {
        scores.signature(system, name)
        for system in scores.outcomes
        for name in names
        if scores.bleu(system, name)
    }
    return [f"BLEU: {signature}" for signature in sorted(found)]


class _Builder:
    """Cells of the columns."""

    def __init__(self, context: Context, scores: Scores) -> None:
        self._context, self._scores = context, scores

    def column(self, column: Column) -> list[Cell]:
        rows = self._context.rows()
        if column.value == "label":
            return [Cell(row.labels.get(column.title, "")) for row in rows]
        if column.value == "bleu":
            return self._bleu_column(column)
        if column.value == "p":
            return self._p_column(column)
        if column.value == "length":
            return self._length_column(column)
        return [_NOTHING if row.difference else self._figure(row, column) for row in rows]

    def _bleu_column(self, column: Column) -> list[Cell]:
        context, scores = self._context, self._scores
        rows, systems = context.rows(), self._measured(column)
        decorations: Mapping[str, Decoration] = decorate(
            context.experiment.marks, rows, systems, scores, column
        )
        means = {id_: scores.mean(system, column.translations) for id_, system in systems.items()}
        return [self._bleu(row, column, means, dict(decorations)) for row in rows]

    def _p_column(self, column: Column) -> list[Cell]:
        rows, systems = self._context.rows(), self._measured(column)
        first = systems.get(column.difference)
        return [
            Cell(self._p(systems[row.id], first, column))
            if first and row.id in systems and systems[row.id] != first
            else _NOTHING
            for row in rows
        ]

    def _length_column(self, column: Column) -> list[Cell]:
        systems = self._measured(column)
        return [
            Cell(f"{self._scores.length(systems[row.id], column.translations):.3f}")
            if row.id in systems
            else _NOTHING
            for row in self._context.rows()
        ]

    def _p(self, system: SystemId, first: SystemId, column: Column) -> str:
        p = self._scores.p_value(system, first, column.translations, "randomization")
        return f"{p:.4f}" if p < 0.01 else f"{p:.2f}"

    def _measured(self, column: Column) -> dict[str, SystemId]:
        """Systems by row, of the rows that have the translations of a column."""
        return {
            row.id: system
            for row in self._context.rows()
            if not row.difference
            and (system := self._context.system(row, column)) in self._scores.outcomes
            and self._scores.bleu(system, column.translations)
        }

    def _bleu(self, row: Row, column: Column, means: Mapping[str, float], decorations: Decorations) -> Cell:
        if row.difference:
            first, second = row.difference
            known = first in means and second in means
            return Cell(signed(means[second] - means[first], column.digits)) if known else _NOTHING
        if row.id not in means:
            return _NOTHING
        system = self._context.system(row, column)
        text = f"{means[row.id]:.{column.digits}f}"
        scores = self._scores.bleu(system, column.translations)
        if column.deviation and len(scores) > 1:
            text += f"±{stdev(scores):.{column.digits}f}"
        text += decorations[row.id].symbols
        if column.epoch and row.choose:
            epochs = sorted({outcome.epoch for outcome in self._scores.outcomes[system]})
            text += " @" + ",".join(map(str, epochs))
        if column.difference and row.id != column.difference and column.difference in means:
            text += f" ({signed(means[row.id] - means[column.difference], column.digits)})"
        return Cell(text, decorations[row.id].is_bold)

    def _figure(self, row: Row, column: Column) -> Cell:
        outcomes = self._scores.outcomes.get(self._context.system(row, column), [])
        if not outcomes:
            return _NOTHING
        if column.value in ("minutes", "cpu_minutes"):
            sign = ">" if any(outcome.was_interrupted for outcome in outcomes) else ""
            minutes = self._minutes(row, column)
            return _NOTHING if minutes is None else Cell(f"{sign}{minutes:.1f}")
        if column.value in ("active", "reused"):
            found = [getattr(outcome.usage, column.value) for outcome in outcomes if outcome.usage]
            return Cell(f"{round(fmean(found)):,}") if found else _NOTHING
        return Cell(f"{round(fmean(outcome.features for outcome in outcomes)):,}")

    def _minutes(self, row: Row, column: Column) -> float | None:
        """Of one run, with those of the hidden row that it starts from; None if they were not counted."""
        outcomes = self._scores.outcomes[self._context.system(row, column)]
        own = [
            outcome.seconds / 60 if column.value == "minutes" else outcome.cpu_minutes for outcome in outcomes
        ]
        known = [minutes for minutes in own if minutes is not None]
        if len(known) < len(own):
            return None
        if not row.start or not (first := self._context.experiment.row(row.start)).hidden:
            return fmean(known)
        before = self._minutes(first, column)
        return None if before is None else fmean(known) + before


def signed(difference: float, digits: int) -> str:
    """A difference as people write it."""
    rounded = round(difference, digits)
    if rounded == 0:
        return "±0"
    return f"{'+' if rounded > 0 else '−'}{abs(rounded):.{digits}f}"
