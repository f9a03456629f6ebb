"""Options of held-out line search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

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

    k: int = 1000  # of the lists that give gradients
    leave_out: LeaveOut = "fold"
    lm_folds: int = 5
    passes: int = 1  # over the gradient data
    updates: int = 1  # in all passes together
    metric: str = "nakov"  # BLEU+1, brevity smoothed and grounded
    cost: float = 20.0  # of a translation: so much x (1 - metric)
    condition: bool = True
    held_in: bool = False  # the line search sees sentences that gradients come from: HILS
    scale: float = SCALE  # magnitudes of the dense weights add up to so much when a gradient is taken
    search_sentences: int = 10_000  # at most, of the held-out fold
    search_k: int = 100  # of the lists that line searches see
    search_iterations: int = 5  # of decoding in a line search
    start: Literal["mert", "model"] = "mert"  # first dense weights: by MERT on held-out lines, or the model's
    start_sentences: int = 1000
    start_iterations: int = 8
    final_iterations: int = 10  # of MERT on the dev set
    dense: tuple[str, ...] = ()  # patterns of template features that line searches move one by one
    sparse: tuple[str, ...] = ()  # patterns of other features that follow the gradient

    def __post_init__(self) -> None:
        CandidateOptions.__post_init__(self)
        LeaveOutOptions.__post_init__(self)
        ClimbOptions.__post_init__(self)
        sentence_metric(self.metric)
        if self.passes < 1 or self.updates < self.passes or self.updates % self.passes:
            raise DemoticError(
                f"{self.updates} updates in {self.passes} passes",
                hint="as many updates in every pass, at least 1",
            )
        if not self.cost > 0 or not self.scale > 0:
            raise DemoticError(f"a cost of {self.cost}, a scale of {self.scale}", hint="positive numbers")
        if min(self.search_sentences, self.start_sentences, self.search_k) < 1:
            raise DemoticError("line searches without sentences or hypotheses", hint="choose at least 1")
        if min(self.search_iterations, self.start_iterations, self.final_iterations) < 1:
            raise DemoticError("a line search without iterations", hint="choose at least 1")
        if self.leave_out == "shard":
            raise DemoticError("there are no shards to leave out", hint="leave_out is fold, sentence or none")

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
