"""Minimum Bayes risk: the translation that resembles all probable ones most, instead of the most probable one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from demotic import _core
from demotic.base.checks import at_least, positive
from demotic.base.options import unknown_name
from demotic.decode.hypergraph import Hypergraph
from demotic.decode.kbest import KBest

if TYPE_CHECKING:
    from demotic.decode.decoder import MakeList

MbrKind = Literal["list", "consensus", "forest"]
_METRICS = ["liang", "bleu+1", "nakov"]


@dataclass(frozen=True)
class MbrOptions:
    """How a translation is chosen by what it is expected to gain.

    - `list`: expected sentence BLEU, each translation of a k-best list taken as the reference with its probability (Kumar and
      Byrne 2004). Its time grows with the square of the list.
    - `consensus`: BLEU against the expected n-gram counts of the list (DeNero, Chiang and Knight 2009).
    - `forest`: linear BLEU against the expected n-gram counts of the hypergraph (Tromble, Kumar, Och and Macherey 2008; Kumar, Macherey, Dyer
      and Och 2009). The translation may be in no list; n-grams are those of the k-best list, their counts exact for the
      hypergraph, which is pruned to 2,000 edges and those of the list.
    """

    kind: MbrKind = "consensus"  # list, consensus or forest
    scale: float = 1.0  # translations have a probability proportional to exp(scale x score)
    size: int = 200  # number of distinct translations compared
    metric: str = "bleu+1"  # list and consensus: form of sentence BLEU: liang, bleu+1 or nakov

    def __post_init__(self) -> None:
        positive(scale=self.scale)
        at_least(1, size=self.size)
        if self.metric not in _METRICS:
            raise unknown_name("form of BLEU for minimum Bayes risk", self.metric, _METRICS)
        self.native()

    def native(self) -> _core.MbrOptions:
        """The same for the core, checked."""
        return _core.MbrOptions(self.kind, self.scale, self.size, _core.SentenceBleu(self.metric))


def minimum_bayes_risk(graph: Hypergraph, options: MbrOptions | None = None, count: int = 1) -> KBest:
    """The translations of largest expected gain, best first; of equals the one that the model likes best.

    Args:
        graph: derivations of a sentence.
        options: what is compared with what.
        count: how many translations.
    """
    return KBest(mbr_lists(count, options or MbrOptions())(graph.native), graph.index)


def mbr_lists(count: int, options: MbrOptions) -> MakeList:
    """Makes lists of the translations of largest expected gain."""
    native = options.native()
    return lambda graph: _core.minimum_bayes_risk(graph, native, count)


def largest_gain(hypotheses: _core.KBestList, options: MbrOptions) -> int:
    """The hypothesis of a list that `minimum_bayes_risk` chooses if this is its list, for kinds that look at nothing else.

    Whoever compares several scales lists the translations of a hypergraph once.

    Args:
        hypotheses: at least one.
        options: of kind `list` or `consensus`; the list is as long as it is.
    """
    gains = _core.expected_gains if options.kind == "list" else _core.consensus_gains
    return int(gains(hypotheses, options.scale, _core.SentenceBleu(options.metric)).argmax())
