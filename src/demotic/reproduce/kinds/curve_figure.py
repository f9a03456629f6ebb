"""BLEU along one pass of an online learner: figure 1 of Flanigan, Dyer and Carbonell (2013)."""

from __future__ import annotations

from dataclasses import asdict

from demotic.reproduce.context import Context
from demotic.reproduce.diagnostics import draw_curve, learning_curve
from demotic.reproduce.experiment import Column
from demotic.reproduce.layout import Cell, Heading, PaperTable
from demotic.reproduce.result import FigureResult, Result
from demotic.reproduce.scores import Scores


def curve_figure(context: Context, scores: Scores) -> Result:
    """A line for each set of the row that watches some, and where each begins and ends."""
    row = next(row for row in context.rows() if row.watch)
    outcome = scores.outcomes[context.system(row, Column())][0]
    curve = learning_curve(outcome.history)
    names = list(curve.bleu)
    rows = [
        [
            Cell(name),
            *(
                Cell(f"{value:.2f}")
                for value in (curve.bleu[name][0], curve.bleu[name][-1], curve.change(name))
            ),
            Cell(row.published.get(name, "")),
        ]
        for name in names
    ]
    headings = [Heading(title) for title in ("set", "first", "last", "change")]
    figure = FigureResult(
        context.experiment.name,
        "BLEU while an online learner passes over the training data once.",
        "; ".join(f"{name}: from {curve.bleu[name][0]:.1f} to {curve.bleu[name][-1]:.1f}" for name in names),
        lambda: draw_curve(curve),
    )
    table = PaperTable([*headings, Heading("change", is_published=True)], rows)
    return Result(context.experiment, table, [figure], {"curve": asdict(curve)})
