"""Translating a shard in several ways of choosing between the translations that were found, decoded once for all of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from demotic.decode import Hypergraph, KBest, TranslateOptions, minimum_bayes_risk
from demotic.evaluate import BLEU, References
from demotic.features import PackedWeights, Weights
from demotic.learn.workers.decoding import DecodingContext
from demotic.learn.workers.message import Message
from demotic.learn.workers.shards import Shard

STATISTICS = "statistics"  # of the answer: a row of sums for each way


@dataclass(frozen=True)
class ChoiceWork:
    """A shard and the ways; the answer has the BLEU statistics of each, summed over the shard.

    Attributes:
        shard: its examples.
        ways: of choosing.
    """

    shard: Shard
    ways: tuple[TranslateOptions, ...]

    def run(self, context: DecodingContext, weights: PackedWeights) -> Message:
        """Translate with these packed weights."""
        own = Weights.unpack(weights)
        decoder, length = context.decoder(own, self.shard), own.dense_length()
        sums = np.zeros((len(self.ways), BLEU.columns), dtype=np.int64)
        for example in self.shard.examples:
            graph, references = decoder.decode(example), References(example.reference_words())
            for row, way in zip(sums, self.ways, strict=True):
                row += BLEU.statistics_of(references, _chosen(graph, way, length).sentence(0))
        return Message({}, arrays={STATISTICS: sums})


def _chosen(graph: Hypergraph, way: TranslateOptions, length: float) -> KBest:
    mbr = way.mbr_options(length)
    return graph.viterbi() if mbr is None else minimum_bayes_risk(graph, mbr)
