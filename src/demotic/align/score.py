"""Alignment error rate against gold links: Och and Ney (2003), section 5."""

from __future__ import annotations

from dataclasses import dataclass

from demotic.align.pharaoh import Link, read_links
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


@dataclass(frozen=True)
class ScoredPair:
    """One pair: gold links and found ones."""

    line: int  # from 1
    sure: frozenset[Link]
    possible: frozenset[Link]  # sure ones, too
    found: frozenset[Link]

    @property
    def counts(self) -> list[int]:
        """Links found, sure links, sure and possible ones among those found."""
        hits = len(self.found & self.sure), len(self.found & self.possible)
        return [len(self.found), len(self.sure), *hits]

    @property
    def errors(self) -> int:
        """Links that are wrong, and sure ones that are missing."""
        return len(self.found - self.possible) + len(self.sure - self.found)

    @property
    def aer(self) -> float:
        """Alignment error rate of this pair."""
        links, sure, hits_sure, hits_possible = self.counts
        return 1 - (hits_sure + hits_possible) / (links + sure) if links + sure else 0.0


def score_alignment(gold: Pathish, alignment: Pathish) -> AlignmentScore:
    """Compare two Pharaoh files line by line.

    With A the links, S the sure and P the possible gold links (S within P): precision = |A & P| / |A|,
    recall = |A & S| / |S|, AER = 1 - (|A & S| + |A & P|) / (|A| + |S|).
    """
    counts = [0, 0, 0, 0]
    pairs = _read_both(gold, alignment)
    for pair in pairs:
        counts = [total + more for total, more in zip(counts, pair.counts, strict=True)]
    links, sure, hits_sure, hits_possible = counts
    if links + sure == 0:
        raise DemoticError("neither file has any links", alignment)
    return AlignmentScore(
        precision=hits_possible / links if links else 0.0,
        recall=hits_sure / sure if sure else 0.0,
        aer=1 - (hits_sure + hits_possible) / (links + sure),
        links=links,
        sure=sure,
        sentences=len(pairs),
    )


def worst_pairs(gold: Pathish, alignment: Pathish, count: int) -> list[ScoredPair]:
    """The pairs with the highest error rate, worst first; of equals those with more errors, then the first."""
    pairs = [pair for pair in _read_both(gold, alignment) if pair.errors]
    return sorted(pairs, key=lambda pair: (-pair.aer, -pair.errors, pair.line))[:count]


def _read_both(gold: Pathish, alignment: Pathish) -> list[ScoredPair]:
    truth, guesses = read_links(gold), read_links(alignment)
    if len(truth) != len(guesses):
        raise DemoticError(
            f"{len(guesses):,} lines, but {gold} has {len(truth):,}",
            alignment,
            hint="line N of the alignment must belong to line N of the gold set",
        )
    return [
        ScoredPair(line, frozenset(sure), frozenset(possible), frozenset(guess))
        for line, ((sure, possible), (guess, _)) in enumerate(zip(truth, guesses, strict=True), start=1)
    ]
