"""Feature names and their parts. A name parses back into exactly the words and nonterminals that it was made of.

`template:detail`; the symbols of a side are joined by `_`, source and target side by `|`. Nonterminals are `[1]` and `[2]`, or
`[NP,1]` where the label is not X, or without number `[X]`; `<r>` and `</r>` are the edges of a rule, `<s>` and `</s>` those of a sentence. Templates of word classes are
followed by the number of classes, and classes are `<12>` or `<unk>`: `class_word_pair:50:<12>|<7>`. A bin of a dense feature is
`bin:FEATURE_VALUE` or `bin:FEATURE_LOW..HIGH`. A feature in conjunction with the label of a sentence ends with it: `word_pair:ein|a<@news>`. In words, what has a meaning here or in text files is written as `%` and two
hexadecimal digits per byte.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from demotic import _core
from demotic.base.errors import DemoticError

_ESCAPE = re.compile(rb"%([0-9A-F]{2})")
_CLASS = re.compile(r"<([1-9][0-9]*|num|sym|unk)>")
_LABEL = re.compile(r"([^:]+:.*)<@([^<]+)>")
_SPECIAL_IN_DETAILS = re.compile(r"[\s\x00-\x20\x7f-\xa0=%]|(?<=\|)\|")


class Edge(enum.Enum):
    """Where a rule or a sentence begins and ends, in n-grams."""

    BEGIN = "<r>"
    END = "</r>"
    SENTENCE_BEGIN = "<s>"
    SENTENCE_END = "</s>"


@dataclass(frozen=True)
class Nonterminal:
    """A nonterminal of a rule; n-grams of the source side do not number it."""

    number: int | None = None
    label: str = "X"


@dataclass(frozen=True)
class WordClass:
    """The class of a word: its number, or `num`, `sym` or `unk` for words that have none."""

    name: str


Symbol = str | Nonterminal | Edge | WordClass


@dataclass(frozen=True)
class FeatureName:
    """A name in parts: what stands on the source and the target side, or else the detail as text."""

    template: str  # empty: a dense feature, which is all `detail`
    source: tuple[Symbol, ...] | None = None
    target: tuple[Symbol, ...] | None = None
    left: Nonterminal | None = None  # left-hand side of a rule, if it is not X
    detail: str | None = None
    classes: int = 0  # how many word classes the template has; 0: it has words
    number: int | None = None  # of target words, as a source word's fertility
    label: str = ""  # of the sentence; empty: the feature is the same for all

    def __str__(self) -> str:
        """The name."""
        label = f"<@{escape_word(self.label)}>" if self.label else ""
        return self._without_label() + label

    def _without_label(self) -> str:
        if self.detail is not None:
            return f"{self.template}:{self.detail}" if self.template else self.detail
        sides = [
            side
            for side in ((self.left,) if self.left else None, self.source, self.target)
            if side is not None
        ]
        head = f"{self.template}:" + (f"{self.classes}:" if self.classes else "")
        tail = "" if self.number is None else f"|{self.number}"
        return head + "|".join("_".join(map(_symbol_text, side)) for side in sides) + tail


def parse_name(name: str) -> FeatureName:
    """Take a name apart.

    Raises:
        DemoticError: if it begins like a name of a native template and is none.
    """
    labelled = _LABEL.fullmatch(name)
    if labelled is not None:
        return replace(parse_name(labelled[1]), label=unescape(labelled[2]))
    template, colon, detail = name.partition(":")
    try:
        kind, classes, detail = _kind(template, detail)
        if kind == "id":
            *left, source, target = detail.split("|")
            gap = _gap(*left) if left else None
            return FeatureName(template, _symbols(source), _symbols(target), gap, classes=classes)
        if kind == "src_ngram":
            return FeatureName(template, source=_symbols(detail, _gap), classes=classes)
        if kind in ("tgt_ngram", "tgt_gap", "tgt_border"):
            return FeatureName(template, target=_symbols(detail), classes=classes)
        if kind == "word_pair":
            source, target = detail.split("|")
            return FeatureName(template, _symbols(source), _symbols(target), classes=classes)
        if kind == "fertility":
            source, number = detail.split("|")
            return FeatureName(template, source=_symbols(source), classes=classes, number=int(number))
    except (TypeError, ValueError) as error:
        raise DemoticError(f"'{name}' is not a feature of the template '{template}'") from error
    return FeatureName(template, detail=detail) if colon else FeatureName("", detail=name)


def _kind(template: str, detail: str) -> tuple[str, int, str]:
    """What a name with word classes is like, `id` for `class_id`; the number of classes, and the rest. Other names: as they are."""
    kind = "word_pair" if template == "word_class_pair" else template.removeprefix("class_")
    if template in _core.class_templates():
        number, _, rest = detail.partition(":")
        return kind, int(number), rest
    return template, 0, detail


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
        match = _CLASS.fullmatch(text)
        return WordClass(match[1]) if match else Edge(text)
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
    if isinstance(symbol, WordClass):
        return f"<{symbol.name}>"
    label, number = escape_word(symbol.label), symbol.number
    if number is None:
        return f"[{label}]"
    return f"[{number}]" if symbol.label == "X" else f"[{label},{number}]"
