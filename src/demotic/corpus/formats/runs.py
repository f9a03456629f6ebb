"""Runs of text and inline markup that become one segment in its place: what HTML, Markdown and subtitles share."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from demotic.corpus.formats.document import Edit, Slot
from demotic.corpus.formats.segment import Code, Pieces, Segment, Translation

_SPACES = re.compile(r"[ \t\r\n\f]+")


@dataclass(frozen=True)
class Item:
    """A stretch of the document that is text or a code."""

    begin: int
    end: int
    piece: str | Code


def slot_of(items: list[Item], line: int, render: Callable[[Pieces], str]) -> Slot | None:
    """A slot in the place of some items; None where they have no words.

    Spaces and codes around the whole segment stay outside; spaces inside are folded.
    """
    items = _trimmed(items)
    pieces: list[str | Code] = []
    for item in items:
        if isinstance(item.piece, str) and pieces and isinstance(pieces[-1], str):
            pieces[-1] += item.piece
        else:
            pieces.append(item.piece)
    folded = tuple(_SPACES.sub(" ", piece) if isinstance(piece, str) else piece for piece in pieces)
    segment = Segment(folded, line)
    if not segment.has_words:
        return None
    begin, end = items[0].begin, items[-1].end

    def edits(translation: Translation) -> list[Edit]:
        return [Edit(begin, end, render(translation.pieces))]

    return Slot(segment, edits, in_place=True)


def _trimmed(items: list[Item]) -> list[Item]:
    """Without spaces and codes at both ends that do not depend on the text between them."""
    while items:
        first, last = items[0], items[-1]
        if _is_loose(first):
            items = items[1:]
        elif _is_loose(last):
            items = items[:-1]
        elif len(items) > 1 and _are_partners(items):
            items = items[1:-1]
        elif isinstance(first.piece, str) and first.piece[0].isspace():
            items = [_stripped(first, left=True), *items[1:]]
        elif isinstance(last.piece, str) and last.piece[-1].isspace():
            items = [*items[:-1], _stripped(last, left=False)]
        else:
            break
    return items


def _is_loose(item: Item) -> bool:
    if isinstance(item.piece, str):
        return not item.piece.strip()
    return item.piece.kind == "alone"


def _stripped(item: Item, left: bool) -> Item:
    """Without the spaces at one end; escapes stand for no space that is stripped, so the text has as many as the document."""
    assert isinstance(item.piece, str)
    kept = item.piece.lstrip() if left else item.piece.rstrip()
    spaces = len(item.piece) - len(kept)
    if item.end - item.begin == len(item.piece):
        return (
            Item(item.begin + spaces, item.end, kept) if left else Item(item.begin, item.end - spaces, kept)
        )
    return Item(item.begin, item.end, kept)


def _are_partners(items: list[Item]) -> bool:
    """Whether the first code opens what the last one closes."""
    depth = 0
    for i, item in enumerate(items):
        if isinstance(item.piece, Code) and item.piece.kind != "alone":
            depth += 1 if item.piece.kind == "open" else -1
            if depth == 0:
                return (
                    i == len(items) - 1 and isinstance(items[0].piece, Code) and items[0].piece.kind == "open"
                )
        elif i == 0:
            return False
    return False
