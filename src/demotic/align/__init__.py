"""Word alignment, symmetrisation, and their error rate."""

from demotic.align.aligner import align
from demotic.align.options import AlignOptions
from demotic.align.score import AlignmentScore, score_alignment

__all__ = ["AlignOptions", "AlignmentScore", "align", "score_alignment"]
