"""Derivation trees as data for the page's script, which draws a tree when the reader asks for it.

As elements of the page, the features of all rules of all examples would take megabytes; as data, feature names are
stored once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from demotic.adapt.evidence import Example
from demotic.report.parts import RuleNode
from demotic.report.readable import readable, readable_word

_KINDS = {
    "goal": "whole sentence",
    "glue-start": "glue: first part",
    "glue": "glue",
    "pass-through": "copied",
    "forced": "prescribed",
}


@dataclass(frozen=True)
class TreeButton:
    """What opens a tree."""

    number: int  # of the tree in the page
    title: str  # of what it is the derivation


class Derivations:
    """Collects the trees of a page."""

    def __init__(self) -> None:
        self._names: dict[str, int] = {}
        self._trees: list[dict[str, Any]] = []

    def button(self, root: RuleNode, title: str) -> TreeButton:
        """Add a tree to the page."""
        self._trees.append(self._plain(root))
        return TreeButton(len(self._trees) - 1, title)

    def data(self) -> dict[str, Any] | None:
        """All trees, for the page's script; None if there is none."""
        return {"features": list(self._names), "trees": self._trees} if self._trees else None

    def _plain(self, node: RuleNode) -> dict[str, Any]:
        features = [
            [
                self._names.setdefault(readable(part.name), len(self._names)),
                _short(part.value),
                _short(part.weight),
            ]
            for part in node.features
        ]
        result: dict[str, Any] = {
            "kind": _KINDS.get(node.kind, ""),
            "source": [readable_word(symbol) for symbol in node.source],
            "target": [readable_word(symbol) for symbol in node.target],
            "span": _text(node.span),
            "score": _short(node.score),
            "features": features,
        }
        if node.places:
            result["places"] = node.places
            result["examples"] = [_pair(example) for example in node.examples]
        if node.children:
            result["children"] = [self._plain(child) for child in node.children]
        return result


def _pair(example: Example) -> list[Any]:
    """The line of a training pair, and each side in three parts: before the rule, the rule with its gaps, behind it."""
    sides = (example.source, example.source_span), (example.target, example.target_span)
    return [
        example.line,
        *([_text(words[:b]), _text(words[b:e]), _text(words[e:])] for words, (b, e) in sides),
    ]


def _text(words: Sequence[str]) -> str:
    return " ".join(str(readable_word(word)) for word in words)


def _short(value: float) -> float:
    """Six significant digits: what a reader can use."""
    return float(f"{value:.6g}")
