"""Feature names and their parts. A name parses back into exactly the words and nonterminals that it was made of.

`template:detail`; the symbols of a side are joined by `_`, source and target side by `|`. Nonterminals are `[1]` and `[2]`, or
`[NP,1]` where the label is not X, or without number `[X]`; `<r>` and `</r>` are the edges of a rule. A bin of a dense feature is
`bin:FEATURE_VALUE` or `bin:FEATURE_LOW..HIGH`. In words, what has a meaning
here or in text files is written as `%` and two hexadecimal digits per byte.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Callable
from dataclasses import dataclass

from demotic import _core
from demotic.base.errors import DemoticError

_ESCAPE = re.compile(rb"%([0-9A-F]{2})")
_SPECIAL_IN_DETAILS = re.compile(r"[\s\x00-\x20\x7f-\xa0=%]|(?<=\|)\|")


class Edge(enum.Enum):
    """Where a rule begins and ends, in n-grams."""

    BEGIN = "<r>"
    END = "</r>"


@dataclass(frozen=True)
class Nonterminal:
    """A nonterminal of a rule; n-grams of the source side do not number it."""

    number: int | None = None
    label: str = "X"


Symbol = str | Nonterminal | Edge


@dataclass(frozen=True)
class FeatureName:
    """A name in parts: what stands on the source and the target side, or else the detail as text."""

    template: str  # empty: a dense feature, which is all `detail`
    source: tuple[Symbol, ...] | None = None
    target: tuple[Symbol, ...] | None = None
    left: Nonterminal | None = None  # left-hand side of a rule, if it is not X
    detail: str | None = None

    def __str__(self) -> str:
        """The name."""
        if self.detail is not None:
            return f"{self.template}:{self.detail}" if self.template else self.detail
        sides = [
            side
            for side in ((self.left,) if self.left else None, self.source, self.target)
            if side is not None
        ]
        return f"{self.template}:" + "|".join("_".join(map(_symbol_text, side)) for side in sides)


def parse_name(name: str) -> FeatureName:
    """Take a name apart.

    Raises:
        DemoticError: if it begins like a name of a native template and is none.
    """
    template, colon, detail = name.partition(":")
    try:
        if template == "id":
            *left, source, target = detail.split("|")
            return FeatureName(template, _symbols(source), _symbols(target), _gap(*left) if left else None)
        if template == "src_ngram":
            return FeatureName(template, source=_symbols(detail, _gap))
        if template in ("tgt_ngram", "tgt_gap"):
            return FeatureName(template, target=_symbols(detail))
        if template == "word_pair":
            source, target = detail.split("|")
            return FeatureName(template, _symbols(source), _symbols(target))
    except (TypeError, ValueError) as error:
        raise DemoticError(f"'{name}' is not a feature of the template '{template}'") from error
    return FeatureName(template, detail=detail) if colon else FeatureName("", detail=name)


def escape_word(word: str) -> str:
    """A word as it stands in names."""
    return _core.escape_word(word.encode("utf-8", "surrogateescape"))


def unescape(text: str) -> str:
    """A word, or the detail of a Python template, as it was before it was escaped."""
    if text == "%":
        return ""
    return _ESCAPE.sub(lambda match: bytes.fromhex(match[1].decode()), text.encode()).decode(
        "utf-8", "surrogateescape"
    )


def escape_detail(detail: str) -> str:
    """What a Python template returned as it stands in names: no white space, `=` or `|||`."""

    def escaped(match: re.Match[str]) -> str:
        return "".join(f"%{byte:02X}" for byte in match[0].encode())

    return _SPECIAL_IN_DETAILS.sub(escaped, detail)


def _symbols(text: str, nonterminal: Callable[[str], Nonterminal] | None = None) -> tuple[Symbol, ...]:
    return tuple(_symbol(part, nonterminal or _numbered) for part in text.split("_")) if text else ()


def _symbol(text: str, nonterminal: Callable[[str], Nonterminal]) -> Symbol:
    if text.startswith("["):
        return nonterminal(text)
    if text.startswith("<"):
        return Edge(text)
    if "=" in text or "|" in text or not text:
        raise ValueError(text)
    return unescape(text)


def _numbered(text: str) -> Nonterminal:
    match = re.fullmatch(r"\[(?:(.+),)?([12])\]", text)
    if match is None:
        raise ValueError(text)
    return Nonterminal(int(match[2]), unescape(match[1]) if match[1] else "X")


def _gap(text: str) -> Nonterminal:
    match = re.fullmatch(r"\[(.+)\]", text)
    if match is None:
        raise ValueError(text)
    return Nonterminal(None, unescape(match[1]))


def _symbol_text(symbol: Symbol) -> str:
    if isinstance(symbol, Edge):
        return symbol.value
    if isinstance(symbol, str):
        return escape_word(symbol)
    label, number = escape_word(symbol.label), symbol.number
    if number is None:
        return f"[{label}]"
    return f"[{number}]" if symbol.label == "X" else f"[{label},{number}]"
