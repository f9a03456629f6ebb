"""Translation memories (TMX 1.4): units without the target language get a variant in it."""

from __future__ import annotations

import re
from pathlib import Path
from xml.sax.saxutils import quoteattr

from demotic.base.errors import DemoticError
from demotic.corpus.formats.document import Document, Edit, Slot
from demotic.corpus.formats.segment import Segment, Translation
from demotic.corpus.formats.xml import Element, is_empty, pieces_of, read_xml, render_xml

_PAIRS = {"bpt": "open", "ept": "close"}
_AROUND_TEXT = frozenset({"hi"})


def read_tmx_document(path: Path, source_language: str, target_language: str) -> Document:
    """Units that have the source language and no text in the target language; `de` is also `de-AT`."""
    text, encoding, root = read_xml(path)
    if root.name != "tmx":
        raise DemoticError("not a TMX file", path, root.line)
    slots = []
    for unit in (element for element in root.walk() if element.name == "tu"):
        source, target = _variant(unit, source_language), _variant(unit, target_language)
        seg = source.child("seg") if source else None
        if source is None or seg is None or not is_empty(target.child("seg") if target else None, text):
            continue
        segment = Segment(pieces_of(text, seg, _PAIRS, _AROUND_TEXT), seg.line)
        if segment.has_words:
            slots.append(_slot(segment, text, source, target, target_language))
    return Document(path, text, encoding, slots, escapes="xmlcharrefreplace")


def _variant(unit: Element, language: str) -> Element | None:
    """The variant in a language, else in the first of its regional ones."""
    variants = [element for element in unit.children if element.name == "tuv"]
    names = [each.attributes.get("lang", "").lower().replace("_", "-") for each in variants]
    exact = [each for each, name in zip(variants, names, strict=True) if name == language.lower()]
    near = [
        each for each, name in zip(variants, names, strict=True) if name.split("-")[0] == language.lower()
    ]
    return next(iter([*exact, *near]), None)


def _slot(segment: Segment, text: str, source: Element, target: Element | None, language: str) -> Slot:
    indent = re.search(r"\s*\Z", text[: source.begin])
    space = indent[0] if indent else ""

    def edits(translation: Translation) -> list[Edit]:
        seg = f"<seg>{render_xml(translation.pieces)}</seg>"
        if target is None:
            variant = f"{space}<tuv xml:lang={quoteattr(language)}>{seg}</tuv>"
            return [Edit(source.end, source.end, variant)]
        tag = text[target.begin : target.inner_begin].rstrip(">").rstrip("/").rstrip()
        return [Edit(target.begin, target.end, f"{tag}>{seg}</tuv>")]

    return Slot(segment, edits)
