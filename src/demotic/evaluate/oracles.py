"""Translations that a hypergraph holds, judged by the references: the best one, hope and fear."""

from __future__ import annotations

from demotic import _core
from demotic.base.checks import positive
from demotic.base.errors import DemoticError
from demotic.decode import Hypergraph, KBest
from demotic.evaluate.references import References
from demotic.evaluate.sentence_metrics import BleuMetric, SentenceMetric, sentence_metric


def oracle(
    hypergraph: Hypergraph, references: References, metric: str | SentenceMetric = "bleu+1", beam: int = 30
) -> KBest:
    """The derivation of best sentence metric, as a list of one; of equally good ones, the one that the model likes best.

    Every node keeps its best partial translations by what still matters of them: length, outer words, and the n-grams of the
    references that they have. This is approximate, since what is good for a part may not be for the whole, and exact where
    the beam holds everything.

    Args:
        hypergraph: from the decoder.
        references: of its sentence.
        metric: a form of BLEU: `liang`, `bleu+1`, `nakov`, `pseudo`, or such a metric with its memory.
        beam: partial translations kept per node; 0: all, which small hypergraphs only can afford.
    """
    if beam < 0:
        raise DemoticError(f"beam must be at least 0 (got {beam})", hint="0 keeps everything")
    chosen = sentence_metric(metric) if isinstance(metric, str) else metric
    if not isinstance(chosen, BleuMetric):
        raise DemoticError(
            f"oracles need a form of BLEU (got {chosen.name})", hint="choose liang, bleu+1, nakov or pseudo"
        )
    native = _core.oracle(hypergraph.native, references.native, chosen.native, beam)
    return KBest(native, hypergraph.index)


def hope_and_fear(hypergraph: Hypergraph, references: References, scale: float = 10.0) -> KBest:
    """The translation that the model likes best, then hope and fear among all derivations (Chiang 2012), without repetition.

    Hope has the largest score + scale x gain, fear the largest score - scale x gain. The gain is BLEU as a sum over words and n-grams
    (Tromble, Kumar, Och and Macherey 2008): -1 for no match, about 0 for a translation of 35 BLEU, 2 for a reference. The search
    for it is exact.

    Args:
        hypergraph: from the decoder.
        references: of its sentence.
        scale: what the gain counts beside the score.
    """
    positive(scale=scale)
    return KBest(_core.hope_and_fear(hypergraph.native, references.native, scale), hypergraph.index)
