"""A derivation as a tree of rules, for people."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from demotic import _core


@dataclass(frozen=True)
class Derivation:
    """A rule, where it applies, and what fills its nonterminals (in the order of the source side).

    Symbols are words, or the numbers 1 and 2 for nonterminals.
    """

    kind: str  # translation, pass-through, forced, glue-start, glue, goal
    source: tuple[str | int, ...]
    target: tuple[str | int, ...]
    begin: int  # source span
    end: int
    label: str
    score: float  # weights . features of this rule
    edge: int  # in the hypergraph
    children: tuple[Derivation, ...]

    def total(self) -> float:
        """Score of the whole derivation."""
        return sum(rule.score for rule in self.rules())

    def words(self) -> list[str]:
        """The translation."""
        words: list[str] = []
        ahead: list[str | Derivation] = [self]  # the last comes first
        while ahead:
            part = ahead.pop()
            if isinstance(part, str):
                words.append(part)
            else:
                ahead += [part._part(symbol) for symbol in reversed(part.target) if part._is_filled(symbol)]
        return words

    def _is_filled(self, symbol: str | int) -> bool:
        return isinstance(symbol, str) or symbol <= len(self.children)  # the goal of an empty sentence is not

    def _part(self, symbol: str | int) -> str | Derivation:
        return symbol if isinstance(symbol, str) else self.children[symbol - 1]

    def rules(self) -> Iterator[Derivation]:
        """All rules from the top down, left to right on the source side."""
        ahead = [self]
        while ahead:
            rule = ahead.pop()
            yield rule
            ahead += reversed(rule.children)


def read_derivation(graph: _core.Hypergraph, edges: list[int]) -> Derivation:
    """The tree of a derivation that is given as its edges from the top down in the order of the target side.

    Without recursion: sentences of hundreds of words are glued together in trees as deep.
    """
    hyperedges, nodes, scores = graph.edges(), graph.nodes(), graph.edge_scores
    done: list[Derivation] = []  # subtrees that wait for their parents, the leftmost on the target side last
    for edge in reversed(edges):
        rule, head, tails, _ = hyperedges[edge]
        kind, source, target, _ = graph.rule(rule)
        order = [symbol for symbol in target if isinstance(symbol, int)][: len(tails)]
        by_number = {number: done.pop() for number in order}
        _, _, begin, end, label = nodes[head]
        children = tuple(by_number[number] for number in sorted(by_number))
        done.append(Derivation(kind, source, target, begin, end, label, float(scores[edge]), edge, children))
    return done.pop()
