"""Two directional alignments into one: the heuristics of Och and Ney (2003) and Koehn et al. (2003)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from demotic import _core
from demotic.align.options import Heuristic
from demotic.align.pharaoh import Link


def symmetrizer(heuristic: Heuristic) -> Callable[[Sequence[int], Sequence[int]], list[Link]]:
    """A function of the two directions of one sentence pair.

    Its arguments: for each target word the 1-based source position (0: none), and for each source word the 1-based
    target position. Its result: 0-based links (source, target), sorted. `source-target` keeps the first direction only,
    `target-source` the second.
    """

    def symmetrize(by_target: Sequence[int], by_source: Sequence[int]) -> list[Link]:
        return [(i, j) for i, j in _core.symmetrize(by_target, by_source, heuristic).tolist()]

    return symmetrize
