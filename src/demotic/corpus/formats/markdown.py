"""Markdown: blocks as markdown-it finds them, inline markup as codes. Code, HTML blocks and link targets stay as they are.

A translated paragraph is written on one line, whatever lines the source had; hard line breaks stay.
"""

from __future__ import annotations

import re
from pathlib import Path

from demotic.corpus.formats.document import Document, Lines, Slot, read_text
from demotic.corpus.formats.runs import Item, slot_of
from demotic.corpus.formats.segment import Code, Pieces

_FRONT_MATTER = re.compile(r"\A\ufeff?(---|\+\+\+)[ \t]*\r?\n.*?\n\1[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_TARGET = r"\((?:<[^<>\n]*>|[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)(?:\s+(?:\"[^\"]*\"|'[^']*'))?\s*\)"
_INLINE = re.compile(
    r"(?P<code>(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`))"
    r"|(?P<hard>(?: {2,}|\\)\n)"
    r"|(?P<escape>\\[!-/:-@\[-`{-~])"
    r"|(?P<image>!\[[^\[\]]*\](?:" + _TARGET + r"|\[[^\]]*\])?)"
    r"|(?P<close_link>\](?:" + _TARGET + r"|\[[^\]]*\])(?:\{[^{}]*\})?)"
    r"|(?P<note>\[(?:\^[^\]\s]+|[ xX])\])"
    r"|(?P<label>\[(?P<name>[^\[\]]+)\](?![\[(:]))"
    r"|(?P<open_link>\[)"
    r"|(?P<tag></[A-Za-z][^<>]*>|<[A-Za-z!?][^<>]*>|&\#?\w+;|\{\{[^{}]{1,200}\}\}|\{%[^{}]{1,200}%\}|\{[:#.][^{}]{1,200}\})"
    r"|(?P<marks>\*{1,3}|(?<![^\W_])_{1,3}|_{1,3}(?![^\W_])|~~)",
    re.DOTALL,
)
# Text that would begin another block if it stood at the beginning of a line.
_BLOCK_MARK = re.compile(r"(?=(?:[-+*>=~:]|#+|\d{1,9}[.)])(?:\s|$))(?P<number>\d*)")


def read_markdown(path: Path) -> Document:
    """Paragraphs, headings, list items and cells of tables."""
    text, encoding = read_text(path)
    return Document(path, text, encoding, _Scanner(text).slots())


class _Scanner:
    def __init__(self, text: str) -> None:
        from markdown_it import MarkdownIt

        self._text = text
        self._lines = Lines(text)
        front = _FRONT_MATTER.match(text)
        blank = re.sub(r"[^\n]", "", front[0]) + text[front.end() :] if front else text
        self._environment: dict[str, dict[str, object]] = {}
        parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
        self._tokens = parser.parse(blank.replace("\r\n", " \n"), self._environment)

    def slots(self) -> list[Slot]:
        slots = []
        at = 0  # cells of a table stand on one line: each is looked for behind the one before
        for token in self._tokens:
            if token.type != "inline" or not token.map:
                continue
            places = self._places(token.content, token.map[0], at)
            if places:
                at = places[-1][1]
                slot = slot_of(self._items(places), token.map[0] + 1, _render)
                slots += [slot] if slot else []
        return slots

    def _places(self, content: str, line: int, at: int) -> list[tuple[int, int]] | None:
        """Where the lines of a block stand in the document; None if one is not found there as it is."""
        places = []
        for i, part in enumerate(content.split("\n")):
            part = part.rstrip(" ") if i == content.count("\n") else part
            starts = self._lines.starts
            if line + i >= len(starts):
                return None
            end = starts[line + i + 1] if line + i + 1 < len(starts) else len(self._text)
            part = (
                part.rstrip()
                if part.endswith(" ") and part not in self._text[starts[line + i] : end]
                else part
            )
            begin = self._text.find(part, max(at, starts[line + i]), end)
            if begin < 0:
                return None
            places.append((begin, begin + len(part)))
            at = begin + len(part)
        return places

    def _items(self, places: list[tuple[int, int]]) -> list[Item]:
        """Text and codes of a block. Its lines are scanned as one text, without the marks that stand before them."""
        text = "\n".join(self._text[begin:end] for begin, end in places)
        at = [
            place for begin, end in places for place in (*range(begin, end), end)
        ]  # of each character in the document
        items: list[Item] = []
        opened: list[str] = []
        done = 0
        for found in _INLINE.finditer(text):
            begin, end = at[found.start()], at[found.end()]
            code = self._code(found, opened, self._text[begin:end])
            if code is None:
                continue
            if found.start() > done:
                items.append(Item(at[done], begin, text[done : found.start()]))
            items.append(Item(begin, end, code))
            done = found.end()
        if done < len(text):
            items.append(Item(at[done], at[len(text)], text[done:]))
        return _with_pairs(items)

    def _code(self, found: re.Match[str], opened: list[str], raw: str) -> Code | None:
        """What a match is; None: text."""
        if found["open_link"]:
            return Code(raw, "open")
        if found["close_link"]:
            return Code(raw, "close")
        if found["label"]:
            known = self._environment.get("references", {})
            return Code(raw) if " ".join(found["name"].split()).upper() in known else None
        if found["marks"]:
            return _emphasis(found, opened)
        if found["tag"] and raw.startswith("</"):
            return Code(raw, "close")
        is_open = found["tag"] and re.match(r"<[A-Za-z][\w-]*[\s>]", raw) and not raw.endswith("/>")
        return Code(raw, "open") if is_open and not re.match(r"<(br|img|hr|input|wbr)\b", raw) else Code(raw)


def _emphasis(found: re.Match[str], opened: list[str]) -> Code | None:
    """Marks open before a letter and close behind one; marks with spaces on both sides are text."""
    before, after = found.string[: found.start()][-1:], found.string[found.end() :][:1]
    if found[0] in opened and before.strip():
        while opened.pop() != found[0]:
            pass
        return Code(found[0], "close")
    if after.strip():
        opened.append(found[0])
        return Code(found[0], "open")
    return None


def _with_pairs(items: list[Item]) -> list[Item]:
    """Opening codes without a closing one, and the other way round, stand alone."""
    stack: list[int] = []
    paired: set[int] = set()
    for i, item in enumerate(items):
        if isinstance(item.piece, Code) and item.piece.kind == "open":
            stack.append(i)
        elif isinstance(item.piece, Code) and item.piece.kind == "close" and stack:
            paired |= {stack.pop(), i}
    return [
        Item(item.begin, item.end, Code(item.piece.raw))
        if isinstance(item.piece, Code) and i not in paired
        else item
        for i, item in enumerate(items)
    ]


def _render(pieces: Pieces) -> str:
    text = "".join(piece if isinstance(piece, str) else piece.raw for piece in pieces)
    mark = _BLOCK_MARK.match(text) if pieces and isinstance(pieces[0], str) else None
    return f"{mark['number']}\\{text[mark.end('number') :]}" if mark else text
