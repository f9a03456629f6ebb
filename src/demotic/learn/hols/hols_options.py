"""Options of held-out line search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from demotic.base.checks import at_least, positive
from demotic.base.errors import DemoticError
from demotic.evaluate import sentence_metric
from demotic.learn.batch.line_search import ClimbOptions
from demotic.learn.batch.mert import MertOptions
from demotic.learn.fitting.weight_length import SCALE
from demotic.learn.options import CandidateOptions, LeaveOut, LeaveOutOptions


@dataclass(frozen=True)
class HolsOptions(CandidateOptions, LeaveOutOptions, ClimbOptions):
    """Held-out line search; defaults: sections 5 and 6 of the paper.

    HILS is `held_in = true`. Without folds: `leave_out = none`, `lm_folds = 0`. Without conditioning: `condition = false`. "2 pass, 4
    updates": `passes = 2`, `updates = 4`.
    """

    k: int = 1000  # size of the k-best lists that gradients are computed on
    leave_out: LeaveOut = "fold"
    lm_folds: int = 5
    passes: int = 1  # passes over the gradient data
    updates: int = 1  # total number of updates in all passes
    metric: str = "nakov"  # sentence-level metric; nakov is BLEU+1 with smoothed brevity penalty
    cost: float = 20.0  # cost of a translation is this x (1 - metric)
    condition: bool = True  # divide the gradient of a feature by its expected number of lists
    held_in: bool = False  # HILS: search on sentences that the gradient was computed on
    scale: float = SCALE  # l1 norm of the dense weights when a gradient is computed
    search_sentences: int = 10_000  # maximum number of sentences for line searches, from the held-out fold
    search_k: int = 100  # size of the k-best lists of line searches
    search_iterations: int = 5  # decoding iterations of a line search
    start: Literal["mert", "model"] = (
        "mert"  # initial dense weights: by MERT on held-out lines, or those of the model
    )
    start_sentences: int = 1000  # number of sentences for the initial MERT
    start_iterations: int = 8  # iterations of the initial MERT
    final_iterations: int = 10  # iterations of the final MERT on the dev set
    dense: tuple[str, ...] = ()  # patterns of template features that line searches optimise one by one
    sparse: tuple[str, ...] = ()  # patterns of other features that follow the gradient

    def __post_init__(self) -> None:
        CandidateOptions.__post_init__(self)
        LeaveOutOptions.__post_init__(self)
        ClimbOptions.__post_init__(self)
        sentence_metric(self.metric)
        if self.passes < 1 or self.updates < self.passes or self.updates % self.passes:
            raise DemoticError(
                f"updates must be a multiple of passes (got {self.updates} and {self.passes})",
                hint="every pass has the same number of updates, at least 1",
            )
        positive(cost=self.cost, scale=self.scale)
        at_least(1, search_sentences=self.search_sentences, start_sentences=self.start_sentences)
        at_least(1, search_k=self.search_k, search_iterations=self.search_iterations)
        at_least(1, start_iterations=self.start_iterations, final_iterations=self.final_iterations)
        if self.leave_out == "shard":
            raise DemoticError("hols has no shards to leave out", hint="leave_out is fold, sentence or none")

    def mert(self, iterations: int) -> MertOptions:
        """The line search as a batch learner of so many iterations."""
        return MertOptions(
            k=self.search_k,
            iterations=iterations,
            start="model",
            leave_out=self.leave_out,
            folds=self.folds,
            lm_folds=self.lm_folds,
            method=self.method,
            restarts=self.restarts,
            directions=self.directions,
            least_gain=self.least_gain,
        )
