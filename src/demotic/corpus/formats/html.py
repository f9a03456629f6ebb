"""HTML: the text of blocks, with inline elements as codes. Attributes, scripts, styles and preformatted text stay as they are."""

from __future__ import annotations

import html
import re
from html.parser import HTMLParser
from pathlib import Path

from demotic.base.errors import DemoticError
from demotic.corpus.formats.document import Document, Lines, Slot, read_text
from demotic.corpus.formats.runs import Item, slot_of
from demotic.corpus.formats.segment import Code, Pieces

_INLINE = frozenset(
    [
        "a",
        "abbr",
        "acronym",
        "b",
        "bdi",
        "bdo",
        "big",
        "cite",
        "data",
        "del",
        "dfn",
        "em",
        "font",
        "i",
        "ins",
        "label",
        "mark",
        "q",
        "ruby",
        "rb",
        "rt",
        "rp",
        "s",
        "small",
        "span",
        "strike",
        "strong",
        "sub",
        "sup",
        "time",
        "tt",
        "u",
        "wbr",
        "br",
        "img",
        "input",
    ]
)
_VOID = frozenset(
    [
        "area",
        "base",
        "br",
        "col",
        "embed",
        "hr",
        "img",
        "input",
        "link",
        "meta",
        "param",
        "source",
        "track",
        "wbr",
    ]
)
# Whole elements that are no text of a language: inside a sentence they are one code.
_OPAQUE = frozenset(
    ["code", "kbd", "samp", "var", "svg", "math", "object", "canvas", "button", "select", "script", "style"]
)
_SKIPPED = frozenset(["pre", "textarea", "template", "noscript", "iframe", "xmp"]) | _OPAQUE
_UNCLOSED = 1000  # tags at the end of a file, over which the parser goes again and again
_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)


def read_html(path: Path) -> Document:
    """The paragraphs, headings, cells and list items of a page; elements with `translate="no"` are left alone."""
    text, encoding = read_text(path, _declared)
    return Document(path, text, encoding, html_slots(text, path), escapes="xmlcharrefreplace")


def html_slots(text: str, path: Path) -> list[Slot]:
    """The slots of HTML, whole pages or parts of them."""
    if text.count("<", text.rfind(">") + 1) > _UNCLOSED:
        raise DemoticError(
            "tags are not closed", path, Lines(text).number(text.rfind(">") + 1), "is the file complete?"
        )
    scanner = _Scanner(text)
    try:
        scanner.feed(text)
        scanner.close()
    except (AssertionError, ValueError) as error:  # of marked sections such as <![x
        raise DemoticError(f"not valid HTML: {error}", path, scanner.getpos()[0]) from error
    return scanner.slots()


def _declared(data: bytes) -> str | None:
    found = _CHARSET.search(data)
    return found[1].decode("ascii", "replace") if found else None


class _Scanner(HTMLParser):
    """Notes what stands where; a stretch ends where the next one begins."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=False)
        self._text = text
        self._lines = Lines(text)
        self._events: list[tuple[int, str]] = []  # place, kind
        self._skipped: tuple[str, int] | None = (
            None  # element that is left alone, how deep we are in others of its name
        )

    def _note(self, kind: str) -> None:
        line, column = self.getpos()
        if self._skipped is None:
            self._events.append((self._lines.starts[line - 1] + column, kind))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._skipped:
            if tag == self._skipped[0]:
                self._skipped = (tag, self._skipped[1] + 1)
            return
        values = dict(attrs)
        alone = values.get("translate") == "no" or "notranslate" in (values.get("class") or "").split()
        if (tag in _SKIPPED or alone) and tag not in _VOID:
            inline = tag in _OPAQUE or (alone and tag in _INLINE)
            self._note("alone" if inline else "block")
            self._skipped = (tag, 0)
        elif tag in _INLINE:
            self._note("alone" if tag in _VOID else "open")
        else:
            self._note("block")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._note("alone" if tag in _INLINE | _OPAQUE else "block")

    def handle_endtag(self, tag: str) -> None:
        if self._skipped and self._skipped[0] == tag:
            name, depth = self._skipped
            self._skipped = (name, depth - 1) if depth else None
        elif not self._skipped:
            self._note("close" if tag in _INLINE and tag not in _VOID else "block")

    def handle_data(self, data: str) -> None:
        self._note("text")

    def handle_entityref(self, name: str) -> None:
        self._note("entity")

    def handle_charref(self, name: str) -> None:
        self._note("entity")

    def handle_comment(self, data: str) -> None:
        self._note("alone")

    def handle_decl(self, decl: str) -> None:
        self._note("block")

    def handle_pi(self, data: str) -> None:
        self._note("block")

    def unknown_decl(self, data: str) -> None:
        self._note("block")

    def slots(self) -> list[Slot]:
        slots: list[Slot | None] = []
        run: list[Item] = []
        ends = [place for place, _ in self._events[1:]] + [len(self._text)]
        for (begin, kind), end in zip(self._events, ends, strict=False):
            raw = self._text[begin:end]
            if kind == "block":
                slots.append(self._slot(run))
                run = []
            elif kind == "text":
                run.append(Item(begin, end, raw))
            elif kind == "entity":
                run.append(Item(begin, end, html.unescape(raw)))
            else:
                run.append(
                    Item(
                        begin,
                        end,
                        Code(raw, "open" if kind == "open" else "close" if kind == "close" else "alone"),
                    )
                )
        slots.append(self._slot(run))
        return [slot for slot in slots if slot]

    def _slot(self, run: list[Item]) -> Slot | None:
        return slot_of(run, self._lines.number(run[0].begin), render_html) if run else None


def render_html(pieces: Pieces) -> str:
    """Text with escapes, codes as they were."""
    return "".join(
        html.escape(piece, quote=False).replace("\u00a0", "&nbsp;") if isinstance(piece, str) else piece.raw
        for piece in pieces
    )
