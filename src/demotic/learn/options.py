"""Options of the perceptron and its distributed forms; defaults: Simianer, Riezler and Dyer (2012), sections 4 and 5.

Options come in groups that several learners share; a learner's options are flat, so that `--set shards=10` needs no path.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from demotic import _core
from demotic.base.checks import at_least, positive
from demotic.base.errors import DemoticError
from demotic.evaluate import sentence_metric

LeaveOut = Literal["sentence", "shard", "fold", "none"]
"""What counts as absent from the grammar that decodes a training sentence: itself, its shard, its fold, nothing."""
Mixing = Literal["all", "changed", "sentences"]
"""The average of a weight over shards: all alike, as in the paper; those that changed it; each as often as it has sentences."""


@dataclass(frozen=True)
class CandidateOptions:
    """The translations of a sentence that a learner compares."""

    candidates: Literal["kbest", "samples", "hope_fear"] = (
        "kbest"  # kbest: the best distinct strings; samples: random derivations; hope_fear: of the hypergraph
    )
    k: int = 100  # number of candidates per sentence; hope_fear has up to three
    temperature: float = 1.0  # samples are drawn with probability proportional to exp(score / temperature)
    hope_scale: float = 10.0  # hope_fear: weight of linear BLEU relative to the score in hope and fear

    def __post_init__(self) -> None:
        at_least(1, k=self.k)
        positive(temperature=self.temperature, hope_scale=self.hope_scale)


@dataclass(frozen=True)
class PairOptions:
    """Which of them are compared with which.

    `multipartite`: HI against MID and LOW, MID against LOW (figure 3). `all`. `top`: HI against the rest. `pro`: random pairs, of
    which those furthest apart are kept (Hopkins and May 2011). `reranking`: what the model orders the wrong way round, if the
    word error rate is no worse, each update scaled by the difference in the metric (MT Marathon 2011).
    """

    pairs: Literal["multipartite", "all", "top", "pro", "reranking"] = (
        "multipartite"  # pairs that are compared
    )
    level: float = 0.1  # share of the list in each of HI and LOW
    threshold: float = 0.0  # minimum difference in the metric within a pair; equal hypotheses never form one
    pair_samples: int = 5000  # pairs = pro: pairs sampled per sentence
    pairs_kept: int = 50  # pairs = pro: pairs kept per sentence

    def __post_init__(self) -> None:
        if not 0 < self.level <= 0.5:
            raise DemoticError(f"level must be above 0 and at most 0.5 (got {self.level})")
        at_least(0, threshold=self.threshold, pair_samples=self.pair_samples, pairs_kept=self.pairs_kept)
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

    select: int | str = (
        100_000  # K: features kept (by gradient: new features per epoch), or a share of the active ones such as 2%; 0 for no limit
    )
    select_by: Literal["weights", "gradient"] = "weights"  # what the column norm is computed on
    norm: Literal["l2", "l1", "l0", "linf"] = (
        "l2"  # norm that ranks features; l0 counts the shards with a nonzero weight
    )
    select_threshold: float = 0.0  # minimum norm of a kept feature
    penalty: float = (
        0.0  # by gradient: minimum norm to enter, and strength of the group lasso; 0 for no lasso
    )
    keep_dense: bool = False  # always keep the dense features

    def __post_init__(self) -> None:
        at_least(0, select_threshold=self.select_threshold, penalty=self.penalty)
        if not isinstance(self.select, str):
            at_least(0, select=self.select)
        elif not 0 < self.selected_share <= 1:
            raise DemoticError(
                f"select must be a number of features or a share above 0% and up to 100% (got {self.select!r})",
                hint="for example --set select=100000, or --set select=2%",
            )

    @property
    def selected_features(self) -> int:
        """K; 0 if there is no limit, or a share instead."""
        return 0 if isinstance(self.select, str) else self.select

    @property
    def selected_share(self) -> float:
        """The share of the active features that is kept; 0 if it is not a share."""
        number = self.select[:-1] if isinstance(self.select, str) and self.select.endswith("%") else "0"
        try:
            return float(number) / 100
        except ValueError:
            return 0.0


@dataclass(frozen=True)
class LeaveOutOptions:
    """What the grammar and the language model must not have seen of the sentence that they decode, on training data."""

    leave_out: LeaveOut = (
        "sentence"  # training pairs that the grammar must not know when it decodes a sentence
    )
    folds: int = 5  # number of folds for leave_out = fold
    lm_folds: int = (
        0  # folds of the language model, each trained without its sentences; 0 uses the model's own
    )

    def __post_init__(self) -> None:
        at_least(2, folds=self.folds)
        if self.lm_folds < 0 or self.lm_folds == 1:
            raise DemoticError(
                f"lm_folds must be 0 or at least 2 (got {self.lm_folds})",
                hint="0 uses the model's own language model",
            )
        if self.lm_folds and self.leave_out == "fold" and self.lm_folds != self.folds:
            raise DemoticError(
                f"lm_folds must equal folds (got {self.lm_folds} and {self.folds})",
                hint="with leave_out = fold, grammar and language model leave out the same folds",
            )


@dataclass(frozen=True)
class ShardOptions(LeaveOutOptions):
    """How the data are divided, and what each part must not have seen."""

    shards: int = 0  # Z: number of shards; 0 makes shards of about 1,000 sentences
    shard_by: str = (
        ""  # file with a label per sentence: one shard per label; `order`: shards of neighbouring sentences
    )
    random_tasks: bool = False  # with shard_by: random shards of the same sizes instead, for comparison
    mixing: Mixing = "all"  # average a weight over all shards, over those that changed it, or by their numbers of sentences

    def __post_init__(self) -> None:
        LeaveOutOptions.__post_init__(self)
        at_least(0, shards=self.shards)
        if self.random_tasks and not self.shard_by:
            raise DemoticError(
                "random_tasks needs the sizes of tasks", hint="give shard_by: a file of labels, or order"
            )


@dataclass(frozen=True)
class ForestOptions:
    """In which epochs sentences are decoded; in the others the hypergraphs that were kept are rescored."""

    redecode_every: int = 1  # decode in every n-th epoch, rescore kept hypergraphs in between; 0 decodes once
    forest_edges: int = (
        2000  # edges of a kept hypergraph: of its k best translations, then of its best derivations
    )
    forest_gb: float = (
        20.0  # disk space for kept hypergraphs in GB; without room, a sentence is decoded again
    )

    def __post_init__(self) -> None:
        at_least(0, redecode_every=self.redecode_every, forest_gb=self.forest_gb)
        at_least(1, forest_edges=self.forest_edges)

    def decoded_in(self, epoch: int) -> int:
        """The epoch that decoded what an epoch learns from, both counted from 0."""
        return epoch - epoch % self.redecode_every if self.redecode_every else 0

    def decodes(self, epoch: int) -> bool:
        """Whether an epoch decodes, counted from 0."""
        return self.decoded_in(epoch) == epoch


@dataclass(frozen=True)
class SearchOptions:
    """How sentences are decoded while a learner learns from them; others are decoded as the model says."""

    train_pop_limit: int = 0  # pop limit of cube pruning while learning; 0 uses the model's
    train_lazy_corners: float = 0.0  # lazy corners of cube pruning while learning; 0 uses the model's
    train_scan_limit: int = 0  # scan limit of rule extraction while learning; 0 uses the model's

    def __post_init__(self) -> None:
        at_least(
            0,
            train_pop_limit=self.train_pop_limit,
            train_lazy_corners=self.train_lazy_corners,
            train_scan_limit=self.train_scan_limit,
        )

    @property
    def search(self) -> SearchOptions:
        """These options alone."""
        return SearchOptions(self.train_pop_limit, self.train_lazy_corners, self.train_scan_limit)


@dataclass(frozen=True)
class OnlineOptions(CandidateOptions, ShardOptions, ForestOptions, SearchOptions):
    """What all online learners share: they see one sentence after the other."""

    epochs: int = 10  # T: passes over the data
    metric: str = "liang"  # sentence-level metric: liang, bleu+1, nakov, pseudo, wer, ter, chrf
    learn: Literal["all", "dense", "sparse"] = "all"  # weights that are learnt
    start: Literal["zero", "model"] = "zero"  # initial weights: zero, or those of the model
    shuffle: bool = False  # shuffle the sentences before every epoch
    report_every: int = 0  # mix shards and report after this many sentences; 0 for once per epoch

    def __post_init__(self) -> None:
        CandidateOptions.__post_init__(self)
        ShardOptions.__post_init__(self)
        ForestOptions.__post_init__(self)
        SearchOptions.__post_init__(self)
        sentence_metric(self.metric)
        at_least(1, epochs=self.epochs)
        at_least(0, report_every=self.report_every)

    @property
    def decoding_epochs(self) -> int:
        """How many epochs decode."""
        return sum(map(self.decodes, range(self.epochs)))

    def keeps(self, epoch: int) -> bool:
        """Whether the next epoch rescores what an epoch decodes."""
        return epoch + 1 < self.epochs and not self.decodes(epoch + 1)
