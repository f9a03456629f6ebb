"""Which words two translations differ in."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

_WORD = re.compile(r"\s*(?:\w+(?:['’\-]\w+)*|[^\w\s])")  # with the space before it


def word_diff(before: str, after: str) -> list[tuple[str, str]]:
    """Stretches of text in order: `("same" | "gone" | "new", text)`; `same` and `new` together are `after`."""
    old, new = _WORD.findall(before.strip()), _WORD.findall(after.strip())
    matcher = SequenceMatcher(
        None, [word.strip() for word in old], [word.strip() for word in new], autojunk=False
    )
    parts: list[tuple[str, str]] = []
    for kind, begin, end, new_begin, new_end in matcher.get_opcodes():
        if kind == "equal":
            parts.append(("same", "".join(new[new_begin:new_end])))
            continue
        parts += [("gone", "".join(old[begin:end]))] if end > begin else []
        parts += [("new", "".join(new[new_begin:new_end]))] if new_end > new_begin else []
    return parts


def spaced_diff(before: str, after: str) -> list[tuple[str, str]]:
    """As `word_diff`, for readers: the space before a stretch stays outside of it, and between two stretches there is one."""
    parts: list[tuple[str, str]] = []
    for kind, words in word_diff(before, after):
        bare = words.lstrip()
        if len(bare) < len(words) or (parts and bare[0].isalnum()):
            parts.append(("same", " "))
        parts.append((kind, bare))
    return parts
