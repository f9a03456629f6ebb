"""Options of the recipe."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from demotic.base.checks import at_least, between, positive
from demotic.learn.batch.mert import MertOptions
from demotic.learn.online.adagrad import AdaGradOptions
from demotic.learn.options import LeaveOutOptions


@dataclass(frozen=True)
class RecipeOptions(LeaveOutOptions):
    """MERT on dev, AdaGrad on training pairs, and how far to go from the one to the other.

    What the grammar and the language model must not have seen of a training pair is said once, here, and holds for `adagrad` too.
    """

    start: Literal["auto", "model", "mert"] = (
        "auto"  # dense weights: the model's, or from MERT; auto: MERT only if the model has not been tuned
    )
    lm_folds: int = (
        5  # folds of the language model, each trained without its sentences; 0 uses the model's own
    )
    held_out: int = (
        1000  # training pairs set aside that decide together with dev, at most a fifth of the pairs
    )
    cross_validate: bool = True  # each half of dev decides by weights that MERT found on the other half
    dense_shares: tuple[float, ...] = (
        0.0,
        0.5,
        1.0,
    )  # how far dense weights may go from those of MERT (0) to those of AdaGrad (1)
    sparse_shares: tuple[float, ...] = (0.25, 0.5, 0.75, 1.0)  # the same for sparse weights
    mbr_scales: tuple[float, ...] = (
        5.0,
        10.0,
        20.0,
    )  # consensus decoding is tried with these scales on what decides; none: the best score decides
    penalties: tuple[float, ...] = (
        -0.02,
        0.0,
        0.02,
        0.04,
    )  # changes of the word penalty that are tried with each, in units of the length of the dense weights
    mert: MertOptions = field(default_factory=MertOptions)  # options of MERT
    adagrad: AdaGradOptions = field(
        default_factory=lambda: AdaGradOptions(
            epochs=3, shards=2, redecode_every=0, shuffle=True, metric="nakov"
        )
    )  # options of AdaGrad

    def __post_init__(self) -> None:
        LeaveOutOptions.__post_init__(self)
        at_least(1, held_out=self.held_out)
        for scale in self.mbr_scales:
            positive(mbr_scales=scale)
        for share in self.dense_shares + self.sparse_shares:
            between(0, 1, share=share)
