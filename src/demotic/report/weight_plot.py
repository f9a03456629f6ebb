"""The weights of a feature's bins as a curve: figure 7 of Clark, Dyer and Lavie (2014)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from demotic.base.errors import DemoticError
from demotic.base.files import Pathish
from demotic.base.options import unknown_name
from demotic.decode.model_folder import BINS, ModelFolder
from demotic.features import Bins, FeatureBins
from demotic.pipeline.discretize import STAGE
from demotic.report.figures import MARKERS, SERIES, new_axes, plain, save_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

GREY = "0.6"  # of the fitted curve, as in the paper
_FIT_LINES = ("-", "--")
Vector = npt.NDArray[np.float64]


@dataclass(frozen=True)
class WeightCurve:
    """What has been learnt about a feature.

    Attributes:
        feature: whose bins they are.
        low: lowest value in each bin.
        high: highest.
        weights: of the bins.
        fit: intercept and slope of the curve a + b log10 x that comes closest, in least squares; None if fewer than two bins lie above 0.
        start: weights that the bins began with; None if nobody knows.
    """

    feature: str
    low: Vector
    high: Vector
    weights: Vector
    fit: tuple[float, float] | None
    start: Vector | None = None

    @classmethod
    def of(
        cls, feature: str, low: Vector, high: Vector, weights: Vector, start: Vector | None = None
    ) -> WeightCurve:
        """With the curve fitted to the middles of the bins; bins at 0 and below have no logarithm and are passed over."""
        middle = (low + high) / 2
        above = middle > 0
        fit = None
        if above.sum() >= 2:
            columns = np.column_stack([np.ones(above.sum()), np.log10(middle[above])])
            (a, b), *_ = np.linalg.lstsq(columns, weights[above], rcond=None)
            fit = float(a), float(b)
        return cls(feature, low, high, weights, fit, start)

    @property
    def start_correlation(self) -> float | None:
        """Of the weights learnt and those begun with, over bins; None where either are all equal."""
        return None if self.start is None else correlation(self.start, self.weights)

    @property
    def log_correlation(self) -> float | None:
        """Of the weights and log10 x in the middles of the bins that lie above 0."""
        middle = (self.low + self.high) / 2
        return correlation(np.log10(middle[middle > 0]), self.weights[middle > 0])

    def to_dict(self) -> dict[str, object]:
        """Plain values."""
        bins = zip(self.low.tolist(), self.high.tolist(), self.weights.tolist(), strict=True)
        rows = [{"low": low, "high": high, "weight": weight} for low, high, weight in bins]
        return {
            "feature": self.feature,
            "bins": rows,
            "fit": self.fit and list(self.fit),
            "start": None if self.start is None else self.start.tolist(),
            "start_correlation": self.start_correlation,
            "log_correlation": self.log_correlation,
        }


def correlation(a: Vector, b: Vector) -> float | None:
    """Pearson's; None if all values of either are equal."""
    if len(a) < 2 or np.ptp(a) == 0 or np.ptp(b) == 0:
        return None
    return float(np.corrcoef(a, b)[0, 1])


def weight_curve(model: Pathish, feature: str) -> WeightCurve:
    """The curve of a discretised model's feature, by the name that `bins.toml` has for it."""
    folder = Path(model)
    if not (folder / BINS).exists():
        raise DemoticError(
            f"the model has no bins: {BINS} is missing",
            folder,
            hint="make one with  demotic tune --discretize bits=4",
        )
    bins = Bins.load(folder / BINS)
    found = next((each for each in bins.features if each.feature == feature), None)
    if found is None:
        raise unknown_name("feature", feature, [each.feature for each in bins.features], file=folder / BINS)
    learnt = _weights(folder, found)
    begun = folder / "run" / STAGE  # not where a model was copied without its checkpoints
    is_known = (begun / BINS).exists() and Bins.load(begun / BINS) == bins
    start = _weights(begun, found) if is_known else None
    return WeightCurve.of(feature, np.array(found.low), np.array(found.high), learnt, start)


def _weights(folder: Path, bins: FeatureBins) -> Vector:
    weights = ModelFolder(folder).weights
    return np.array([weights.get(name) for name in bins.names])


def weight_plot(curve: WeightCurve, out: Pathish) -> list[Path]:
    """Draw it: a step for each bin, with the fitted curve in grey; NAME.png, NAME.svg or both."""
    return save_figure(lambda: draw_weights(curve), out)


def draw_weights(curve: WeightCurve) -> Figure:
    """The figure of `weight_plot`."""
    return draw_curves({"": curve})


def draw_curves(curves: Mapping[str, WeightCurve]) -> Figure:
    """Several curves of one feature by name, each with its fit."""
    figure, axes = new_axes(6, 3.5)
    for i, (name, curve) in enumerate(curves.items()):
        middle = (curve.low + curve.high) / 2
        if curve.fit is not None:
            x = np.geomspace(lowest := middle[middle > 0].min(), max(middle.max(), lowest * 1.001), 200)
            a, b = curve.fit
            axes.plot(
                x, a + b * np.log10(x), color=GREY, linestyle=_FIT_LINES[i % 2], label=_fit_label(name, a, b)
            )
        colour, marker = SERIES[i % len(SERIES)], MARKERS[i % len(MARKERS)]
        axes.hlines(curve.weights, curve.low, curve.high, color=colour)
        axes.plot(
            middle,
            curve.weights,
            marker=marker,
            markersize=3,
            color=colour,
            linewidth=0.8,
            label=name or None,
        )
    if axes.get_legend_handles_labels()[1]:  # above: never on a curve
        axes.legend(
            frameon=False, loc="lower right", bbox_to_anchor=(1, 1), borderaxespad=0, ncols=len(curves)
        )
    axes.set_xlabel(plain(next(iter(curves.values())).feature))
    axes.set_ylabel("weight")
    return figure


def _fit_label(name: str, a: float, b: float) -> str:
    return f"{name}{': ' if name else ''}{a:.3g} {'-' if b < 0 else '+'} {abs(b):.3g} log10 x"
