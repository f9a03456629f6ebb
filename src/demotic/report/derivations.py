"""Derivation trees as data for the page's script, which draws a tree when the reader asks for it.

As elements of the page, the features of all rules of all examples would take megabytes; as data, feature names are
stored once.
"""

from __future__ import annotations

from typing import Any

from demotic.report.markup import Markup, element, join, json_script
from demotic.report.parts import RuleNode
from demotic.report.readable import readable, readable_word

_KINDS = {
    "goal": "whole sentence",
    "glue-start": "glue: first part",
    "glue": "glue",
    "pass-through": "copied",
}


class Derivations:
    """Collects the trees of a page."""

    def __init__(self) -> None:
        self._names: dict[str, int] = {}
        self._trees: list[dict[str, Any]] = []

    def button(self, root: RuleNode, title: str) -> Markup:
        """What opens a tree, and the place where it will stand."""
        self._trees.append(self._plain(root))
        number = len(self._trees) - 1
        opener = element(
            "button",
            "Derivation",
            element("span", f" of {title}", class_="hidden"),
            type="button",
            class_="derivation screen",
            aria_expanded="false",
            aria_controls=f"tree-{number}",
            data_tree=number,
            hidden=True,
        )
        return join([opener, element("div", id=f"tree-{number}", class_="tree", hidden=True)])

    def script(self) -> Markup:
        """All trees as data; nothing if there is none."""
        if not self._trees:
            return Markup("")
        return json_script("derivations", {"features": list(self._names), "trees": self._trees})

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
            "span": " ".join(str(readable_word(word)) for word in node.span),
            "score": _short(node.score),
            "features": features,
        }
        if node.children:
            result["children"] = [self._plain(child) for child in node.children]
        return result


def _short(value: float) -> float:
    """Six significant digits: what a reader can use."""
    return float(f"{value:.6g}")
