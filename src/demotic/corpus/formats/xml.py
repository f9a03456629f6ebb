"""XML with the place of every element, for formats that are edited where they stand.

Entities are refused: that is how entity bombs and stolen files work, and files for translation have no use for them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat
from xml.sax.saxutils import escape

from demotic.base.errors import DemoticError
from demotic.corpus.formats.document import read_text
from demotic.corpus.formats.segment import Code, Pieces

_DECLARED = re.compile(rb"\A\s*<\?xml[^>]*?encoding\s*=\s*[\"']([\w.:-]+)")
_TAG = re.compile(rb"<(?:\"[^\"]*\"|'[^']*'|[^<>\"'])*>")
_DEEPEST = 200  # elements inside each other
_ENTITY = re.compile(r"<!\[CDATA\[(.*?)\]\]>|<!--.*?-->|<\?.*?\?>|&(\#\d+|\#x[0-9a-fA-F]+|\w+);", re.DOTALL)
_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}


@dataclass
class Element:
    """An element and where it stands in the document."""

    name: str  # without its namespace prefix
    attributes: dict[str, str]
    line: int
    begin: int
    inner_begin: int
    inner_end: int = 0
    end: int = 0
    children: list[Element] = field(default_factory=list)

    def child(self, name: str) -> Element | None:
        """The first child of this name."""
        return next((each for each in self.children if each.name == name), None)

    def walk(self) -> list[Element]:
        """The element and all that it contains, in the order of the document."""
        found, waiting = [], [self]
        while waiting:
            each = waiting.pop()
            found.append(each)
            waiting += reversed(each.children)
        return found


def read_xml(path: Path) -> tuple[str, str, Element]:
    """Text, encoding and root element of a file."""
    text, encoding = read_text(path, _declared)
    return text, encoding, parse_xml(text, path)


def _declared(data: bytes) -> str | None:
    found = _DECLARED.search(data)
    return found[1].decode("ascii") if found else None


def parse_xml(text: str, path: Path) -> Element:
    """The root of a document, with places in the text.

    Raises:
        DemoticError: with the line, for text that is not well-formed, nested too deeply, or declares entities.
    """
    builder = _Builder(text, path)
    try:
        builder.parser.Parse(builder.data, True)
    except expat.ExpatError as error:
        message = expat.errors.messages[error.code]
        raise DemoticError(
            f"not valid XML: {message}", path, error.lineno, "the file must be well-formed and complete"
        ) from error
    assert builder.root is not None  # a document without one is not well-formed
    return builder.root


class _Builder:
    """Builds elements while expat walks through the document as UTF-8, whatever its own encoding is."""

    def __init__(self, text: str, path: Path) -> None:
        self.data = text.encode("utf-8", "surrogatepass")
        self.root: Element | None = None
        self._path = path
        self._open: list[Element] = []
        self._at = (0, 0)  # bytes and characters up to the last place
        self.parser = expat.ParserCreate("utf-8")
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.EntityDeclHandler = self._entity

    def _place(self, byte: int) -> int:
        """The character at a byte; places are asked for from left to right."""
        done, characters = self._at
        self._at = (byte, characters + len(self.data[done:byte].decode("utf-8", "surrogatepass")))
        return self._at[1]

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if len(self._open) >= _DEEPEST:
            raise DemoticError(
                f"more than {_DEEPEST} elements inside each other", self._path, self.parser.CurrentLineNumber
            )
        first = self.parser.CurrentByteIndex
        tag = _TAG.match(self.data, first)
        assert tag is not None
        plain = {key.split(":")[-1]: value for key, value in attributes.items()}
        element = Element(
            name.split(":")[-1],
            plain,
            self.parser.CurrentLineNumber,
            self._place(first),
            self._place(tag.end()),
        )
        if tag[0].endswith(b"/>"):
            element.inner_end = element.end = element.inner_begin
        if self._open:
            self._open[-1].children.append(element)
        else:
            self.root = element
        self._open.append(element)

    def _end(self, name: str) -> None:
        element = self._open.pop()
        if not element.end:
            first = self.parser.CurrentByteIndex
            tag = _TAG.match(self.data, first)
            assert tag is not None
            element.inner_end = self._place(first)
            element.end = self._place(tag.end())

    def _entity(self, name: str, *_: object) -> None:
        raise DemoticError(
            f"the file declares the entity '{name}'",
            self._path,
            self.parser.CurrentLineNumber,
            "entities can exhaust memory; remove the declarations from the DOCTYPE",
        )


def pieces_of(text: str, element: Element, pairs: dict[str, str], open_like: frozenset[str]) -> Pieces:
    """Text and codes inside an element.

    Args:
        text: of the document.
        element: whose content is taken.
        pairs: elements that open and close as codes of their own: `bpt` -> "open", `ept` -> "close".
        open_like: elements around text that is translated, such as `g`: their tags are codes.
    """
    pieces: list[str | Code] = []
    at = element.inner_begin
    for child in element.children:
        pieces.append(_plain(text[at : child.begin]))
        if child.name in open_like and child.inner_end > child.inner_begin:
            opening, closing = text[child.begin : child.inner_begin], text[child.inner_end : child.end]
            pieces += [
                Code(opening, "open"),
                *pieces_of(text, child, pairs, open_like),
                Code(closing, "close"),
            ]
        else:
            kind = pairs.get(child.name, "alone")
            pieces.append(
                Code(
                    text[child.begin : child.end],
                    "open" if kind == "open" else "close" if kind == "close" else "alone",
                )
            )
        at = child.end
    pieces.append(_plain(text[at : element.inner_end]))
    return tuple(piece for piece in pieces if piece != "")


def _plain(raw: str) -> str:
    """Without escapes, CDATA sections as their text, without comments."""

    def replacement(found: re.Match[str]) -> str:
        if found[1] is not None:
            return found[1]
        name = found[2]
        if name is None:
            return ""
        if name.startswith("#"):
            return chr(int(name[2:], 16) if name[1] in "xX" else int(name[1:]))
        return _NAMED[name]

    return _ENTITY.sub(replacement, raw) if "&" in raw or "<" in raw else raw


def render_xml(pieces: Pieces) -> str:
    """Text with escapes, codes as they were."""
    return "".join(escape(piece) if isinstance(piece, str) else piece.raw for piece in pieces)


def is_empty(element: Element | None, text: str) -> bool:
    """Whether an element is absent or has nothing in it."""
    return element is None or not text[element.inner_begin : element.inner_end].strip()
