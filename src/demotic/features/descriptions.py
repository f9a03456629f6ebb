"""Feature names in a reader's words."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from demotic.base.errors import DemoticError
from demotic.features.binning import parse_bin
from demotic.features.names import Edge, FeatureName, Nonterminal, Symbol, WordClass, parse_name, unescape

if TYPE_CHECKING:
    from demotic.corpus import WordClasses
    from demotic.features.templates import ClassPairs

_EXAMPLES = 3  # words of a class


def describe(name: str, classes: ClassPairs | None = None) -> str:
    """What a feature stands for: `id:[1]_,_dass_[2]|[1]_that_[2]` is `X1 , dass X2 -> X1 that X2`.

    Names that no template made come back as they are.

    Args:
        name: of the feature.
        classes: of words; those that are among them are shown by their most frequent words.
    """
    try:
        parsed = parse_name(name)
    except DemoticError:
        return name
    words = (classes or {}).get(parsed.classes, (None, None))
    source, target = (
        _text(side, own) for side, own in zip((parsed.source, parsed.target), words, strict=True)
    )
    note = f" ({parsed.classes} classes)" if parsed.classes else ""
    label = f", {_printable(parsed.label)} only" if parsed.label else ""
    return _described(parsed, source, target, parsed.detail or "", name) + note + label


def _described(parsed: FeatureName, source: str, target: str, detail: str, name: str) -> str:
    match parsed.template.removeprefix("class_") if parsed.classes else parsed.template:
        case "id":
            return (f"{_text((parsed.left,))}: " if parsed.left else "") + f"{source} -> {target}"
        case "src_ngram":
            return f"source n-gram: {source}"
        case "tgt_ngram" | "tgt_gap":
            return f"target n-gram: {target}"
        case "tgt_border":
            return f"words where rules meet: {target}"
        case "fertility":
            return f"{source} has {parsed.number} target word{'s' * (parsed.number != 1)}"
        case "unaligned":
            return "unaligned words: " + detail.replace("|", " -> ")
        case "word_pair" | "word_class_pair":
            return f"{source or '(nothing)'} ~ {target or '(nothing)'}"
        case "shape":
            return "shape: " + " -> ".join(_shape(side) for side in detail.split("|"))
        case "length":
            return "words: " + detail.replace("|", " -> ")
        case "count_bin":
            return f"seen {detail} time{'s' * (detail != '1')}"
        case "bin":
            return _bin(detail) or name
        case "":
            return name
    return f"{parsed.template}: {_printable(unescape(detail))}"


def _bin(detail: str) -> str:
    try:
        feature, low, high = parse_bin(detail)
    except ValueError:
        return ""
    return f"{feature} is {low:g}" if low == high else f"{feature} is {low:g} to {high:g}"


def _text(symbols: tuple[Symbol, ...] | None, classes: WordClasses | None = None) -> str:
    return " ".join(_word(symbol, classes) for symbol in symbols or ())


def _word(symbol: Symbol, classes: WordClasses | None) -> str:
    if isinstance(symbol, Nonterminal):
        return symbol.label + str(symbol.number or "")
    if isinstance(symbol, Edge):
        return "(begin)" if symbol in (Edge.BEGIN, Edge.SENTENCE_BEGIN) else "(end)"
    if isinstance(symbol, WordClass):
        examples = classes.members(int(symbol.name)) if classes and symbol.name.isdigit() else []
        return f"<{' '.join([symbol.name, *map(_printable, examples[:_EXAMPLES])])}>"
    return _printable(symbol)


def _shape(side: str) -> str:
    return " ".join("X" if item == "N" else "..." for item in side)


def _printable(text: str) -> str:
    """Without the `&apos;` that tokenisers write; words that are not UTF-8 must not break a terminal."""
    return html.unescape(text.encode("utf-8", "surrogateescape").decode("utf-8", "replace"))
