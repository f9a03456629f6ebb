"""Probabilities of confidence against the share of translations that are good enough."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from demotic.adapt.check_confidence import ConfidenceCheck
from demotic.base.files import Pathish
from demotic.report.figures import GRID, MARKERS, new_axes, plain, save_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def calibration_plot(checks: Mapping[str, ConfidenceCheck], out: Pathish) -> list[Path]:
    """Draw a curve for each text, with a point for each tenth of its sentences by probability; calibrated ones lie on the diagonal.

    Args:
        checks: by name.
        out: NAME.png or NAME.svg; without either ending both are written.

    Returns:
        The files written.
    """
    return save_figure(lambda: draw_calibration(checks), out)


def draw_calibration(checks: Mapping[str, ConfidenceCheck]) -> Figure:
    """The figure of `calibration_plot`."""
    figure, axes = new_axes(4.6, 4.2)
    axes.plot([0, 1], [0, 1], color=GRID, linewidth=1.5, zorder=0)
    for number, (name, check) in enumerate(checks.items()):
        axes.plot(
            [point.probability for point in check.curve],
            [point.good for point in check.curve],
            marker=MARKERS[number % len(MARKERS)],
            markersize=4,
            linewidth=1.2,
            label=plain(name),
        )
    axes.set(
        xlabel="probability", ylabel="share that is good enough", xlim=(0, 1), ylim=(0, 1), aspect="equal"
    )
    axes.legend(loc="upper left")
    return figure
