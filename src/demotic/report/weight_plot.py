"""The weights of a feature's bins as a curve: figure 7 of Clark, Dyer and Lavie (2014)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from demotic.base.errors import DemoticError
from demotic.base.files import Pathish
from demotic.base.options import unknown_name
from demotic.decode.model import BINS, WEIGHTS
from demotic.features import Bins, Weights
from demotic.report.figures import SERIES, new_axes, plain, save_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

GREY = "0.6"  # of the fitted curve, as in the paper
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
    """

    feature: str
    low: Vector
    high: Vector
    weights: Vector
    fit: tuple[float, float] | None

    @classmethod
    def of(cls, feature: str, low: Vector, high: Vector, weights: Vector) -> WeightCurve:
        """With the curve fitted to the middles of the bins; bins at 0 and below have no logarithm and are passed over."""
        middle = (low + high) / 2
        above = middle > 0
        fit = None
        if above.sum() >= 2:
            columns = np.column_stack([np.ones(above.sum()), np.log10(middle[above])])
            (a, b), *_ = np.linalg.lstsq(columns, weights[above], rcond=None)
            fit = float(a), float(b)
        return cls(feature, low, high, weights, fit)

    def to_dict(self) -> dict[str, object]:
        """Plain values."""
        bins = zip(self.low.tolist(), self.high.tolist(), self.weights.tolist(), strict=True)
        rows = [{"low": low, "high": high, "weight": weight} for low, high, weight in bins]
        return {"feature": self.feature, "bins": rows, "fit": self.fit and list(self.fit)}


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
    weights = Weights.load(folder / WEIGHTS)
    learnt = np.array([weights.get(name) for name in found.names])
    return WeightCurve.of(feature, np.array(found.low), np.array(found.high), learnt)


def weight_plot(curve: WeightCurve, out: Pathish) -> list[Path]:
    """Draw it: a step for each bin, with the fitted curve in grey; NAME.png, NAME.svg or both."""
    return save_figure(lambda: draw_weights(curve), out)


def draw_weights(curve: WeightCurve) -> Figure:
    """The figure of `weight_plot`."""
    figure, axes = new_axes(6, 3.5)
    middle = (curve.low + curve.high) / 2
    if curve.fit is not None:
        a, b = curve.fit
        lowest = middle[middle > 0].min()
        x = np.geomspace(lowest, max(middle.max(), lowest * 1.001), 200)
        axes.plot(
            x, a + b * np.log10(x), color=GREY, label=f"{a:.3g} {'-' if b < 0 else '+'} {abs(b):.3g} log10 x"
        )
        axes.legend(
            frameon=False, loc="lower right", bbox_to_anchor=(1, 1), borderaxespad=0
        )  # above: never on a curve
    axes.hlines(curve.weights, curve.low, curve.high, color=SERIES[0])
    axes.plot(middle, curve.weights, marker=".", color=SERIES[0], linewidth=0.8)
    axes.set_xlabel(plain(curve.feature))
    axes.set_ylabel("weight")
    return figure
