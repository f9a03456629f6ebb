"""Plain text: paragraphs with empty lines between them."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

from demotic.corpus.formats.document import Document, Lines, read_text
from demotic.corpus.formats.runs import Item, slot_of
from demotic.corpus.formats.segment import Pieces

# A list item or an indented line begins a paragraph of its own.
_PARAGRAPH = re.compile(
    r"(?P<mark>[ \t]*(?:[-*•]|\d{1,3}[.)])?[ \t]+)?(?P<text>\S[^\n]*(?:\n(?![ \t]*(?:[-*•]|\d{1,3}[.)])[ \t])[^\S\n]*\S[^\n]*)*)"
)


def read_txt(path: Path) -> Document:
    """A paragraph is a segment; its translation is wrapped where the paragraph was."""
    text, encoding = read_text(path)
    lines = Lines(text)
    slots = []
    for found in _PARAGRAPH.finditer(text):
        begin, end = found.start("text"), found.end("text")
        raw = found["text"]
        ends = "\r\n" if "\r\n" in raw else "\n"
        width = max(len(line) for line in raw.split("\n")) if "\n" in raw else 0
        indent = _indent(raw)

        def render(pieces: Pieces, width: int = width, indent: str = indent, ends: str = ends) -> str:
            line = "".join(piece for piece in pieces if isinstance(piece, str))
            if not width:
                return line
            wrapped = textwrap.wrap(
                line, max(width, 20), subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
            )
            return ends.join(wrapped)

        slots.append(slot_of([Item(begin, end, raw)], lines.number(begin), render))
    return Document(path, text, encoding, [slot for slot in slots if slot])


def _indent(paragraph: str) -> str:
    """White space before its second line."""
    found = re.search(r"\n([^\S\n]*)", paragraph)
    return found[1] if found else ""
