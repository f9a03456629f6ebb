"""The bins of a model: which dense features are indicators of ranges instead, as `bins.toml` in its folder says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import tomli_w

from demotic import _core
from demotic.base.errors import DemoticError
from demotic.base.files import Pathish, atomic_write
from demotic.base.options import load_toml, options_from
from demotic.features.binning import FeatureBins


@dataclass(frozen=True)
class Bins:
    """The feature transform of a model, applied to each translation rule (Clark, Dyer and Lavie 2014, equations 3, 4 and 8).

    Glue and pass-through rules have no bins, as they have no features of templates: each has the same number of words and nothing
    else that could be binned, so its own dense feature says all.

    Attributes:
        features: the bins of each input: a column of the grammar, any feature that extraction knows, or `WordCount`.
        real: inputs that join as real-valued features.
        left_out: dense features of the model's set that are no longer there.
        overlap: a value also fires the neighbours of its bin (equation 8).
    """

    features: tuple[FeatureBins, ...] = ()
    real: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    overlap: bool = False

    def __post_init__(self) -> None:
        names = [*(bins.feature for bins in self.features), *self.real]
        for name in names:
            if names.count(name) > 1:
                raise DemoticError(f"feature '{name}' is binned twice")
        for bins in self.features:
            if len(bins) < 2:
                raise DemoticError(
                    f"feature '{bins.feature}' needs at least 2 bins (got 1)", hint="keep it real-valued"
                )

    def native(self) -> _core.FeatureTransform:
        """The same for the core."""
        binned = [(bins.feature, list(bins.boundaries), list(bins.names)) for bins in self.features]
        return _core.FeatureTransform([*binned, *((name, [], [name]) for name in self.real)], self.overlap)

    @property
    def names(self) -> list[str]:
        """Of all bins."""
        return [name for bins in self.features for name in bins.names]

    def save(self, path: Pathish) -> None:
        """Write `bins.toml`."""
        tables = {bins.feature: {"low": list(bins.low), "high": list(bins.high)} for bins in self.features}
        plain = {"overlap": self.overlap, "left_out": list(self.left_out), "real": list(self.real)}
        with atomic_write(path) as file:
            file.write(tomli_w.dumps({**plain, "bins": tables}))

    @classmethod
    def load(cls, path: Pathish) -> Bins:
        """Read `bins.toml`.

        Raises:
            DemoticError: with the file, if anything in it is not as `save` writes it.
        """
        values = load_toml(path)
        tables: Any = values.pop("bins", {})
        if not isinstance(tables, dict) or not all(isinstance(table, dict) for table in tables.values()):
            raise DemoticError("[bins] must be a table of tables", path)
        edges = {
            name: options_from(_Edges, table, file=path, prefix=f"bins.{name}.")
            for name, table in tables.items()
        }
        try:
            features = tuple(FeatureBins(name, table.low, table.high) for name, table in edges.items())
            others = options_from(_Others, values, file=path)
            return cls(features, others.real, others.left_out, others.overlap)
        except DemoticError as error:
            raise DemoticError(error.message, path, hint=error.hint) from error


@dataclass(frozen=True)
class _Edges:
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()


@dataclass(frozen=True)
class _Others:
    real: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    overlap: bool = False
