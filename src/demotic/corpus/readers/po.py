"""Gettext catalogues (.po), parsed by polib."""

from __future__ import annotations

import re
from collections.abc import Iterator

import polib

from demotic.base.errors import DemoticError
from demotic.base.files import Pathish, read_lines
from demotic.corpus.readers.pair import Pair

_UNQUOTED = re.compile(r'msg(?:ctxt|id|id_plural|str)(?:\[\d+\])?\s+(?!"(?:[^"\\]|\\.)*"\s*$)')
_SYNTAX_ERROR = re.compile(r"Syntax error in po file.*?\(line (\d+)\)(?:: (.*))?", re.DOTALL)


def read_po(path: Pathish) -> Iterator[Pair]:
    """Yield msgid with msgstr; for plural entries also msgid_plural with the last plural form.

    The header, untranslated, fuzzy and obsolete (`#~`) entries are left out. White space is folded: a message with line
    breaks becomes one line.
    """
    for entry in parse_po(list(read_lines(path)), path):
        if entry.obsolete or entry.fuzzy or not entry.msgid:
            continue
        plurals = [entry.msgstr_plural[number] for number in sorted(entry.msgstr_plural)]
        candidates = [(entry.msgid, entry.msgstr or (plurals[0] if plurals else ""))]
        if len(plurals) > 1:
            candidates.append((entry.msgid_plural, plurals[-1]))
        for source, target in candidates:
            if target:
                yield Pair(" ".join(source.split()), " ".join(target.split()), entry.linenum)


def parse_po(lines: list[str], path: Pathish) -> polib.POFile:
    """The catalogue; polib is given the text, since the file may be compressed.

    Args:
        lines: of the file.
        path: for errors.
    """
    for number, line in enumerate(lines, start=1):
        if _UNQUOTED.match(line.strip()):  # polib would guess where the string ends
            raise _syntax(path, number, "a string must stand between two double quotes")
    try:
        # With a last newline polib cannot take the text for the name of a file.
        return polib.pofile("\n".join(lines) + "\n")
    except (OSError, ValueError, IndexError) as error:
        found = _SYNTAX_ERROR.search(str(error))
        what = found[2] or "not a gettext catalogue" if found else str(error)
        raise _syntax(path, int(found[1]) if found else None, what) from error


def _syntax(path: Pathish, number: int | None, what: str) -> DemoticError:
    return DemoticError(f"syntax error: {what}", path, number, "`msgfmt -c` shows all errors of a catalogue")
