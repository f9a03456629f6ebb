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

    kind: str  # translation, pass-through, glue-start, glue, goal
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
        return self.score + sum(child.total() for child in self.children)

    def words(self) -> list[str]:
        """The translation."""
        return list(self._words())

    def _words(self) -> Iterator[str]:
        for symbol in self.target:
            if isinstance(symbol, str):
                yield symbol
            elif symbol <= len(self.children):
                yield from self.children[symbol - 1]._words()

    def rules(self) -> Iterator[Derivation]:
        """All rules from the top down, left to right on the source side."""
        yield self
        for child in self.children:
            yield from child.rules()


def read_derivation(graph: _core.Hypergraph, edges: list[int]) -> Derivation:
    """The tree of a derivation that is given as its edges from the top down in the order of the target side."""
    hyperedges, nodes, scores = graph.edges(), graph.nodes(), graph.edge_scores
    stream = iter(edges)

    def read() -> Derivation:
        edge = next(stream)
        rule, head, tails, _ = hyperedges[edge]
        kind, source, target, _, _ = graph.rule(rule)
        order = [symbol for symbol in target if isinstance(symbol, int)][: len(tails)]
        by_number = {number: read() for number in order}
        _, _, begin, end, label = nodes[head]
        children = tuple(by_number[number] for number in sorted(by_number))
        return Derivation(kind, source, target, begin, end, label, float(scores[edge]), edge, children)

    return read()
