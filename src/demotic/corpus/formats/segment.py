"""Segments: text with inline codes, and the one string in which codes are numbered tags."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from demotic.corpus.verbatim import nests

BREAK = "\n"  # the raw text of a code that ends a line of the message: sentences do not cross it


Kind: TypeAlias = Literal["open", "close", "alone"]


@dataclass(frozen=True)
class Code:
    """Markup inside a segment: it comes back exactly once, as it is."""

    raw: str  # as it stands in the file
    kind: Kind = "alone"


Pieces: TypeAlias = tuple[str | Code, ...]
"""Plain text, without escapes of the format, and codes."""


@dataclass(frozen=True)
class Segment:
    """Text that is translated as a whole: a paragraph, a message, a subtitle."""

    pieces: Pieces
    line: int  # of the file, from 1

    @property
    def has_words(self) -> bool:
        """Whether there is anything to translate."""
        return any(isinstance(piece, str) and any(map(str.isalpha, piece)) for piece in self.pieces)


@dataclass(frozen=True)
class Translation:
    """What goes into the file for a segment."""

    pieces: Pieces
    unsure: bool = False  # a person should look at it: `fuzzy` in gettext catalogues


class TaggedText:
    """A segment as one string with a numbered tag for each code, such as `Click <g1>here</g1>.<x2/>`, and the way back.

    Args:
        pieces: of the segment.
    """

    def __init__(self, pieces: Pieces) -> None:
        plain = "".join(piece for piece in pieces if isinstance(piece, str))
        self._name = "g"
        while f"<{self._name}" in plain or f"</{self._name}" in plain:  # text that looks like our tags
            self._name += "g"
        self._codes: dict[str, Code] = {}
        opened: list[int] = []
        parts = []
        for number, piece in enumerate(pieces, start=1):
            if isinstance(piece, str):
                parts.append(" ".join(piece.split(" ")))
                continue
            if piece.kind == "open":
                opened.append(number)
            same = opened.pop() if piece.kind == "close" and opened else number
            shape = {"open": f"<{self._name}{same}>", "close": f"</{self._name}{same}>"}
            tag = shape.get(piece.kind, f"<{self._name}{number}/>")
            self._codes[tag] = piece
            parts.append(tag)
        self.text = "".join(parts)
        self._tag = re.compile(rf"</?{self._name}\d+/?>")

    def tags(self, text: str) -> list[re.Match[str]]:
        """Where the tags of this segment stand in a text."""
        return [found for found in self._tag.finditer(text) if found[0] in self._codes]

    def is_break(self, tag: str) -> bool:
        """Whether a tag stands for the end of a line."""
        return self._codes[tag].raw == BREAK

    def pieces(self, translated: str) -> Pieces | None:
        """Codes again in the place of tags; None unless each stands there once.

        Where codes end up in an order in which they do not nest, they take the order of the source, in the same places.
        """
        found = self.tags(translated)
        names = [match[0] for match in found]
        if sorted(names) != sorted(self._codes):
            return None
        if not nests(names):
            names = list(self._codes)
        result: list[str | Code] = []
        at = 0
        for match, name in zip(found, names, strict=True):
            result += [translated[at : match.start()], self._codes[name]]
            at = match.end()
        return tuple(piece for piece in (*result, translated[at:]) if piece != "")
