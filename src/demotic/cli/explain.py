"""The derivation of a translation as a tree, with the score of each rule."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape
from rich.tree import Tree

from demotic.corpus.verbatim import shown

if TYPE_CHECKING:
    from demotic.decode import Derivation, Hypergraph, SpanConstraint, TranslationModel

_SHOWN = 6  # features per rule; the rest is summed up


def explain_lines(
    model: TranslationModel, lines: Iterable[str], constraints: Iterable[Sequence[SpanConstraint]]
) -> None:
    """Print a tree for the best translation of each line of raw text, under the constraints of each."""
    console = Console()
    for line, spans in zip(lines, constraints, strict=True):
        graph = model.decode_text(line, spans)
        best = graph.viterbi()
        derivation = graph.derivation(best)
        text = model.restore(best.sentence(0), source=line)
        root = Tree(f"[bold]{escape(text)}[/bold]   {best.scores[0]:.4f}")
        _add(root, derivation, graph, model)
        console.print(root)


def _add(tree: Tree, derivation: Derivation, graph: Hypergraph, model: TranslationModel) -> None:
    for rule in _glued(derivation):
        branch = tree.add(_line(rule, graph))
        branch.add(f"[dim]{contributions(rule, graph, model)}[/dim]")
        for child in rule.children[1:] if rule.kind == "glue" else rule.children:
            _add(branch, child, graph, model)


def _glued(derivation: Derivation) -> list[Derivation]:
    """The phrases that glue puts together, one below the other: nested as they are, a long sentence would be as deep as long."""
    parts = [derivation]
    while parts[-1].kind == "glue":
        parts.append(parts[-1].children[0])
    return parts[::-1]


def _line(derivation: Derivation, graph: Hypergraph) -> str:
    if derivation.kind == "goal":
        return f"[dim]sentence[/dim]   {derivation.score:+.4f}"
    span = " ".join(graph.sentence[derivation.begin : derivation.end])
    rule = f"{_side(derivation.source)} [dim]→[/dim] [green]{_side(derivation.target)}[/green]"
    return f"{rule}   {derivation.score:+.4f}   [dim]{escape(span)}[/dim]"


def _side(symbols: tuple[str | int, ...]) -> str:
    return " ".join(
        escape(shown(symbol)) if isinstance(symbol, str) else f"[cyan]X{symbol}[/cyan]" for symbol in symbols
    )


def contributions(derivation: Derivation, graph: Hypergraph, model: TranslationModel) -> str:
    """`value x weight = part` of the features that matter most for a rule; the parts add up to its score."""
    from demotic.decode import feature_parts

    parts = feature_parts(derivation, graph, model.weights)
    shown = [
        f"{escape(part.name)} {part.value:.3g} × {part.weight:.3g} = {part.product:+.3g}"
        for part in parts[:_SHOWN]
    ]
    if len(parts) > _SHOWN:
        shown.append(f"{len(parts) - _SHOWN} others {sum(part.product for part in parts[_SHOWN:]):+.3g}")
    return ", ".join(shown) or "nothing"
