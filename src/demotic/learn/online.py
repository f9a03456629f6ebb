"""Online learning: one epoch over one shard, with any rule that learns from the translations of one sentence."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from demotic import _core
from demotic.corpus.splits import random_order
from demotic.decode import Hypergraph, KBest
from demotic.evaluate import References, sentence_metric
from demotic.evaluate.corpus_bleu import bleu_score
from demotic.evaluate.references import BLEU_COLUMNS
from demotic.features import Weights
from demotic.learn.decoding import DecodingContext
from demotic.learn.options import CandidateOptions, OnlineOptions
from demotic.learn.shards import Shard
from demotic.learn.task import Example


@dataclass
class EpochStatistics:
    """What an epoch saw; sums, so that shards add up."""

    sentences: int = 0
    skipped: int = 0  # sentences that teach nothing: a single hypothesis, all equally good, or numbers that are not finite
    metric: float = 0.0  # of the 1-best, summed over sentences
    ngrams: list[int] = field(
        default_factory=lambda: [0] * BLEU_COLUMNS
    )  # of the 1-best, for its corpus BLEU
    loss: float = 0.0
    pairs: int = 0
    errors: int = 0  # pairs ranked the wrong way round, or equal
    updates: int = 0
    decoding: float = 0.0  # seconds
    learning: float = 0.0  # seconds

    def add(self, other: EpochStatistics) -> None:
        """Take in another part of the data."""
        ngrams = np.add(self.ngrams, other.ngrams).tolist()
        for name, value in vars(other).items():
            setattr(self, name, ngrams if name == "ngrams" else getattr(self, name) + value)

    def summary(self) -> dict[str, float]:
        """What depends on the data and the seed alone."""
        sentences = max(1, self.sentences)
        learnt = (
            {"pairs": self.pairs, "errors": self.errors} if self.pairs else {"loss": self.loss / sentences}
        )
        return {
            "metric": self.metric / sentences,  # mean of the 1-best
            "train_bleu": bleu_score(np.array(self.ngrams)).score,  # each decoded before it is learnt from
            **learnt,
            "updates": self.updates,
            "skipped": self.skipped,
        }

    def seconds(self) -> dict[str, float]:
        """What it cost, summed over workers."""
        return {"decode_seconds": round(self.decoding, 3), "learn_seconds": round(self.learning, 3)}


@dataclass(frozen=True)
class DataSize:
    """How much there is to learn from.

    Attributes:
        sentences: that the rule will see in an epoch: those of its shard.
        corpus: sentence pairs that the rules of the grammar were extracted from.
    """

    sentences: int
    corpus: int


@dataclass(frozen=True)
class EpochResult:
    """Weights at the end of an epoch, packed; with gradient-based selection also what inactive features would have gained."""

    weights: bytes
    gradient: bytes
    statistics: EpochStatistics


class OnlineRule(ABC):
    """Learns from one sentence at a time, changing weights in place.

    Args:
        weights: over the index that numbers the features of the lists; `weights.grow()` makes room for new ones.
    """

    gradient: npt.NDArray[np.float64] = np.zeros(0)  # of features that may not have a weight yet, by id

    def __init__(self, weights: Weights) -> None:
        self.weights = weights

    @abstractmethod
    def learn(self, example: Example, graph: Hypergraph, seed: int, statistics: EpochStatistics) -> None:
        """Learn from the derivations of an example; adds to `statistics` (pairs, errors, updates, metric of the 1-best).

        Args:
            example: with its references.
            graph: decoded with the current weights.
            seed: for everything random about this sentence in this epoch.
            statistics: sums of the epoch.
        """

    def finish(self) -> None:
        """The epoch ends; rules that update lazily make it good here."""
        self.weights.grow()


class RuleOptions(OnlineOptions, ABC):
    """Options of an online learner: they make its rule."""

    @abstractmethod
    def rule(self, weights: Weights, size: DataSize) -> OnlineRule:
        """A rule without memory that starts from these weights."""


def run_epoch(
    context: DecodingContext,
    shard: Shard,
    start: bytes,
    options: RuleOptions,
    *,
    epoch: int,
    seed: int,
) -> EpochResult:
    """The two inner loops of algorithms 1 to 4: decode each example with the current weights, then learn from it.

    The result is a function of the arguments: features get their ids here, in the order of names and then of appearance.
    """
    weights = Weights.unpack(start)
    rule = options.rule(weights, DataSize(len(shard.examples), context.corpus_size))
    decoder = context.decoder(weights, shard)
    statistics = EpochStatistics()
    for position in _order(shard, options.shuffle, epoch, seed):
        example = shard.examples[position]
        number = position if example.number is None else example.number
        draw = int(np.random.SeedSequence((seed, epoch, number)).generate_state(1, np.uint64)[0])
        started = time.perf_counter()
        graph = decoder.decode(example)
        decoded = time.perf_counter()
        rule.learn(example, graph, draw, statistics)
        statistics.sentences += 1
        statistics.decoding += decoded - started
        statistics.learning += time.perf_counter() - decoded
    rule.finish()
    gradient = _core.pack_weights(weights.index, rule.gradient) if len(rule.gradient) else b""
    return EpochResult(weights.pack(), gradient, statistics)


@dataclass(frozen=True)
class ScoredList:
    """Translations of a sentence and how good they are.

    Attributes:
        kbest: with model scores and features.
        metric: shape (k,).
        source_words: that the metric speaks of: of the sentence or, with `pseudo`, of the document.
    """

    kbest: KBest
    metric: npt.NDArray[np.float64]
    source_words: float

    def teaches(self) -> bool:
        """Whether anything can be learnt: hypotheses differ in the metric, and all numbers are finite."""
        finite = np.isfinite(self.kbest.scores).all() and np.isfinite(self.metric).all()
        return bool(finite and np.isfinite(self.kbest.values).all() and np.ptp(self.metric) > 0)


def candidates(graph: Hypergraph, options: CandidateOptions, seed: int, scale: float = 1.0) -> KBest:
    """The translations that are compared: the k best different ones, or a sample of the chart.

    Args:
        graph: derivations of a sentence.
        options: which.
        seed: of the sample.
        scale: what the scores of the graph are to be multiplied by.
    """
    if options.candidates == "kbest":
        return graph.kbest(options.k, unique=True)
    return graph.sample(options.k, seed, options.temperature / scale)


class Candidates:
    """The translations of a sentence that are compared, with the quality of each.

    Args:
        options: the k best different ones, or a sample of the chart; the metric.
    """

    def __init__(self, options: OnlineOptions) -> None:
        self._options = options
        self._metric = sentence_metric(options.metric)

    def of(
        self, example: Example, graph: Hypergraph, seed: int, statistics: EpochStatistics, scale: float = 1.0
    ) -> ScoredList:
        """A list with the metric of each of its hypotheses; the best translation goes into the statistics.

        Args:
            example: with its references.
            graph: its derivations.
            seed: of the sample.
            statistics: sums of the epoch.
            scale: what the scores of the graph are to be multiplied by.
        """
        options, references = self._options, References(example.reference_words())
        kbest = candidates(graph, options, seed, scale)
        best = kbest if options.candidates == "kbest" else graph.viterbi()
        scored = ScoredList(kbest, self._metric.scores(references, kbest), self._metric.source_words(kbest))
        best_metric = scored.metric if best is kbest else self._metric.scores(references, best)
        statistics.metric += float(best_metric[0])
        statistics.ngrams = np.add(statistics.ngrams, references.statistics_of(best.sentence(0))).tolist()
        self._metric.observe(references, best)
        return scored


def _order(shard: Shard, shuffle: bool, epoch: int, seed: int) -> npt.NDArray[np.int64]:
    """The order of the examples: that of the data, or a random one for this shard and epoch."""
    size = len(shard.examples)
    if not shuffle:
        return np.arange(size)
    key = np.random.SeedSequence((seed, epoch, shard.number)).generate_state(1, np.uint64)[0]
    return random_order(size, int(key))
