"""Gettext catalogues: messages without a translation get one; comments, flags, order and wrapping of all others stay."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

import polib

from demotic.corpus.formats.document import Document, Edit, Slot, read_text
from demotic.corpus.formats.segment import BREAK, Code, Pieces, Segment, Translation
from demotic.corpus.readers.po import parse_po

_CHARSET = re.compile(rb"Content-Type:[^\"\n]{0,80}?charset=([\w.:-]+)", re.IGNORECASE)
_KEYWORD = re.compile(r"\s*(msgctxt|msgid_plural|msgid|msgstr(?:\[\d+\])?)\s+\"(.*)\"\s*$")
_CONTINUED = re.compile(r"\s*\"(.*)\"\s*$")
_MARKUP = re.compile(r"(\n|</?[A-Za-z][^<>]*>)")  # line breaks and HTML tags in messages
_WIDTH = 77  # of a line, as gettext's own tools wrap


@dataclass
class _Field:
    """A keyword with its string."""

    name: str
    begin: int
    end: int
    value: str  # escaped


@dataclass
class _Message:
    line: int = 0  # of the first keyword
    begin: int = 0
    flags: tuple[int, int] | None = None  # where the flags end, if the message has any
    fields: list[_Field] = field(default_factory=list)


def read_po_document(path: Path) -> Document:
    """Messages whose translations are all empty, obsolete ones and the header aside.

    A translation that a person should check is flagged `fuzzy`.
    """
    text, encoding = read_text(path, _declared)
    parse_po(text.lstrip("\ufeff").splitlines(), path)  # polib says what is wrong with it
    newline = "\r\n" if "\r\n" in text else "\n"
    slots = []
    for message in _messages(text):
        values = {each.name: polib.unescape(each.value) for each in message.fields}
        targets = [each for each in message.fields if each.name.startswith("msgstr")]
        if values.get("msgid") and targets and not any(each.value for each in targets):
            for i, target in enumerate(targets):
                plural = target.name not in ("msgstr", "msgstr[0]")
                source = values.get("msgid_plural" if plural else "msgid", values["msgid"])
                slot = _slot(message, target, source, newline, flags=i == 0)
                slots += [slot] if slot.segment.has_words else []
    return Document(path, text, encoding, slots)


def _declared(data: bytes) -> str | None:
    found = _CHARSET.search(data)
    name = found[1].decode("ascii", "replace") if found else None
    return None if name in (None, "CHARSET") else name  # what xgettext writes before somebody fills it in


def _messages(text: str) -> list[_Message]:
    """Where the messages of a catalogue stand; polib has checked that it is one."""
    messages: list[_Message] = []
    current = _Message()
    at = 0
    for number, line in enumerate(text.splitlines(keepends=True), start=1):
        bare = line.lstrip("\ufeff").rstrip("\r\n")
        begin, end = at + len(line) - len(line.lstrip("\ufeff")), at + len(line.rstrip("\r\n"))
        at += len(line)
        keyword, continued = _KEYWORD.match(bare), _CONTINUED.match(bare)
        if keyword or continued:
            starts = keyword and keyword[1] in ("msgctxt", "msgid")
            if starts and any(each.name.startswith(("msgstr", "msgid")) for each in current.fields):
                messages.append(current)
                current = _Message()
            if keyword:
                if not current.fields:
                    current.line, current.begin = number, begin
                current.fields.append(_Field(keyword[1], begin, end, keyword[2]))
            elif current.fields:
                assert continued
                current.fields[-1].value += continued[1]
                current.fields[-1].end = end
        else:
            if current.fields:
                messages.append(current)
                current = _Message()
            if bare.startswith("#,"):
                current.flags = (begin, end)
            elif not bare.strip():
                current.flags = None
    return [*messages, current] if current.fields else messages


def _slot(message: _Message, target: _Field, source: str, newline: str, flags: bool) -> Slot:
    stripped = source.strip()
    before, after = source[: len(source) - len(source.lstrip())], source[len(source.rstrip()) :]
    pieces = tuple(_piece(part) for part in _MARKUP.split(stripped) if part)

    def edits(translation: Translation) -> list[Edit]:
        text = before + _text(translation.pieces) + after
        result = [Edit(target.begin, target.end, _formatted(target.name, text, newline))]
        if translation.unsure and flags:
            place = message.flags[1] if message.flags else message.begin
            result.append(Edit(place, place, ", fuzzy" if message.flags else f"#, fuzzy{newline}"))
        return result

    return Slot(Segment(pieces, message.line), edits)


def _piece(part: str) -> str | Code:
    if part == "\n":
        return Code(BREAK)
    if not _MARKUP.fullmatch(part):
        return part
    if part.startswith("</"):
        return Code(part, "close")
    return Code(part) if part.endswith("/>") or part.lower() in ("<br>", "<hr>") else Code(part, "open")


def _text(pieces: Pieces) -> str:
    return "".join(piece if isinstance(piece, str) else piece.raw for piece in pieces)


def _formatted(name: str, text: str, newline: str) -> str:
    """A keyword with its string, wrapped like gettext's: a line of the message is a line of the file, long ones are broken."""
    lines = [part for line in re.findall(r"[^\n]*\n|[^\n]+", text) for part in _wrapped(polib.escape(line))]
    if len(lines) > 1 or (lines and len(name) + len(lines[0]) + 3 > _WIDTH):
        return newline.join([f'{name} ""', *(f'"{line}"' for line in lines)])
    return f'{name} "{"".join(lines)}"'


def _wrapped(line: str) -> list[str]:
    """Parts of an escaped line, broken behind spaces."""
    parts = [""]
    for word in re.findall(r"\S*\s*", line):
        if parts[-1] and len(parts[-1]) + len(word) + 2 > _WIDTH:
            parts.append("")
        parts[-1] += word
    return parts
