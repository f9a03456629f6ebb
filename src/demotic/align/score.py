"""Alignment error rate against gold links: Och and Ney (2003), section 5."""

from __future__ import annotations

from dataclasses import dataclass

from demotic.align.pharaoh import read_links
from demotic.base.errors import DemoticError
from demotic.base.files import Pathish


@dataclass(frozen=True)
class AlignmentScore:
    """Precision over possible links, recall over sure links, and AER, all in [0, 1]; lower AER is better."""

    precision: float
    recall: float
    aer: float
    links: int
    sure: int
    sentences: int


def score_alignment(gold: Pathish, alignment: Pathish) -> AlignmentScore:
    """Compare two Pharaoh files line by line.

    With A the links, S the sure and P the possible gold links (S within P): precision = |A & P| / |A|,
    recall = |A & S| / |S|, AER = 1 - (|A & S| + |A & P|) / (|A| + |S|).
    """
    truth, guesses = read_links(gold), read_links(alignment)
    if len(truth) != len(guesses):
        raise DemoticError(
            f"{len(guesses):,} lines, but {gold} has {len(truth):,}",
            alignment,
            hint="line N of the alignment must belong to line N of the gold set",
        )
    links = sure = hits_sure = hits_possible = 0
    for (sure_links, possible_links), (guess, _) in zip(truth, guesses, strict=True):
        links += len(guess)
        sure += len(sure_links)
        hits_sure += len(guess & sure_links)
        hits_possible += len(guess & possible_links)
    if links + sure == 0:
        raise DemoticError("neither file has any links", alignment)
    return AlignmentScore(
        precision=hits_possible / links if links else 0.0,
        recall=hits_sure / sure if sure else 0.0,
        aer=1 - (hits_sure + hits_possible) / (links + sure),
        links=links,
        sure=sure,
        sentences=len(truth),
    )
