"""Weights of discretised features over their bins: figure 7 of Clark, Dyer and Lavie (2014)."""

from __future__ import annotations

from functools import partial
from itertools import pairwise

from demotic.base.errors import DemoticError
from demotic.report.weight_plot import WeightCurve, draw_weights, weight_curve
from demotic.reproduce.context import Context
from demotic.reproduce.experiment import Column
from demotic.reproduce.kinds.system_table import systems_json
from demotic.reproduce.layout import Cell, Heading, PaperTable
from demotic.reproduce.result import FigureResult, Result
from demotic.reproduce.scores import Scores


def bin_figure(context: Context, scores: Scores) -> Result:
    """A figure for each row of `figure.plots`: a row of the experiment and a feature that it has bins for."""
    experiment = context.experiment
    plots: dict[str, str] = experiment.figure.get("plots", {})
    if not plots:
        raise DemoticError(
            "no features to plot",
            f"{experiment.name}.toml",
            hint='add [figure.plots] with  ROW = "ProbEgivenF"',
        )
    curves = {}
    for row, feature in plots.items():
        model = scores.outcomes[context.system(experiment.row(row), Column())][0].model
        curves[row] = weight_curve(model, feature)
    rows = [
        [
            Cell(row),
            Cell(curve.feature),
            Cell(str(len(curve.weights))),
            Cell(str(_turns(curve))),
            Cell(f"{curve.fit[0]:.3g} + {curve.fit[1]:.3g} log10 x" if curve.fit else "–"),
            Cell(experiment.row(row).published.get("shape", "")),
        ]
        for row, curve in curves.items()
    ]
    titles = ("row", "feature", "bins", "turns", "fitted curve")
    headings = [*map(Heading, titles), Heading("shape", is_published=True)]
    figures = [
        FigureResult(
            f"{experiment.name}-{curve.feature}",
            f"Weights of the bins of {curve.feature}, with a log curve fitted to them in grey.",
            f"{len(curve.weights)} bins, weights from {curve.weights.min():.3g} to {curve.weights.max():.3g}",
            partial(draw_weights, curve),
        )
        for curve in curves.values()
    ]
    data = {
        "curves": {row: curve.to_dict() for row, curve in curves.items()},
        "systems": systems_json(context, scores),
    }
    notes = ["turns: bins where the weights stop rising or stop falling; 0 is monotone"]
    return Result(experiment, PaperTable(headings, rows), figures, data, notes)


def _turns(curve: WeightCurve) -> int:
    """How often the direction changes."""
    directions = [step > 0 for step in (curve.weights[1:] - curve.weights[:-1]).tolist() if step]
    return sum(a != b for a, b in pairwise(directions))
