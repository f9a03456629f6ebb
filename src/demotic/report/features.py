"""What the systems learnt: the features that they like most and least, weights over bins, groups."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from demotic.report.figure_book import FigureBook, FigureView
from demotic.report.figures import SERIES, new_axes
from demotic.report.parts import Bar, Cell, FeatureGroup, FigurePart, SystemPart, Table
from demotic.report.readable import readable
from demotic.report.tables import TableView, table_view
from demotic.report.templating import slug
from demotic.report.weight_plot import WeightCurve, draw_weights

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_SHOWN = 15  # features at each end, groups
_DENSE_SHOWN = 40
_MEMBERS_SHOWN = 6


@dataclass(frozen=True)
class SystemFeatures:
    """What `features.html` shows of one system.

    Attributes:
        name: of the system.
        tables: features that weigh much, and how many there are.
        bins: weights of discretised features.
        group_sizes: a figure; None without groups.
        groups: the largest ones; None without groups.
    """

    name: str
    tables: Sequence[TableView]
    bins: Sequence[FigureView]
    group_sizes: FigureView | None
    groups: TableView | None


def features_view(systems: Sequence[SystemPart], book: FigureBook) -> list[SystemFeatures]:
    """What the systems learnt, of those whose weights are known."""
    return [
        SystemFeatures(
            system.name,
            [table_view(table) for table in feature_tables(system)],
            [book.show(_bins_figure(system.name, curve)) for curve in system.bins],
            book.show(_groups_figure(system)) if system.groups else None,
            table_view(_groups_table(system.groups)) if system.groups else None,
        )
        for system in systems
        if system.weights or system.bins or system.groups
    ]


def feature_tables(system: SystemPart) -> list[Table]:
    """The sparse features that weigh most on either side; dense weights; how many features each template has."""
    dense = {name: weight for name, weight in system.weights.items() if ":" not in name}
    sparse = {name: weight for name, weight in system.weights.items() if ":" in name}
    tables = []
    for title, sign in (("Most helpful sparse features", 1), ("Least helpful sparse features", -1)):
        names = sorted((n for n in sparse if sign * sparse[n] > 0), key=lambda n: (-sign * sparse[n], n))
        if names:
            kind = "positive" if sign > 0 else "negative"
            note = f"{min(_SHOWN, len(names))} of {len(names):,} features with {kind} weight."
            tables.append(_weights_table(title, names[:_SHOWN], sparse, system, note))
    if dense:
        names = sorted(dense, key=lambda name: (-abs(dense[name]), name))
        note = "" if len(names) <= _DENSE_SHOWN else f"The {_DENSE_SHOWN} of {len(names):,} that weigh most."
        tables.append(_weights_table("Dense features", names[:_DENSE_SHOWN], dense, system, note))
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
    rows: list[list[Cell]] = [[readable(n), f"{weights[n]:+.4f}", Bar(weights[n] / largest)] for n in names]
    if system.fired is not None:
        header.append("used")
        note = f"{note} Used: in how many translations of the test set.".strip()
        for name, row in zip(names, rows, strict=True):
            row.append(system.fired.get(name, 0))
    return Table(caption, header, rows, note)


def _bins_figure(system: str, curve: WeightCurve) -> FigurePart:
    steps = ", ".join(f"{weight:.3g}" for weight in curve.weights)
    fitted = ", and the logarithmic curve that comes closest" if curve.fit else ""
    return FigurePart(
        f"bins-{slug(system)}-{slug(curve.feature)}",
        f"Weights of {curve.feature} over its bins{fitted}.",
        f"Weights of the {len(curve.weights)} bins of {curve.feature}, from low to high values: {steps}.",
        lambda: draw_weights(curve),
    )


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
    sizes = group_sizes(system.groups)
    facts = ", ".join(f"{count:,} of size {label}" for label, count in sizes.items())
    return FigurePart(
        f"groups-{slug(system.name)}",
        "How many groups have how many features.",
        f"Sizes of the {len(system.groups):,} groups: {facts}.",
        lambda: _draw_groups(sizes),
    )


def group_sizes(groups: Sequence[FeatureGroup]) -> dict[str, int]:
    """How many groups have 1, 2, 3 to 4, 5 to 8, ... features."""
    steps = Counter((len(group.features) - 1).bit_length() for group in groups)
    labels = {
        step: str(2**step) if step < 2 else f"{2 ** (step - 1) + 1}–{2**step}"
        for step in range(max(steps) + 1)
    }
    return {label: steps[step] for step, label in labels.items()}


def _draw_groups(sizes: Mapping[str, int]) -> Figure:
    figure, axes = new_axes()
    bars = axes.bar(list(sizes), list(sizes.values()), color=SERIES[0])
    axes.bar_label(bars, fmt="{:,.0f}", fontsize=8)
    axes.tick_params(axis="x", rotation=45 if len(sizes) > 6 else 0)
    axes.set_xlabel("features in the group")
    axes.set_ylabel("groups")
    return figure
