"""Subtitles (SubRip): the text of each cue, with its tags as codes; times and numbers stay."""

from __future__ import annotations

import re
from pathlib import Path

from demotic.base.errors import DemoticError
from demotic.corpus.formats.document import Document, Slot, read_text
from demotic.corpus.formats.runs import Item, slot_of
from demotic.corpus.formats.segment import Code, Kind, Pieces

_TIME = re.compile(r"\s*\d+:\d\d:\d\d[,.]\d{1,3}\s*-->\s*\d+:\d\d:\d\d[,.]\d{1,3}.*")
_TAG = re.compile(r"</?\w[^<>]*>|\{\\[^{}]*\}")
_SPEAKER = re.compile(r"\s*[-–—]\s*")


def read_srt(path: Path) -> Document:
    """A cue is a segment; where its lines begin with dashes, each line is, since each has its own speaker."""
    text, encoding = read_text(path)
    slots: list[Slot | None] = []
    cue: list[tuple[int, int, int]] = []  # begin, end and number of the lines of text
    in_cue = found_time = False
    at = 0
    for number, line in enumerate([*text.splitlines(keepends=True), ""], start=1):
        bare = line.rstrip("\r\n")
        if not bare.strip():
            slots += _slots(text, cue)
            cue, in_cue = [], False
        elif _TIME.fullmatch(bare):
            cue, in_cue, found_time = [], True, True
        elif in_cue:
            cue.append((at, at + len(bare), number))
        elif not bare.strip("\ufeff \t").isdigit():
            raise DemoticError(
                "expected the number or the time of a subtitle",
                path,
                number,
                "times look like 00:00:01,000 --> 00:00:02,500",
            )
        at += len(line)
    if text.strip("\ufeff \r\n\t") and not found_time:
        raise DemoticError("no subtitle was found", path, hint="is this a .srt file?")
    return Document(path, text, encoding, [slot for slot in slots if slot])


def _slots(text: str, cue: list[tuple[int, int, int]]) -> list[Slot | None]:
    dialogue = len(cue) > 1 and all(_SPEAKER.match(text, begin, end) for begin, end, _ in cue)
    groups = [[line] for line in cue] if dialogue else [cue] if cue else []
    return [_slot(text, group, dialogue) for group in groups]


def _slot(text: str, lines: list[tuple[int, int, int]], dialogue: bool) -> Slot | None:
    items: list[Item] = []
    for i, (begin, end, _) in enumerate(lines):
        if i:
            items.append(Item(lines[i - 1][1], begin, " "))
        dash = _SPEAKER.match(text, begin, end) if dialogue else None
        at = dash.end() if dash else begin
        for tag in _TAG.finditer(text, at, end):
            items += [Item(at, tag.start(), text[at : tag.start()])] if tag.start() > at else []
            kind: Kind = "close" if tag[0].startswith("</") else "open" if tag[0].startswith("<") else "alone"
            items.append(Item(tag.start(), tag.end(), Code(tag[0], kind)))
            at = tag.end()
        items += [Item(at, end, text[at:end])] if at < end else []
    newline = "\r\n" if "\r\n" in text else "\n"
    return slot_of(items, lines[0][2], lambda pieces: _render(pieces, len(lines), newline))


def _render(pieces: Pieces, lines: int, newline: str) -> str:
    """The text on as many lines as the source had, about equally long."""
    parts = "".join(piece if isinstance(piece, str) else piece.raw for piece in pieces)
    words = re.findall(r"(?:<[^<>]*>|\{\\[^{}]*\}|[^\s<{]|[<{])+", parts)
    goal = sum(map(len, words)) / lines
    result: list[list[str]] = [[]]
    for word in words:
        if len(result) < lines and sum(map(len, result[-1])) + len(word) / 2 > goal and result[-1]:
            result.append([])
        result[-1].append(word)
    return newline.join(" ".join(line) for line in result)
