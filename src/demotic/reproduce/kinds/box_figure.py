"""Scores of many runs of an optimiser as boxes: figure 4 of Simianer, Riezler and Dyer (2012)."""

from __future__ import annotations

from demotic.base.errors import DemoticError
from demotic.report.box_plot import box_of, draw_boxes
from demotic.reproduce.context import Context
from demotic.reproduce.experiment import Column
from demotic.reproduce.kinds.system_table import systems_json
from demotic.reproduce.layout import Cell, Heading, PaperTable
from demotic.reproduce.result import FigureResult, Result
from demotic.reproduce.scores import Scores


def box_figure(context: Context, scores: Scores) -> Result:
    """A box for every row with several replicas, a line for every other; the numbers behind them as a table."""
    column = Column(value="bleu", set="test")
    systems = {row.id: scores.bleu(context.system(row, column), "test") for row in context.rows()}
    if not any(len(found) > 1 for found in systems.values()):
        raise DemoticError(
            "a box plot needs several runs of each system", hint="set sizes.replicas to 2 or more"
        )
    names = ("runs", "median", "mean", "deviation", "lowest", "highest")
    headings = [Heading(""), *map(Heading, names), Heading("median", True), Heading("mean", True)]
    rows = []
    for row in context.rows():
        published = [Cell(row.published.get(name, "")) for name in ("median", "mean")]
        rows.append([Cell(row.id), *_figures(systems[row.id]), *published])
    figure = FigureResult(
        context.experiment.name,
        "BLEU of runs that differ in their seed. Boxes: quartiles; M: median; cross: mean; whiskers: standard deviation; dots: extremes.",
        "; ".join(f"{row[0].text}: median {row[2].text} BLEU" for row in rows),
        lambda: draw_boxes(systems),
    )
    data = {"systems": systems_json(context, scores)}
    return Result(context.experiment, PaperTable(headings, rows), [figure], data)


def _figures(scores: list[float]) -> list[Cell]:
    if len(scores) == 1:
        return [Cell("1"), *[Cell(f"{scores[0]:.2f}")] * 2, Cell("–"), *[Cell(f"{scores[0]:.2f}")] * 2]
    box = box_of(scores)
    values = (box["med"], box["mean"], box["mean"] - box["whislo"], *box["fliers"])
    return [Cell(str(len(scores))), *(Cell(f"{value:.2f}") for value in values)]
