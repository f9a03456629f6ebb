"""BLEU after every epoch, on the set that epochs are chosen on: which learners need fewer of them?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import TYPE_CHECKING

from demotic.report.figures import MARKERS, SERIES, new_axes, plain
from demotic.reproduce.context import Context
from demotic.reproduce.experiment import Column
from demotic.reproduce.result import FigureResult
from demotic.reproduce.scores import Scores

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Curves = Mapping[str, Sequence[float]]
_STYLES = ("-", "--")  # once all colours are in use


def epoch_figures(context: Context, scores: Scores) -> list[FigureResult]:
    """A figure of the rows that `figure.curves` names; none if it names none."""
    curves = epoch_curves(context, scores)
    if not curves:
        return []
    best = {name: max(range(len(bleu)), key=bleu.__getitem__) for name, bleu in curves.items()}
    return [
        FigureResult(
            f"{context.experiment.name}-epochs",
            "BLEU on the set that epochs are chosen on, after each epoch; means over replicas.",
            "; ".join(
                f"{name}: {bleu[0]:.1f} after the first epoch, best {bleu[best[name]]:.1f} after {best[name] + 1}"
                for name, bleu in curves.items()
            ),
            lambda: draw_epochs(curves),
        )
    ]


def epoch_curves(context: Context, scores: Scores) -> dict[str, list[float]]:
    """Means over replicas by name of the row, as far as all replicas went."""
    curves = {}
    for id_ in context.experiment.figure.get("curves", []):
        row = context.experiment.row(id_)
        outcomes = scores.outcomes.get(context.system(row, Column()), [])
        histories = [
            [float(epoch["held_out_bleu"]) for epoch in outcome.history if "held_out_bleu" in epoch]
            for outcome in outcomes
        ]
        if histories and all(histories):  # a learner may choose by another metric
            curves[row.name()] = [fmean(epoch) for epoch in zip(*histories, strict=False)]
    return curves


def draw_epochs(curves: Curves) -> Figure:
    """A line for each row."""
    from matplotlib.ticker import MaxNLocator

    figure, axes = new_axes(6.4, 3.6)
    for number, (name, bleu) in enumerate(curves.items()):
        axes.plot(
            range(1, len(bleu) + 1),
            bleu,
            linestyle=_STYLES[number // len(SERIES) % len(_STYLES)],
            marker=MARKERS[number % len(MARKERS)],
            color=SERIES[number % len(SERIES)],
            label=plain(name, 48),
        )
    axes.set_xlabel("epoch")
    axes.set_ylabel("BLEU")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.legend(frameon=False, fontsize=7, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return figure
