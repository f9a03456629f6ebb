"""Where sentences end in a line of text."""

from __future__ import annotations

import re
from functools import lru_cache

# An end of sentence, what closes behind it, and white space before something that can begin a sentence. Only the first of several
# marks is looked at: time stays linear in any text.
_END = re.compile(
    r"""(?<![.!?…])(?P<mark>[.!?…]+|[։؟۔।])(?P<closing>["'’”»)\]]*)(?P<space>\s+)(?=["'‘“„«»(\[¿¡]*(?P<next>\w))"""
)
_WIDE_END = re.compile(r"[。！？]+[」』”’）]*")
_LAST_WORD = re.compile(r"(\w[\w.]*)$")


def split_sentences(line: str, language: str) -> list[tuple[str, str]]:
    """Sentences of a line and the white space behind each; joined they are the line again.

    A full stop ends no sentence behind an abbreviation that Moses knows in this language, behind a single letter, or before a small
    letter; where in doubt, the line stays whole.

    Args:
        line: of raw text.
        language: ISO 639-1 code.
    """
    cuts = sorted({*_cuts(line, language), *(match.end() for match in _WIDE_END.finditer(line)), len(line)})
    pieces: list[tuple[str, str]] = []
    begin = 0
    for cut in cuts:
        piece = line[begin:cut]
        text = piece.rstrip()
        if text or (piece and not pieces):
            pieces.append((text, piece[len(text) :]))
        elif piece:
            pieces[-1] = (pieces[-1][0], pieces[-1][1] + piece)
        begin = cut
    return pieces


def _cuts(line: str, language: str) -> list[int]:
    """Where the next sentence begins."""
    return [
        match.end("space")
        for match in _END.finditer(line)
        if not match["next"].islower() and not _is_abbreviation(line[: match.start()], match, language)
    ]


def _is_abbreviation(before: str, match: re.Match[str], language: str) -> bool:
    if match["mark"] != "." or match["closing"]:
        return False
    word = _LAST_WORD.search(before[-40:])
    if word is None:
        return False
    text = word[1]
    return (
        (len(text) == 1 and text.isalpha())
        or (text.isdecimal() and language in _ORDINALS_WITH_STOP)
        or "." in text
        or text in _abbreviations(language)
    )


_ORDINALS_WITH_STOP = frozenset(
    {"cs", "da", "de", "et", "fi", "hr", "hu", "is", "lv", "nb", "no", "pl", "sk", "sl", "tr"}
)


@lru_cache
def _abbreviations(language: str) -> frozenset[str]:
    """Words that a full stop belongs to, from Moses' lists; English ones where there is no list."""
    from sacremoses.corpus import NonbreakingPrefixes

    return frozenset(NonbreakingPrefixes().words(language))
