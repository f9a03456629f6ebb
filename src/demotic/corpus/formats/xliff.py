"""XLIFF 1.2 and 2.0: units without a target get one; everything else stays."""

from __future__ import annotations

import re
from pathlib import Path

from demotic.base.errors import DemoticError
from demotic.corpus.formats.document import Document, Edit, Slot
from demotic.corpus.formats.segment import Segment, Translation
from demotic.corpus.formats.xml import Element, is_empty, pieces_of, read_xml, render_xml

_UNITS = {"1": "trans-unit", "2": "segment"}
_PAIRS = {"bpt": "open", "bx": "open", "sc": "open", "ept": "close", "ex": "close", "ec": "close"}
_AROUND_TEXT = frozenset({"g", "pc", "mrk"})
_STATE = ' state="needs-review-translation"'


def read_xliff(path: Path) -> Document:
    """Units (1.2) or segments (2.0) whose target is missing or empty, unless they say `translate="no"`.

    A new target of version 1.2 that a person should check has the state `needs-review-translation`.
    """
    text, encoding, root = read_xml(path)
    version = _version(root)
    if root.name != "xliff" or version not in _UNITS:
        raise DemoticError("not an XLIFF file of version 1 or 2", path, root.line)
    slots = []
    for unit, translatable in _units(root, _UNITS[version]):
        source, target = unit.child("source"), unit.child("target")
        if translatable and source is not None and is_empty(target, text):
            segment = Segment(pieces_of(text, source, _PAIRS, _AROUND_TEXT), source.line)
            if segment.has_words:
                slots.append(_slot(segment, text, unit, source, target, version))
    return Document(path, text, encoding, slots, escapes="xmlcharrefreplace")


def _version(root: Element) -> str:
    """The first digit. Some tools leave the version out, and the name space ends with it: `urn:oasis:names:tc:xliff:document:1.1`."""
    return (root.attributes.get("version") or root.attributes.get("xmlns", "").rpartition(":")[2])[:1]


def _units(root: Element, name: str) -> list[tuple[Element, bool]]:
    """Units, and whether they and what they stand in may be translated."""
    found, waiting = [], [(root, True)]
    while waiting:
        element, allowed = waiting.pop()
        said = element.attributes.get("translate")
        allowed = allowed if said is None else said == "yes"
        if element.name == name:
            found.append((element, allowed))
        waiting += [(child, allowed) for child in reversed(element.children)]
    return found


def _slot(
    segment: Segment, text: str, unit: Element, source: Element, target: Element | None, version: str
) -> Slot:
    prefix = text[source.begin + 1 :].partition("source")[0]  # of the namespace
    after = unit.child("seg-source") or source
    indent = re.search(r"\s*\Z", text[: source.begin])
    space = indent[0] if indent else ""

    def edits(translation: Translation) -> list[Edit]:
        state = _STATE if translation.unsure and version == "1" else ""
        content = render_xml(translation.pieces)
        if target is None:
            return [Edit(after.end, after.end, f"{space}<{prefix}target{state}>{content}</{prefix}target>")]
        tag = text[target.begin : target.inner_begin].rstrip(">").rstrip("/").rstrip()
        tag = re.sub(r"\s+state\s*=\s*(\"[^\"]*\"|'[^']*')", "", tag) if state else tag
        return [Edit(target.begin, target.end, f"{tag}{state}>{content}</{prefix}target>")]

    return Slot(segment, edits)
