"""Text that must not be translated: tags, placeholders, addresses."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from demotic.base.options import unknown_name
from demotic.corpus.verbatim import PRIVATE
from demotic.decode.constraints import UNKNOWN, SpanConstraint

_NAME = r"[A-Za-z_][\w.-]*"
# In the order in which they are tried at a place of the text. None matches ordinary prose: printf's flag ` ` is left out, since
# `50 % der` would have it. With letters behind it (`%ds`, `%spx`) only `%d` and `%s` are taken for a placeholder, and not behind
# a number: `10%der`, `100%ig`.
PATTERNS: dict[str, str] = {
    "tags": r"</?[A-Za-z][\w:.-]*(?:\s+[\w:.-]+(?:\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s\"'<>]+))?)*\s*/?>|<!--.*?-->",
    "urls": r"(?:https?|ftp|file)://[^\s<>\"']*[^\s<>\"'.,;:!?)\]}]|\bwww\.[\w-]+\.[^\s<>\"']*[^\s<>\"'.,;:!?)\]}]",
    "emails": r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+",
    "placeholders": (
        rf"%\({_NAME}\)[#0+-]*\d*(?:\.\d+)?[a-zA-Z]"  # %(name)s
        r"|%(?:\d+\$)?[#0+-]*(?:\d+|\*)?(?:\.(?:\d+|\*))?(?:hh|h|ll|l|L|z|j|t)?[diouxXeEfFgGaAcspn@](?![^\W\d_])"  # %s, %1$d, %5.2f
        r"|%[A-Z_][A-Z0-9_]*%|%[A-Za-z_]\w*%(?![^\W\d_])"  # %NAME%, %name%
        r"|%\d+\$[ds]|(?<!\d)(?<!\d\s)%[ds]"  # %ds, %1$sMB
        r"|\$\{[^{}\s]+\}|\{\{[^{}]*\}\}"  # ${name}, {{name}}
        rf"|\{{(?:\d+|{_NAME})?(?:![rsa])?(?::[^{{}}\s]*)?\}}"  # {0}, {name}, {:.2f}
        r"|%%|%[A-Za-z_]\w*%"  # %%, %name%s
    ),
    "numbers": r"(?<![\w.,])[+-]?\d+(?:[.,:/]\d+)*(?![\w]|[.,:/]\d)",
}
DEFAULT_KINDS = ("tags", "urls", "emails", "placeholders")


def protected_spans(text: str, kinds: Sequence[str] = DEFAULT_KINDS) -> list[SpanConstraint]:
    """The stretches of a line of raw text that are to be kept as they are, from left to right.

    Args:
        text: raw.
        kinds: names of `PATTERNS`. Numbers are kept only on demand: how they are written depends on the language.
    """
    return [
        SpanConstraint(match.start(), match.end(), match[0], UNKNOWN)
        for match in _pattern(tuple(kinds)).finditer(text)
    ]


@lru_cache
def _pattern(kinds: tuple[str, ...]) -> re.Pattern[str]:
    for kind in kinds:
        if kind not in PATTERNS:
            raise unknown_name("kind of protected text", kind, list(PATTERNS))
    # Characters that stand for protected text are protected themselves.
    return re.compile("|".join([PRIVATE, *(PATTERNS[kind] for kind in PATTERNS if kind in kinds)]))
