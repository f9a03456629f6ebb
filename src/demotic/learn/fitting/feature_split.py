"""Which features are dense and which are sparse."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from demotic import _core
from demotic.features import FeatureIndex


@dataclass(frozen=True)
class FeatureSplit:
    """Which features a line search moves one by one: V = Vd + Vs of Flanigan, Dyer and Carbonell (2013), section 4.

    Features of templates, which have a colon in their names, are sparse, all others are dense; patterns as of file names make
    exceptions, and those of `dense` count before those of `sparse`.
    """

    dense: tuple[str, ...] = ()
    sparse: tuple[str, ...] = ()

    def is_dense(self, name: str) -> bool:
        """Whether the feature has a number of its own."""
        if any(fnmatchcase(name, pattern) for pattern in self.dense):
            return True
        return ":" not in name and not any(fnmatchcase(name, pattern) for pattern in self.sparse)

    def dense_names(self, index: FeatureIndex) -> list[str]:
        """The dense features of an index, sorted."""
        ids: Sequence[int] = range(len(index))
        if not self.dense:  # all of them are among those without a colon, which the core finds quickly
            plain = _core.LearnableFeatures("dense")
            plain.classify(index)
            ids = plain.dense.tolist()
        return sorted(name for name in map(index.name, ids) if self.is_dense(name))
