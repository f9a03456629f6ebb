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
    partners = _partners(items)
    begin, end = 0, len(items)
    while begin < end:
        if _is_loose(items[begin]):
            begin += 1
        elif _is_loose(items[end - 1]):
            end -= 1
        elif partners.get(begin) == end - 1:
            begin, end = begin + 1, end - 1
        else:
            break
    kept = items[begin:end]
    if kept and isinstance(kept[0].piece, str):
        kept[0] = _stripped(kept[0], left=True)
    if kept and isinstance(kept[-1].piece, str):
        kept[-1] = _stripped(kept[-1], left=False)
    return kept


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


def _partners(items: list[Item]) -> dict[int, int]:
    """Where the codes are closed that open something."""
    partners: dict[int, int] = {}
    opened: list[int] = []
    for i, item in enumerate(items):
        if isinstance(item.piece, Code) and item.piece.kind == "open":
            opened.append(i)
        elif isinstance(item.piece, Code) and item.piece.kind == "close" and opened:
            partners[opened.pop()] = i
    return partners
