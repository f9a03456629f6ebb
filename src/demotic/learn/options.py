"""Options of the perceptron and its distributed forms; defaults: Simianer, Riezler and Dyer (2012), sections 4 and 5.

Options come in groups that several learners share; a learner's options are flat, so that `--set shards=10` needs no path.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from demotic import _core
from demotic.base.errors import DemoticError
from demotic.evaluate import sentence_metric

LeaveOut = Literal["sentence", "shard", "fold", "none"]
"""What counts as absent from the grammar that decodes a training sentence: itself, its shard, its fold, nothing."""


@dataclass(frozen=True)
class CandidateOptions:
    """The translations of a sentence that a learner compares."""

    candidates: Literal["kbest", "samples"] = "kbest"  # the best different strings, or draws from the chart
    k: int = 100  # how many
    temperature: float = 1.0  # of samples: in proportion to exp(score / temperature)

    def __post_init__(self) -> None:
        if self.k < 1:
            raise DemoticError(f"lists of {self.k} hypotheses", hint="k = 100 is the paper's choice")
        if not self.temperature > 0:
            raise DemoticError(f"a temperature of {self.temperature}", hint="choose a positive number")


@dataclass(frozen=True)
class PairOptions:
    """Which of them are compared with which.

    `multipartite`: HI against MID and LOW, MID against LOW (figure 3). `all`. `top`: HI against the rest. `pro`: random pairs, of
    which those furthest apart are kept (Hopkins and May 2011). `reranking`: what the model orders the wrong way round, if the
    word error rate is no worse, each update scaled by the difference in the metric (MT Marathon 2011).
    """

    pairs: Literal["multipartite", "all", "top", "pro", "reranking"] = "multipartite"
    level: float = 0.1  # share of the list in HI and in LOW
    threshold: float = 0.0  # least difference in the metric; equal hypotheses never form a pair
    pair_samples: int = 5000  # pro: pairs drawn
    pairs_kept: int = 50  # pro: pairs kept

    def __post_init__(self) -> None:
        self.native_pairs()

    def native_pairs(self) -> _core.PairOptions:
        """The same for the core, checked."""
        return _core.PairOptions(self.pairs, self.level, self.threshold, self.pair_samples, self.pairs_kept)


@dataclass(frozen=True)
class SelectionOptions:
    """Joint feature selection across shards (section 4, algorithm 4).

    `select_by = "weights"`: the columns of largest norm stay. `gradient`: columns enter by the norm of their gradient and are
    shrunk by the group lasso (Obozinski, Taskar and Jordan 2010); dense features are learnt from the first epoch on.
    """

    select: int = 100_000  # K: columns kept (gradient: columns that may enter in an epoch); 0: any number
    select_by: Literal["weights", "gradient"] = "weights"
    norm: Literal["l2", "l1", "l0", "linf"] = "l2"  # of a column; l0 counts the shards where it is not 0
    select_threshold: float = 0.0  # least norm of a column that is kept
    penalty: float = 0.0  # gradient: least norm to enter, and what columns shrink by; 0: no lasso
    keep_dense: bool = False  # dense features stay without competing

    def __post_init__(self) -> None:
        if self.select < 0 or not self.select_threshold >= 0 or not self.penalty >= 0:
            raise DemoticError(
                "feature selection with a negative number, threshold or penalty", hint="choose 0 or more"
            )


@dataclass(frozen=True)
class LeaveOutOptions:
    """What the grammar and the language model must not have seen of the sentence that they decode, on training data."""

    leave_out: LeaveOut = "sentence"  # of the grammar
    folds: int = 5  # leave_out = "fold"
    lm_folds: int = 0  # language models that have not seen the sentence, by folds; 0: the model's own

    def __post_init__(self) -> None:
        if self.folds < 2 or self.lm_folds < 0 or self.lm_folds == 1:
            raise DemoticError(
                f"{self.folds} folds, {self.lm_folds} folds of the language model",
                hint="2 or more; 0 folds of the language model: the model's own",
            )
        if self.lm_folds and self.leave_out == "fold" and self.lm_folds != self.folds:
            raise DemoticError(
                f"{self.folds} folds of the grammar, but {self.lm_folds} of the language model",
                hint="choose the same number",
            )


@dataclass(frozen=True)
class ShardOptions(LeaveOutOptions):
    """How the data are divided, and what each part must not have seen."""

    shards: int = 0  # Z; 0: about 1,000 sentences a shard
    shard_by: str = ""  # a file with a task label per sentence instead: one shard per label

    def __post_init__(self) -> None:
        LeaveOutOptions.__post_init__(self)
        if self.shards < 0:
            raise DemoticError(f"{self.shards} shards", hint="0 or more")


@dataclass(frozen=True)
class OnlineOptions(CandidateOptions, ShardOptions):
    """What all online learners share: they see one sentence after the other."""

    epochs: int = 10  # T
    metric: str = "liang"  # sentence-level metric: liang, bleu+1, nakov, pseudo, wer, ter, chrf
    learn: Literal["all", "dense", "sparse"] = "all"  # which weights may change
    start: Literal["zero", "model"] = "zero"  # or from the model's weights
    shuffle: bool = False  # another random order of the sentences in every epoch
    report_every: int = (
        0  # sentences after which shards are mixed and the weights are reported; 0: a whole epoch
    )

    def __post_init__(self) -> None:
        CandidateOptions.__post_init__(self)
        ShardOptions.__post_init__(self)
        sentence_metric(self.metric)
        if self.epochs < 1:
            raise DemoticError(f"{self.epochs} epochs", hint="at least 1 is needed")
        if self.report_every < 0:
            raise DemoticError(
                f"a report every {self.report_every} sentences", hint="0: after each epoch only"
            )
