"""Ways of translating with what was learnt, compared on sentences that are decoded once for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from demotic import _core
from demotic.base.options import options_to_dict
from demotic.decode import Hypergraph, MbrOptions, TranslateOptions
from demotic.decode.mbr import largest_gain
from demotic.evaluate import BLEU, References
from demotic.evaluate.bleu import bleu_of_sums
from demotic.features import PackedWeights, Weights
from demotic.learn.recipe.blend import START, Between, Blend, Shares
from demotic.learn.workers.decoding import DecodingContext
from demotic.learn.workers.message import Message
from demotic.learn.workers.shards import Shard

STATISTICS = "statistics"  # of the answer: a row of sums for each way
WORD_PENALTY = "WordPenalty"
_EDGES = 2000  # of a hypergraph that is looked at in many ways


@dataclass(frozen=True)
class Way:
    """Which weights of a blend a model has, how it chooses its translations, and how long it likes them.

    A consensus is longer than the best translation, so that the word penalty which suits the one does not suit the other.

    Attributes:
        shares: of the blend.
        translate: the best score, or minimum Bayes risk.
        penalty: is added to the weight of the word penalty, in units of the length of the dense weights; above 0 translations
            become shorter.
    """

    shares: Shares = START
    translate: TranslateOptions = field(default_factory=TranslateOptions)
    penalty: float = 0.0

    def weights(self, between: Between) -> Weights:
        """The weights of the blend with the word penalty that it wants."""
        weights = between.at(self.shares)
        if self.penalty and (own := weights.get(WORD_PENALTY)):
            weights.set(WORD_PENALTY, own + self.penalty * weights.dense_length())
        return weights

    def of(self, blend: Blend) -> PackedWeights:
        """Its weights, packed."""
        return self.weights(Between(blend)).pack()

    def mbr_options(self, weights: Weights) -> MbrOptions | None:
        """Minimum Bayes risk with its weights; None: the best score decides."""
        return None if self.translate.mbr == "none" else self.translate.mbr_options(weights.dense_length())

    def values(self) -> dict[str, Any]:
        """As plain values."""
        return {**asdict(self.shares), "penalty": self.penalty, **options_to_dict(self.translate)}


def ways_between(shares: Sequence[Shares], penalties: Sequence[float]) -> list[Way]:
    """Every share of a blend as it is, then with every word penalty: learnt weights must not win by the length of translations alone."""
    return list(dict.fromkeys(Way(each, penalty=penalty) for penalty in (0.0, *penalties) for each in shares))


def ways_of_choosing(shares: Shares, scales: Sequence[float], penalties: Sequence[float]) -> list[Way]:
    """The best score as it is first, then the best score and the consensus at every scale with every word penalty."""
    kinds = [TranslateOptions(), *(TranslateOptions("consensus", scale) for scale in scales)]
    ways = [Way(shares), *(Way(shares, kind, penalty) for kind in kinds for penalty in penalties)]
    return list(dict.fromkeys(ways))


def best_of(bleu: npt.ArrayLike, tolerance: float = 0.0) -> int:
    """The candidate with the largest mean gain over the first one, of those that do not lose on the first set; of equals the first.

    Args:
        bleu: a row for each candidate, a column for each set of sentences. The first candidate is what there is already, the first
            set is the kind of text that the model is for.
        tolerance: a loss on the first set that counts as none.
    """
    gains = np.asarray(bleu, dtype=np.float64)
    gains = gains - gains[0]
    return int(np.argmax(np.where(gains[:, 0] >= -tolerance, gains.mean(axis=1), -np.inf)))


def standard_error(first: npt.NDArray[np.int64], second: npt.NDArray[np.int64]) -> float:
    """Of the difference in BLEU between two translations of a set, by the jackknife: each block of sentences left out once.

    Args:
        first: BLEU statistics of the one, shape (blocks, columns).
        second: those of the other.

    Returns:
        0 if there are fewer than two blocks.
    """
    blocks = len(first)
    if blocks < 2:
        return 0.0
    differences = bleu_of_sums(_without_each(second)) - bleu_of_sums(_without_each(first))
    return float(np.sqrt((blocks - 1) * differences.var()))


def _without_each(blocks: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    sums: npt.NDArray[np.float64] = (blocks.sum(axis=0) - blocks).astype(np.float64)
    return sums


@dataclass(frozen=True)
class ChoiceWork:
    """A shard and the ways; the answer has the BLEU statistics of each, summed over the shard.

    Attributes:
        shard: its examples.
        decoded_at: the weights of the blend that hypergraphs are made with, to be rescored with those of each way.
        ways: to be compared.
    """

    shard: Shard
    decoded_at: Shares
    ways: tuple[Way, ...]

    def run(self, context: DecodingContext, blend: Blend) -> Message:
        """Translate with weights of this blend."""
        between = Between(blend)
        # Features that sentences bring later have no weights, so these stay as they are.
        weights_of = {(way.shares, way.penalty): way.weights(between) for way in self.ways}
        decoder = context.decoder(between.at(self.decoded_at), self.shard)
        rules = [(key := (way.shares, way.penalty), way.mbr_options(weights_of[key])) for way in self.ways]
        strings = max(way.translate.mbr_size for way in self.ways)
        sums = np.zeros((len(self.ways), BLEU.columns), dtype=np.int64)
        for example in self.shard.examples:
            graph = decoder.decode(example).prune_to(_EDGES, strings)
            references = References(example.reference_words())
            graphs = {key: _Translations(graph.rescore(weights)) for key, weights in weights_of.items()}
            for row, (key, mbr) in zip(sums, rules, strict=True):
                row += BLEU.statistics_of(references, graphs[key].best(mbr))
        return Message({}, arrays={STATISTICS: sums})


class _Translations:
    """What a hypergraph can be translated to; all consensus scales share its list, which takes longer than to choose from it."""

    def __init__(self, graph: Hypergraph) -> None:
        self._graph = graph
        self._lists: dict[int, _core.KBestList] = {}

    def best(self, mbr: MbrOptions | None) -> list[str]:
        """The words of the translation that is chosen by minimum Bayes risk; None: of the best score."""
        if mbr is None:
            return self._graph.viterbi().sentence(0)
        if mbr.size not in self._lists:
            self._lists[mbr.size] = _core.kbest(self._graph.native, mbr.size, True)
        hypotheses = self._lists[mbr.size]
        return hypotheses.sentence(largest_gain(hypotheses, mbr))
