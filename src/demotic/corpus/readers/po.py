"""Gettext catalogues (.po), parsed line by line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from demotic.base.errors import DemoticError
from demotic.base.files import Pathish, read_lines
from demotic.corpus.readers.pair import Pair

_KEYWORD = re.compile(r'(msgctxt|msgid_plural|msgid|msgstr(?:\[(\d+)\])?)\s+(".*)$')
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"\s*$')
_ESCAPE = re.compile(r"\\([0-7]{1,3}|x[0-9a-fA-F]{1,2}|.)")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}


@dataclass
class _Entry:
    line: int = 0  # of its msgid
    fuzzy: bool = False
    fields: dict[str, str] = field(default_factory=dict)

    @property
    def translated(self) -> bool:
        return any(name.startswith("msgstr") for name in self.fields)


def read_po(path: Pathish) -> Iterator[Pair]:
    """Yield msgid with msgstr; for plural entries also msgid_plural with the last plural form.

    The header, untranslated, fuzzy and obsolete (`#~`) entries are left out. White space is folded: a message with line
    breaks becomes one line.
    """
    entry, current = _Entry(), ""
    for number, raw in enumerate(read_lines(path), start=1):
        line = raw.strip()
        if line.startswith("#"):
            if entry.translated:
                yield from _pairs(entry)
                entry = _Entry()
            entry.fuzzy |= line.startswith("#,") and "fuzzy" in line
            current = ""
        elif match := _KEYWORD.match(line):
            keyword = "msgstr" + match[2] if match[2] else match[1]
            if keyword in ("msgid", "msgctxt") and entry.translated:
                yield from _pairs(entry)
                entry = _Entry()
            if keyword in entry.fields:
                raise _syntax(path, number, f"a second {match[1]} in one entry")
            if keyword.startswith("msgstr") and "msgid" not in entry.fields:
                raise _syntax(path, number, f"{match[1]} without msgid")
            if keyword == "msgid":
                entry.line = number
            entry.fields[keyword] = _string(match[3], path, number)
            current = keyword
        elif line.startswith('"'):
            if not current:
                raise _syntax(path, number, "a string that belongs to no entry")
            entry.fields[current] += _string(line, path, number)
        elif line:
            raise _syntax(path, number, f"unexpected '{line[:30]}'")
    yield from _pairs(entry)


def _pairs(entry: _Entry) -> Iterator[Pair]:
    fields = entry.fields
    if entry.fuzzy or not fields.get("msgid"):
        return
    plurals = sorted(
        (name for name in fields if re.fullmatch(r"msgstr\d+", name)), key=lambda name: int(name[6:])
    )
    candidates = [(fields["msgid"], fields.get("msgstr") or (fields[plurals[0]] if plurals else ""))]
    if "msgid_plural" in fields and len(plurals) > 1:
        candidates.append((fields["msgid_plural"], fields[plurals[-1]]))
    for source, target in candidates:
        if target:
            yield Pair(" ".join(source.split()), " ".join(target.split()), entry.line)


def _string(text: str, path: Pathish, number: int) -> str:
    match = _STRING.match(text)
    if not match:
        raise _syntax(path, number, "a string must stand between two double quotes")
    return _ESCAPE.sub(_unescape, match[1])


def _unescape(match: re.Match[str]) -> str:
    code = match[1]
    if code[0] in "01234567":
        return chr(int(code, 8))
    if code[0] == "x" and len(code) > 1:
        return chr(int(code[1:], 16))
    return _ESCAPES.get(code, code)


def _syntax(path: Pathish, number: int, what: str) -> DemoticError:
    return DemoticError(f"syntax error: {what}", path, number, "`msgfmt -c` shows all errors of a catalogue")
