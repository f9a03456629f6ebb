"""Weights of discretised features over their bins: figure 7 of Clark, Dyer and Lavie (2014)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import combinations, pairwise

from demotic.base.errors import DemoticError
from demotic.pipeline.discretize import parse_discretize
from demotic.report.weight_plot import WeightCurve, correlation, draw_curves, weight_curve
from demotic.reproduce.context import Context
from demotic.reproduce.experiment import Column
from demotic.reproduce.kinds.system_table import systems_json
from demotic.reproduce.layout import Cell, Heading, PaperTable
from demotic.reproduce.result import FigureResult, Result
from demotic.reproduce.scores import Scores

_TITLES = (
    "row",
    "feature",
    "start",
    "iteration",
    "test",
    "bins",
    "turns",
    "fitted curve",
    "r start",
    "r log x",
)
_NOTES = (
    "start: linear, bins begin with what MERT's weights of the log features give to their values; zero, at 0",
    "iteration: the one with the best BLEU on dev, of those that were run",
    "turns: bins where the weights stop rising or stop falling; 0 is monotone",
    "r: correlation over bins of the learnt weights with those at the start, and with log10 x",
)
Curves = Mapping[str, WeightCurve]  # by row


def bin_figure(context: Context, scores: Scores) -> Result:
    """A figure for each feature of `figure.plots`, which names rows of the experiment and a feature that each has bins for."""
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
    by_feature: dict[str, dict[str, WeightCurve]] = {}
    for row, curve in curves.items():
        by_feature.setdefault(curve.feature, {})[row] = curve
    rows = [_cells(context, scores, row, curve) for row, curve in curves.items()]
    headings = [*map(Heading, _TITLES), Heading("shape", is_published=True)]
    figures = [_figure(experiment.name, feature, found) for feature, found in by_feature.items()]
    data = {
        "curves": {row: curve.to_dict() for row, curve in curves.items()},
        "systems": systems_json(context, scores),
    }
    agreement = [line for feature, found in by_feature.items() for line in _agreement(feature, found)]
    return Result(experiment, PaperTable(headings, rows), figures, data, [*_NOTES, *agreement])


def _cells(context: Context, scores: Scores, id_: str, curve: WeightCurve) -> list[Cell]:
    row = context.experiment.row(id_)
    system = context.system(row, Column())
    outcome, bleu = scores.outcomes[system][0], scores.bleu(system, "test")
    texts = [
        id_,
        curve.feature,
        parse_discretize(row.discretize).start,
        f"{outcome.epoch} of {len(outcome.history)}",
        f"{bleu[0]:.2f}" if bleu else "–",
        str(len(curve.weights)),
        str(_turns(curve)),
        f"{curve.fit[0]:.3g} {curve.fit[1]:+.3g} log10 x" if curve.fit else "–",
        _number(curve.start_correlation),
        _number(curve.log_correlation),
        row.published.get("shape", ""),
    ]
    return list(map(Cell, texts))


def _figure(name: str, feature: str, curves: Curves) -> FigureResult:
    ranges = [
        f"{row}: {len(curve.weights)} bins, weights from {curve.weights.min():.3g} to {curve.weights.max():.3g}"
        for row, curve in curves.items()
    ]
    return FigureResult(
        f"{name}-{feature}",
        f"Weights of the bins of {feature}, with log curves fitted to them in grey.",
        "; ".join(ranges),
        partial(draw_curves, curves),
    )


def _agreement(feature: str, curves: Curves) -> Iterator[str]:
    """How much the curves of one feature have in common."""
    for (a, first), (b, second) in combinations(curves.items(), 2):
        if len(first.weights) == len(second.weights):
            yield f"{feature}: the curves of {a} and {b} correlate {_number(correlation(first.weights, second.weights))}"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _turns(curve: WeightCurve) -> int:
    """How often the direction changes."""
    directions = [step > 0 for step in (curve.weights[1:] - curve.weights[:-1]).tolist() if step]
    return sum(a != b for a, b in pairwise(directions))
