"""A document: a text with slots. Translations go into the slots; between them not a byte changes."""

from __future__ import annotations

import codecs
import re
from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from demotic.base.errors import DemoticError, os_error
from demotic.base.files import Pathish, atomic_write_bytes
from demotic.corpus.formats.segment import Segment, Translation

_LARGEST = 256 << 20  # bytes; text for people is smaller
# Encodings in which documents are written. Others that Python knows are no encodings of text, or dangerous (utf-7).
_ENCODINGS = re.compile(
    r"utf-8|utf-16(-[lb]e)?|ascii|iso8859-\d+|cp125\d|cp437|cp850|cp866|koi8-[ru]|gb2312|gbk|gb18030|big5|euc_(jp|kr)|shift_jis|cp932|cp949"
)


@dataclass(frozen=True)
class Edit:
    """A stretch of the document and what stands there instead."""

    begin: int
    end: int
    text: str


@dataclass(frozen=True)
class Slot:
    """Where the translation of a segment goes."""

    segment: Segment
    edits: Callable[[Translation], list[Edit]]  # what changes in the document
    in_place: bool = False  # the translation takes the place of the source


@dataclass(frozen=True)
class Document:
    """A file as text, and the segments of it that need a translation."""

    path: Path
    text: str
    encoding: str
    slots: list[Slot] = field(default_factory=list)
    escapes: str = (
        "strict"  # what happens to characters that the encoding has not: an error, or "xmlcharrefreplace"
    )

    @property
    def segments(self) -> list[Segment]:
        """What is to be translated, in the order of the file."""
        return [slot.segment for slot in self.slots]

    def rendered(self, translations: Mapping[int, Translation]) -> str:
        """The document with translations, by the number of their segment; segments without one stay as they are."""
        edits: list[Edit] = []
        for number, translation in translations.items():
            slot = self.slots[number]
            if not (slot.in_place and translation.pieces == slot.segment.pieces):
                edits += slot.edits(translation)
        parts = []
        at = 0
        for edit in sorted(edits, key=lambda each: (each.begin, each.end)):
            parts += [self.text[at : edit.begin], edit.text]
            at = edit.end
        return "".join([*parts, self.text[at:]])

    def write(self, path: Pathish, translations: Mapping[int, Translation]) -> None:
        """Write the document with translations, in its own encoding."""
        try:
            data = self.rendered(translations).encode(self.encoding, self.escapes)
        except UnicodeEncodeError as error:
            raise DemoticError(
                f"the encoding {self.encoding} has no '{error.object[error.start]}'",
                self.path,
                hint="convert the file to UTF-8",
            ) from error
        with atomic_write_bytes(path) as file:
            file.write(data)


def read_text(path: Pathish, declared: Callable[[bytes], str | None] = lambda data: None) -> tuple[str, str]:
    """The text of a file with its own line ends, and the encoding.

    Args:
        path: of the file.
        declared: the encoding that the first bytes of the file name; a byte-order mark goes first, UTF-8 last.

    Raises:
        DemoticError: with the line where the file is not in this encoding.
    """
    try:
        with open(path, "rb") as file:
            data = file.read(_LARGEST + 1)
    except OSError as error:
        raise os_error(error, path) from error
    if len(data) > _LARGEST:
        raise DemoticError(f"larger than {_LARGEST >> 20} MB", path, hint="split the file")
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        little = data.startswith(codecs.BOM_UTF16_LE)
        return decoded(
            data, "utf-16-le" if little else "utf-16-be", path
        ), "utf-16-le" if little else "utf-16-be"
    name = None if data.startswith(codecs.BOM_UTF8) else declared(data[:4096])
    encoding = known_encoding(name or "utf-8", path)
    return decoded(data, encoding, path), encoding


def known_encoding(name: str, path: Pathish) -> str:
    """Python's name of an encoding of text."""
    try:
        found = codecs.lookup(name).name
    except (LookupError, ValueError):
        found = ""
    if not _ENCODINGS.fullmatch(found):
        raise DemoticError(f"unknown encoding '{name[:40]}'", path, hint="convert the file to UTF-8")
    return found


def decoded(data: bytes, encoding: str, path: Pathish) -> str:
    """Bytes as text, or an error with the line."""
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise DemoticError(
            f"not valid {encoding.upper()} (byte 0x{data[error.start]:02x})",
            path,
            line,
            "convert the file to UTF-8, or correct the encoding that it declares",
        ) from error
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise DemoticError("a NUL character", path, line, "is this a text file?")
    return text


class Lines:
    """Line numbers of places in a text."""

    def __init__(self, text: str) -> None:
        self.starts = [0, *(found.end() for found in re.finditer("\n", text))]

    def number(self, offset: int) -> int:
        """The line of a character, from 1."""
        return bisect_right(self.starts, offset)
