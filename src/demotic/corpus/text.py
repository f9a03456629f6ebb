"""Tokenised text: words separated by single spaces, and nothing else that could be taken for a separator."""

from __future__ import annotations

import re

from demotic.base.errors import DemoticError
from demotic.base.files import Pathish

# Reserved in tokenised files: a tab separates columns, three bars separate the fields of grammars and k-best lists.
_RESERVED = re.compile(r"\t|(?:^| )\|\|\|(?: |$)")


def split_words(line: str) -> list[str]:
    """The words of a tokenised line. Only the space separates: a no-break space belongs to its word."""
    return [word for word in line.split(" ") if word]


def check_tokenized(line: str, file: Pathish, number: int, *, empty: bool = True) -> str:
    """The line itself, or an error if it cannot be tokenised text.

    Args:
        line: without its line end.
        file: for the error.
        number: for the error.
        empty: whether a line without words is allowed.
    """
    if found := _RESERVED.search(line):
        what = "a tab" if found[0] == "\t" else "'|||'"
        raise DemoticError(
            f"{what} inside tokenised text (column {found.start() + 1})",
            file,
            number,
            "`demotic prepare` without --tokenized escapes such text",
        )
    if not empty and not line.strip(" "):
        raise DemoticError("empty line", file, number, "`demotic prepare` removes pairs with an empty side")
    return line
