"""What the systems learnt: the features that they like most and least, weights over bins, groups."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from demotic.experiments.figures import INK, SERIES, new_axes, plain
from demotic.experiments.report.figure_book import FigureBook
from demotic.experiments.report.markup import Markup, element, join, slug
from demotic.experiments.report.parts import BinnedWeights, Cell, FeatureGroup, FigurePart, SystemPart, Table
from demotic.experiments.report.readable import readable
from demotic.experiments.report.tables import render_table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_SHOWN = 15  # features at each end, groups
_DENSE_SHOWN = 40
_MEMBERS_SHOWN = 6


def render_features(system: SystemPart, book: FigureBook) -> Markup:
    """What one system learnt; empty if its weights are not known."""
    parts: list[Markup] = []
    for table in feature_tables(system):
        parts.append(render_table(table, class_="weights"))
    if system.bins:
        figures = [book.show(_bins_figure(system.name, binned)) for binned in system.bins]
        parts.append(element("div", figures, class_="figures"))
    if system.groups:
        sizes = book.show(_groups_figure(system))
        parts.append(element("div", sizes, render_table(_groups_table(system.groups)), class_="figures"))
    if not parts:
        return Markup("")
    return join([element("h3", system.name), element("div", parts, class_="tables")])


def feature_tables(system: SystemPart) -> list[Table]:
    """Dense weights; the sparse features that weigh most on either side; how many features each template has."""
    dense = {name: weight for name, weight in system.weights.items() if ":" not in name}
    sparse = {name: weight for name, weight in system.weights.items() if ":" in name}
    tables = []
    if dense:
        names = sorted(dense, key=lambda name: (-abs(dense[name]), name))
        note = "" if len(names) <= _DENSE_SHOWN else f"The {_DENSE_SHOWN} of {len(names):,} that weigh most."
        tables.append(_weights_table("Dense features", names[:_DENSE_SHOWN], dense, system, note))
    for title, sign in (("Most helpful sparse features", 1), ("Least helpful sparse features", -1)):
        names = sorted((n for n in sparse if sign * sparse[n] > 0), key=lambda n: (-sign * sparse[n], n))
        if names:
            kind = "positive" if sign > 0 else "negative"
            note = f"{min(_SHOWN, len(names))} of {len(names):,} features with {kind} weight."
            tables.append(_weights_table(title, names[:_SHOWN], sparse, system, note))
    if sparse:
        counts = Counter(name.partition(":")[0] for name in sparse)
        rows: list[list[Cell]] = [[name, count] for name, count in sorted(counts.items())]
        tables.append(Table("Sparse features by template", ["template", "features"], rows))
    return tables


def _weights_table(
    caption: str, names: Sequence[str], weights: Mapping[str, float], system: SystemPart, note: str
) -> Table:
    largest = max(abs(weights[name]) for name in names)
    header = ["feature", "weight", ""]
    rows: list[list[Cell]] = [[readable(n), f"{weights[n]:+.4f}", bar(weights[n] / largest)] for n in names]
    if system.fired is not None:
        header.append("used")
        note = f"{note} Used: in how many translations of the test set.".strip()
        for name, row in zip(names, rows, strict=True):
            row.append(system.fired.get(name, 0))
    return Table(caption, header, rows, note)


def bar(share: float) -> Markup:
    """A bar to the right (positive) or left of the middle; an ornament beside the figure that says the same."""
    side = "positive" if share >= 0 else "negative"
    length = f"width:{50 * min(1.0, abs(share)):.1f}%"
    return element("span", element("span", class_=side, style=length), class_="bar", aria_hidden="true")


def _bins_figure(system: str, binned: BinnedWeights) -> FigurePart:
    steps = ", ".join(f"{weight:.3g}" for weight in binned.weights)
    return FigurePart(
        f"bins-{slug(system)}-{slug(binned.feature)}",
        f"Weights of {binned.feature} over its bins, and the fitted logarithmic curve.",
        f"Weights of the {len(binned.weights)} bins of {binned.feature}, from low to high values: {steps}.",
        lambda: draw_bins(binned),
    )


def draw_bins(binned: BinnedWeights) -> Figure:
    """Weights over bins with a fitted curve a + b log(x): figure 7 of Clark, Dyer and Lavie (2014)."""
    figure, axes = new_axes()
    values, weights = np.asarray(binned.values, dtype=float), np.asarray(binned.weights, dtype=float)
    axes.plot(values, weights, ".", color=SERIES[0], label="weights of bins")
    # Shifted so that the smallest value has a logarithm, as log probabilities have none.
    shifted = values - values.min() + 1
    if len(np.unique(shifted)) > 1:
        slope, level = np.polyfit(np.log(shifted), weights, 1)
        axes.plot(values, level + slope * np.log(shifted), color=SERIES[1], label="fitted log curve")
    axes.axhline(0, color=INK, linewidth=0.8)
    axes.set_xlabel(plain(binned.feature))
    axes.set_ylabel("weight")
    figure.legend(loc="outside upper left", frameon=False, fontsize=9)
    return figure


def _groups_table(groups: Sequence[FeatureGroup]) -> Table:
    largest = sorted(groups, key=lambda group: (-len(group.features), -group.weight))[:_SHOWN]
    rows: list[list[Cell]] = []
    for group in largest:
        named = sorted(group.features)
        more = f" … {len(named) - _MEMBERS_SHOWN:,} more" if len(named) > _MEMBERS_SHOWN else ""
        members = "; ".join(map(readable, named[:_MEMBERS_SHOWN])) + more
        rows.append([len(named), f"{group.weight:+.4g}", members])
    return Table(
        f"The largest of {len(groups):,} groups",
        ["size", "weight", "members"],
        rows,
        "Features of a group share a weight.",
    )


def _groups_figure(system: SystemPart) -> FigurePart:
    sizes = Counter(len(group.features) for group in system.groups)
    facts = ", ".join(f"{count:,} of size {size}" for size, count in sorted(sizes.items())[:10])
    return FigurePart(
        f"groups-{slug(system.name)}",
        "How many groups have how many features.",
        f"Sizes of the {len(system.groups):,} groups: {facts}{' and so on' if len(sizes) > 10 else ''}.",
        lambda: _draw_groups(sizes),
    )


def _draw_groups(sizes: Mapping[int, int]) -> Figure:
    figure, axes = new_axes()
    ordered = sorted(sizes.items())
    axes.plot(
        [size for size, _ in ordered], [count for _, count in ordered], "o", color=SERIES[0], markersize=4
    )
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("features in the group")
    axes.set_ylabel("groups")
    return figure
