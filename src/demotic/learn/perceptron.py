"""The ranking perceptron: one epoch over one shard.

Simianer, Riezler and Dyer (2012), section 4: for a pair of translations with the difference x = x1 - x2 of their features, where the
metric prefers the first, the loss is l(w) = (-<w, x>)+ and its subgradient -x if <w, x> <= 0, else 0.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from demotic import _core
from demotic.corpus.splits import random_order
from demotic.decode import Hypergraph, KBest
from demotic.evaluate import References, SentenceMetric, sentence_metric
from demotic.features import Weights
from demotic.learn.decoding import DecodingContext
from demotic.learn.options import CandidateOptions, PerceptronOptions
from demotic.learn.shards import Shard
from demotic.learn.task import Example


@dataclass
class EpochStatistics:
    """What an epoch saw; sums, so that shards add up."""

    sentences: int = 0
    metric: float = 0.0  # of the 1-best, summed over sentences
    pairs: int = 0
    errors: int = 0  # pairs ranked the wrong way round, or equal
    updates: int = 0
    decoding: float = 0.0  # seconds
    learning: float = 0.0  # seconds

    def add(self, other: EpochStatistics) -> None:
        """Take in another part of the data."""
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)

    def summary(self) -> dict[str, float]:
        """What depends on the data and the seed alone."""
        return {
            "metric": self.metric / max(1, self.sentences),  # mean of the 1-best
            "pairs": self.pairs,
            "errors": self.errors,
            "updates": self.updates,
        }

    def seconds(self) -> dict[str, float]:
        """What it cost, summed over workers."""
        return {"decode_seconds": round(self.decoding, 3), "learn_seconds": round(self.learning, 3)}


@dataclass(frozen=True)
class EpochResult:
    """Weights at the end of an epoch, packed; with gradient-based selection also what inactive features would have gained."""

    weights: bytes
    gradient: bytes
    statistics: EpochStatistics


def run_epoch(
    context: DecodingContext,
    shard: Shard,
    start: bytes,
    options: PerceptronOptions,
    *,
    epoch: int,
    seed: int,
) -> EpochResult:
    """The two inner loops of algorithms 1 to 4: decode each example with the current weights, then learn from its pairs.

    The result is a function of the arguments: features get their ids here, in the order of names and then of appearance.
    With `select_by = "gradient"` only the features that `start` lists are learnt.
    """
    weights = Weights.unpack(start)
    if options.select_by == "gradient":
        learner = _Learner(options, weights, active=len(weights.values))
    else:
        learner = _Learner(options, weights, active=None)
    decoder = context.decoder(weights, shard)
    statistics = EpochStatistics()
    for position in _order(shard, options.shuffle, epoch, seed):
        example = shard.examples[position]
        started = time.perf_counter()
        graph = decoder.decode(example)
        number = position if example.number is None else example.number
        draw = int(np.random.SeedSequence((seed, epoch, number)).generate_state(1, np.uint64)[0])
        kbest = candidates(graph, options, draw)
        decoded = time.perf_counter()
        learner.learn(example, kbest, draw, statistics)
        statistics.decoding += decoded - started
        statistics.learning += time.perf_counter() - decoded
    gradient = _core.pack_weights(weights.index, learner.gradient) if len(learner.gradient) else b""
    return EpochResult(weights.pack(), gradient, statistics)


def candidates(graph: Hypergraph, options: CandidateOptions, seed: int) -> KBest:
    """The translations that are compared: the k best different ones, or a sample of the chart."""
    if options.candidates == "kbest":
        return graph.kbest(options.k, unique=True)
    return graph.sample(options.k, seed, options.temperature)


class _Learner:
    """Weights, and what changes them. `active`: only so many features may have a weight; the others have a gradient."""

    def __init__(self, options: PerceptronOptions, weights: Weights, active: int | None) -> None:
        self._perceptron = options.native()
        self._pairs = options.native_pairs()
        self._needs_wer = options.pairs == "reranking"
        self._metric: SentenceMetric = sentence_metric(options.metric)
        self._weights = weights
        self._active = active
        self.gradient: npt.NDArray[np.float64] = np.zeros(0)

    def learn(self, example: Example, kbest: KBest, seed: int, statistics: EpochStatistics) -> None:
        references = References(example.reference_words())
        scores = self._metric.scores(references, kbest)
        self._metric.observe(references, kbest)
        wer = references.wer(kbest) if self._needs_wer else np.zeros(0)
        pairs = _core.make_pairs(scores, kbest.scores, wer, self._pairs, seed)
        counts = self._perceptron.update(
            kbest.native, pairs, scores, self._weights.index, self._learnable(), self.gradient
        )
        statistics.sentences += 1
        statistics.metric += float(scores[int(np.argmax(kbest.scores))])
        statistics.pairs += counts.pairs
        statistics.errors += counts.errors
        statistics.updates += counts.updates

    def _learnable(self) -> npt.NDArray[np.float64]:
        """The weights that may change, with room for the features of the newest list."""
        if self._active is None:
            self._weights.grow()
            return self._weights.values
        missing = len(self._weights.index) - len(self.gradient)
        if missing > 0:
            self.gradient = np.concatenate([self.gradient, np.zeros(missing + len(self._weights.index))])
        return self._weights.values


def _order(shard: Shard, shuffle: bool, epoch: int, seed: int) -> npt.NDArray[np.int64]:
    """The order of the examples: that of the data, or a random one for this shard and epoch."""
    size = len(shard.examples)
    if not shuffle:
        return np.arange(size)
    key = np.random.SeedSequence((seed, epoch, shard.number)).generate_state(1, np.uint64)[0]
    return random_order(size, int(key))
