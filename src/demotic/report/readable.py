"""Words and feature names as a reader of the page wants them: without the escapes that tokenisers and formats need."""

from __future__ import annotations

import html

from demotic.corpus.verbatim import Verbatim
from demotic.features import describe


def readable(name: str) -> str:
    """What a feature stands for."""
    return describe(name).replace(" -> ", " → ")


def readable_word(symbol: str | int) -> str | int:
    """A word with `&apos;` and the like resolved, verbatim text to the letter; the number of a gap as it is."""
    if isinstance(symbol, int):
        return symbol
    verbatim = Verbatim.read(symbol)
    return verbatim.text if verbatim else html.unescape(symbol)
