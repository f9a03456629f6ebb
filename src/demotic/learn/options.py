"""Options of the perceptron and its distributed forms; defaults: Simianer, Riezler and Dyer (2012), sections 4 and 5."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from demotic import _core
from demotic.base.errors import DemoticError


@dataclass(frozen=True)
class CandidateOptions:
    """The translations of a sentence that a learner compares."""

    source: Literal["kbest", "samples"] = (
        "kbest"  # the best different strings, or derivations drawn from the chart
    )
    k: int = 100  # how many
    temperature: float = 1.0  # of samples: in proportion to exp(score / temperature)

    def __post_init__(self) -> None:
        if self.k < 1:
            raise DemoticError(f"lists of {self.k} hypotheses", hint="k = 100 is the paper's choice")
        if not self.temperature > 0:
            raise DemoticError(f"a temperature of {self.temperature}", hint="choose a positive number")


@dataclass(frozen=True)
class PairOptions:
    """Which of them are compared with which."""

    # multipartite: HI against MID and LOW, MID against LOW (figure 3). all; top: HI against the rest. pro: random pairs, those
    # furthest apart kept (Hopkins and May 2011). reranking: what the model orders the wrong way round, if its word error rate is
    # no worse, each update scaled by the difference in the metric (MT Marathon 2011).
    sampling: Literal["multipartite", "all", "top", "pro", "reranking"] = "multipartite"
    level: float = 0.1  # share of the list in HI and in LOW
    threshold: float = 0.0  # least difference in the metric; equal hypotheses never form a pair
    samples: int = 5000  # pro: pairs drawn
    kept: int = 50  # pro: pairs kept

    def native(self) -> _core.PairOptions:
        """The same for the core, checked."""
        return _core.PairOptions(self.sampling, self.level, self.threshold, self.samples, self.kept)


@dataclass(frozen=True)
class SelectionOptions:
    """Joint feature selection across shards (section 4, algorithm 4)."""

    # weights: columns of the largest norm. gradient: columns enter by the norm of their gradient and are shrunk by the group
    # lasso (Obozinski, Taskar and Jordan 2010).
    method: Literal["weights", "gradient"] = "weights"
    norm: Literal["l2", "l1", "l0", "linf"] = "l2"  # of a column; l0 counts the shards where it is not 0
    k: int = 100_000  # columns kept; 0: any number. gradient: columns that may enter per epoch
    threshold: float = 0.0  # least norm of a column that is kept
    # gradient: the weight of the l1/l2 penalty: least norm of a gradient column, and what columns shrink by
    penalty: float = 0.0
    keep_dense: bool = False  # dense features are kept without competing

    def __post_init__(self) -> None:
        if self.k < 0 or self.threshold < 0 or self.penalty < 0:
            raise DemoticError(
                "feature selection with a negative k, threshold or penalty", hint="choose 0 or more"
            )


@dataclass(frozen=True)
class ShardOptions:
    """How the data are divided, and what each part must not see."""

    shards: int = 0  # Z; 0: about 1,000 sentences a shard
    shard_by: str = ""  # a file with a task label per sentence instead: one shard per label
    # learning on training data: what the grammar leaves out while a sentence is decoded
    leave_out: Literal["sentence", "shard", "fold", "none"] = "sentence"
    folds: int = 5  # leave_out = "fold"
    lm_folds: int = 0  # language models that have not seen the sentence, by folds; 0: one model of everything


@dataclass(frozen=True)
class PerceptronOptions:
    """The ranking perceptron, alone or in shards."""

    epochs: int = 10  # T
    learning_rate: float = 1e-4
    margin: float = 0.0  # update where <w, x> <= margin
    frozen: bool = False  # compare the scores of decoding, not those of the weights learnt since
    scale: bool = False  # scale updates by the difference in the metric
    metric: str = "liang"  # sentence-level metric
    learn: Literal["all", "dense", "sparse"] = "all"  # which weights may change
    start: Literal["zero", "model"] = "zero"  # or from the model's weights
    shuffle: bool = False  # another random order of the sentences in every epoch
    candidates: CandidateOptions = field(default_factory=CandidateOptions)
    pairs: PairOptions = field(default_factory=PairOptions)
    data: ShardOptions = field(default_factory=ShardOptions)
    select: SelectionOptions = field(default_factory=SelectionOptions)

    def __post_init__(self) -> None:
        if self.epochs < 1:
            raise DemoticError(f"{self.epochs} epochs", hint="at least 1 is needed")
        self.native()

    def native(self) -> _core.Perceptron:
        """A fresh perceptron of the core."""
        reranking = self.pairs.sampling == "reranking"
        return _core.Perceptron(
            self.learning_rate,
            self.margin,
            self.frozen or reranking,
            self.scale or reranking,
            self.learn != "sparse",
            self.learn != "dense",
        )
