"""Ways of choosing between the translations that were found, compared on sentences that are decoded once for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from demotic.base.options import options_to_dict
from demotic.decode import Hypergraph, KBest, MbrOptions, TranslateOptions, minimum_bayes_risk
from demotic.evaluate import BLEU, References
from demotic.features import PackedWeights, Weights
from demotic.learn.workers.decoding import DecodingContext
from demotic.learn.workers.message import Message
from demotic.learn.workers.shards import Shard

STATISTICS = "statistics"  # of the answer: a row of sums for each way
WORD_PENALTY = "WordPenalty"
_EDGES = 2000  # of a hypergraph that is looked at in many ways


@dataclass(frozen=True)
class Way:
    """How a model chooses its translations, and how long it likes them.

    A consensus is longer than the best translation, so that the word penalty which suits the one does not suit the other.

    Attributes:
        translate: the best score, or minimum Bayes risk.
        penalty: is added to the weight of the word penalty, in units of the length of the dense weights; above 0 translations
            become shorter.
    """

    translate: TranslateOptions = field(default_factory=TranslateOptions)
    penalty: float = 0.0

    def weights(self, weights: Weights) -> Weights:
        """The weights that it changes, over the same index."""
        changed = Weights(weights.index, weights.values.copy())
        if self.penalty and (own := weights.get(WORD_PENALTY)):
            changed.set(WORD_PENALTY, own + self.penalty * weights.dense_length())
        return changed

    def mbr_options(self, weights: Weights) -> MbrOptions | None:
        """Minimum Bayes risk with the weights that it changes; None: the best score decides."""
        if self.translate.mbr == "none":
            return None
        return self.translate.mbr_options(self.weights(weights).dense_length())

    def values(self) -> dict[str, Any]:
        """As plain values."""
        return {"penalty": self.penalty, **options_to_dict(self.translate)}


def ways_of_choosing(scales: Sequence[float], penalties: Sequence[float]) -> list[Way]:
    """The usual way first, then the best score and the consensus at every scale with every word penalty."""
    kinds = [TranslateOptions(), *(TranslateOptions("consensus", scale) for scale in scales)]
    return list(dict.fromkeys([Way(), *(Way(kind, penalty) for kind in kinds for penalty in penalties)]))


@dataclass(frozen=True)
class ChoiceWork:
    """A shard and the ways; the answer has the BLEU statistics of each, summed over the shard.

    Attributes:
        shard: its examples.
        ways: of choosing.
    """

    shard: Shard
    ways: tuple[Way, ...]

    def run(self, context: DecodingContext, weights: PackedWeights) -> Message:
        """Translate with these packed weights."""
        own = Weights.unpack(weights)
        decoder = context.decoder(own, self.shard)
        # Features that sentences bring later have no weights, so these stay as they are.
        weights_of = {way.penalty: way.weights(own) for way in self.ways}
        rules = [(way.penalty, way.mbr_options(own)) for way in self.ways]
        strings = max(way.translate.mbr_size for way in self.ways)
        sums = np.zeros((len(self.ways), BLEU.columns), dtype=np.int64)
        for example in self.shard.examples:
            graph = decoder.decode(example).prune_to(_EDGES, strings)
            references = References(example.reference_words())
            graphs = {penalty: graph.rescore(changed) for penalty, changed in weights_of.items()}
            for row, (penalty, mbr) in zip(sums, rules, strict=True):
                row += BLEU.statistics_of(references, _best(graphs[penalty], mbr).sentence(0))
        return Message({}, arrays={STATISTICS: sums})


def _best(graph: Hypergraph, mbr: MbrOptions | None) -> KBest:
    return graph.viterbi() if mbr is None else minimum_bayes_risk(graph, mbr)
