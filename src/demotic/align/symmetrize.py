"""Two directional alignments into one: the heuristics of Och and Ney (2003) and Koehn et al. (2003), by sil-thot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from demotic.align.options import Heuristic
from demotic.align.pharaoh import Link

# Heuristic -> method of thot's WordAlignmentMatrix, called on the direct matrix with the inverse one.
_METHODS: dict[str, str] = {
    "grow-diag-final-and": "grow_diag_final_and",
    "grow-diag-final": "grow_diag_final",
    "grow-diag": "grow_diag",
    "grow": "grow",
    "och": "och_symmetrize",
    "intersection": "intersect",
    "union": "union",
}


def symmetrizer(heuristic: Heuristic) -> Callable[[Sequence[int], Sequence[int]], list[Link]]:
    """A function of the two directions of one sentence pair.

    Its arguments: for each target word the 1-based source position (0: none), and for each source word the 1-based
    target position. Its result: 0-based links (source, target), sorted. `source-target` keeps the first direction only,
    `target-source` the second.
    """
    if heuristic == "source-target":
        return lambda direct, inverse: sorted((i - 1, j) for j, i in enumerate(direct) if i)
    if heuristic == "target-source":
        return lambda direct, inverse: sorted((i, j - 1) for i, j in enumerate(inverse) if j)
    method = _METHODS[heuristic]
    return lambda direct, inverse: _symmetrize(direct, inverse, method)


def _symmetrize(direct: Sequence[int], inverse: Sequence[int], method: str) -> list[Link]:
    from thot.common import WordAlignmentMatrix

    rows, columns = len(inverse), len(direct)
    matrix: Any = WordAlignmentMatrix(rows, columns)
    matrix.put_list(list(direct))
    other = WordAlignmentMatrix(columns, rows)
    other.put_list(list(inverse))
    other.transpose()
    getattr(matrix, method)(other)
    sources, targets = matrix.to_numpy().nonzero()
    return list(zip(sources.tolist(), targets.tolist(), strict=True))
