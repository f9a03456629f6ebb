"""Options of the recipe."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from demotic.base.checks import at_least, positive
from demotic.learn.batch.mert import MertOptions
from demotic.learn.online.adagrad import AdaGradOptions
from demotic.learn.options import LeaveOutOptions


@dataclass(frozen=True)
class RecipeOptions(LeaveOutOptions):
    """MERT on dev, AdaGrad on training pairs, MERT on dev again.

    What the grammar and the language model must not have seen of a training pair is said once, here, and holds for `adagrad` too.
    """

    start: Literal["auto", "model", "mert"] = (
        "auto"  # dense weights: the model's, or from MERT; auto: MERT only if the model has not been tuned
    )
    lm_folds: int = (
        5  # folds of the language model, each trained without its sentences; 0 uses the model's own
    )
    held_out: int = 1000  # training pairs set aside to choose between the steps, at most a fifth of the pairs
    mbr_scales: tuple[float, ...] = (
        5.0,
        10.0,
        20.0,
    )  # consensus decoding is tried with these scales on the pairs set aside; none: the best score decides
    penalties: tuple[float, ...] = (
        -0.02,
        0.0,
        0.02,
        0.04,
    )  # changes of the word penalty that are tried with each, in units of the length of the dense weights
    first: MertOptions = field(default_factory=MertOptions)  # options of the first MERT
    adagrad: AdaGradOptions = field(
        default_factory=lambda: AdaGradOptions(
            epochs=3, shards=2, redecode_every=0, shuffle=True, metric="nakov"
        )
    )  # options of AdaGrad
    last: MertOptions = field(
        default_factory=lambda: MertOptions(iterations=4, start="model", factors="template")
    )  # options of the last MERT

    def __post_init__(self) -> None:
        LeaveOutOptions.__post_init__(self)
        at_least(1, held_out=self.held_out)
        for scale in self.mbr_scales:
            positive(mbr_scales=scale)
