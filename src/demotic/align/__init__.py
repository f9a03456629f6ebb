"""Word alignment, symmetrisation, and their error rate."""

from demotic.align.aligner import align
from demotic.align.model import AlignmentModel, ScoredLinks, align_with
from demotic.align.options import AlignOptions
from demotic.align.score import AlignmentScore, score_alignment

__all__ = [
    "AlignOptions",
    "AlignmentModel",
    "AlignmentScore",
    "ScoredLinks",
    "align",
    "align_with",
    "score_alignment",
]
