"""The same escapes as Moses': bars and brackets are syntax in grammar files."""

from __future__ import annotations

import re

_ESCAPES = {
    "&": "&amp;",
    "|": "&#124;",
    "<": "&lt;",
    ">": "&gt;",
    "'": "&apos;",
    '"': "&quot;",
    "[": "&#91;",
    "]": "&#93;",
}
_TABLE = str.maketrans(_ESCAPES)
_UNESCAPES = {entity: character for character, entity in _ESCAPES.items()}
_ENTITY = re.compile("|".join(map(re.escape, _UNESCAPES)))


def escape(token: str) -> str:
    """Entities in place of the characters that are syntax elsewhere."""
    return token.translate(_TABLE)


def unescape(text: str) -> str:
    """The way back from `escape`."""
    return _ENTITY.sub(lambda match: _UNESCAPES[match[0]], text) if "&" in text else text
