"""Tab-separated text: the first column is the source; the second is filled where it is empty."""

from __future__ import annotations

from pathlib import Path

from demotic.corpus.formats.document import Document, Edit, Slot, read_text
from demotic.corpus.formats.segment import Segment, Translation


def read_tsv_document(path: Path) -> Document:
    """Rows without a second cell get one."""
    text, encoding = read_text(path)
    slots = []
    at = 0
    for number, line in enumerate(text.split("\n"), start=1):
        cells = line.rstrip("\r").split("\t")
        segment = Segment((cells[0].strip("\ufeff"),), number)
        if segment.has_words and (len(cells) == 1 or not cells[1].strip()):
            slots.append(_slot(segment, at, cells))
        at += len(line) + 1
    return Document(path, text, encoding, slots)


def _slot(segment: Segment, at: int, cells: list[str]) -> Slot:
    end = at + len(cells[0])

    def edits(translation: Translation) -> list[Edit]:
        text = " ".join("".join(piece for piece in translation.pieces if isinstance(piece, str)).split())
        return [Edit(end, end + len("\t" + cells[1]) if len(cells) > 1 else end, f"\t{text}")]

    return Slot(segment, edits)
