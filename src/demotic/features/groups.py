"""Groups of features that share a weight, and the file `groups.txt` that says which.

A group is a feature of its own, `group:1`, `group:2`, ...: its value in a rule is the sum of its members' values. Whatever is decoded
with a `TemplateSet` that knows groups has group features only, so any learner tunes them without knowing. `tie` and `untie` go
between weights of features, which is how models are kept, and those of groups.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from demotic import _core
from demotic.base.errors import DemoticError
from demotic.base.files import Pathish, atomic_write, read_blocks
from demotic.base.lazy import LazyModule
from demotic.features.packed_weights import PackedWeights

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
else:
    np = LazyModule("numpy")

GROUPS = "groups.txt"  # in a model


class FeatureGroups:
    """Disjoint groups of features of templates. Features in no group have no weight; dense features are left alone.

    Args:
        native: from `load` or `from_text`.
    """

    def __init__(self, native: _core.FeatureGroups) -> None:
        self.native = native

    @classmethod
    def load(cls, path: Pathish) -> FeatureGroups:
        """Read `groups.txt`, of a model or by itself: lines `feature<TAB>number of its group`.

        Raises:
            DemoticError: for a malformed line, a dense feature, or a feature in two groups, with the line.
        """
        file = Path(path) / GROUPS if Path(path).is_dir() else Path(path)
        if file != Path(path) and not file.exists():
            raise DemoticError(
                f"the model has no {GROUPS}",
                path,
                hint="groups come from `demotic tune --learner oscar`",
            )
        return cls.from_text(b"".join(read_blocks(file)), file)

    @classmethod
    def from_text(cls, text: bytes, file: Pathish = GROUPS) -> FeatureGroups:
        """The same from the bytes of a file; its name is for errors."""
        return cls(_core.FeatureGroups.from_text(text, str(file)))

    @classmethod
    def from_values(cls, names: Sequence[str], values: npt.NDArray[np.float64]) -> FeatureGroups:
        """D(W) of Liu et al. (2013), section 3: features of equal weight form a group; those at 0 none.

        Weights 1, 3, 1, 3, 1 are two groups. Groups are by signed value, although OSCAR makes magnitudes equal: tied features get one
        weight, and -w is another. They are numbered from the largest weight to the smallest.

        Args:
            names: of features of templates.
            values: beside them.
        """
        used = np.flatnonzero(values)
        inverse = np.unique(-values[used], return_inverse=True)[1]
        lines = (
            f"{names[i]}\t{group + 1}\n" for i, group in zip(used.tolist(), inverse.tolist(), strict=True)
        )
        return cls.from_text("".join(lines).encode("utf-8", "surrogateescape"))

    def save(self, path: Pathish) -> None:
        """Write the file, sorted by group, then by name."""
        with atomic_write(path) as file:
            file.write(self.native.to_text())

    def __len__(self) -> int:
        """Groups."""
        return len(self.native)

    @property
    def features(self) -> int:
        """Features in any group."""
        return self.native.features

    def members(self) -> list[list[str]]:
        """The features of each group, sorted by name."""
        names = self.native.members()
        ends = np.cumsum(self.native.sizes()).tolist()
        return [names[begin:end] for begin, end in zip([0, *ends], ends, strict=False)]

    def tie(self, weights: PackedWeights) -> PackedWeights:
        """Packed weights of features as those of groups: of each the mean over its members."""
        return PackedWeights(self.native.tie(weights))

    def untie(self, weights: PackedWeights) -> PackedWeights:
        """Packed weights of groups as those of features: "if h_j is in g_k, then W_j = W_k" (section 2)."""
        return PackedWeights(self.native.untie(weights))

    def check_templates(self, templates: Sequence[str], file: Pathish = GROUPS) -> None:
        """Refuse members that none of these templates makes.

        Raises:
            DemoticError: with the first such feature.
        """
        known = {
            "src_ngram" if name == "ngram" else name
            for name in (t.removesuffix("@label").partition(":")[0] for t in templates)
        }
        for name in self.native.members():
            if name.partition(":")[0] not in known:
                raise DemoticError(
                    f"feature '{name}' is in a group, but no template produces it",
                    file,
                    hint=f"add --features {name.partition(':')[0]}; the templates are: {', '.join(templates) or 'none'}",
                )
