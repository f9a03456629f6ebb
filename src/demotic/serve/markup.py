"""HTML as text to translate and the rest: one walk from left to right, in time that is linear in any input.

(The parser of the standard library is quadratic in text such as `<!--<!--...`, which a service must not be.)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

_KEPT = frozenset(
    ["code", "kbd", "noscript", "pre", "samp", "script", "style", "template", "textarea", "var"]
)  # elements whose text stays
_RAW = {tag: re.compile(f"</{tag}(?=[\\s/>])", re.IGNORECASE) for tag in ("script", "style", "textarea")}
_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/>]*)")
_QUOTE_OR_END = re.compile(r"[\"'>]")
_KEEP_THIS = re.compile(
    r"""\s(?:translate\s*=\s*["']?no\b|class\s*=\s*(?:"[^"]*\bnotranslate\b|'[^']*\bnotranslate\b|notranslate\b))""",
    re.IGNORECASE,
)


def html_parts(text: str) -> Iterator[tuple[str, bool]]:
    """Stretches of HTML in order, and whether they are text to translate; joined they are the whole.

    Nothing is checked or mended: markup that is wrong stays as it was written, and what is never closed reaches to the end.
    """
    for is_text, pieces in groupby(_pieces(text), key=lambda piece: piece[1]):
        yield "".join(piece for piece, _ in pieces), is_text


def _pieces(text: str) -> Iterator[tuple[str, bool]]:
    place, kept, depth = 0, "", 0  # the element whose text stays, and how many of its name are open
    while place < len(text):
        begin = text.find("<", place)
        if begin < 0:
            begin = len(text)
        if begin > place:
            yield text[place:begin], not kept
            place = begin
            continue
        end = _end_of_markup(text, place)
        if end == place:  # a `<` that begins nothing
            yield "<", not kept
            place += 1
            continue
        tag = _TAG.match(text, place)
        name = tag[2].lower() if tag else ""
        if tag and not tag[1]:
            is_empty = text[end - 2 : end] == "/>"
            if kept and name == kept and not is_empty:
                depth += 1
            elif not kept and not is_empty and (name in _KEPT or _KEEP_THIS.search(text[place:end])):
                kept, depth = name, 1
            if name in _RAW:  # no markup inside
                close = _RAW[name].search(text, end)
                end = close.start() if close else len(text)
        elif tag and name == kept:
            depth -= 1
            kept = kept if depth else ""
        yield text[place:end], False
        place = end


def _end_of_markup(text: str, place: int) -> int:
    """Behind the tag, comment or declaration that begins here; here if it is none."""
    if text.startswith("<!--", place):
        close = text.find("-->", place + 4)
        return close + 3 if close >= 0 else len(text)
    if text.startswith(("<!", "<?"), place):
        close = text.find(">", place)
        return close + 1 if close >= 0 else len(text)
    if not _TAG.match(text, place):
        return place
    while found := _QUOTE_OR_END.search(text, place + 1):
        place = found.start()
        if found[0] == ">":
            return place + 1
        place = text.find(found[0], place + 1)
        if place < 0:
            break
    return len(text)
