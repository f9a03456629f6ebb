"""Words to text: where spaces stand, by Moses' rules."""

from __future__ import annotations

import re
import unicodedata

from demotic.corpus.escapes import unescape

# Of other scripts, too: Armenian, Arabic, Devanagari, Tibetan, Burmese, Ethiopic, Khmer.
_CLOSING = re.compile(
    r"[,.?!:;\\%}\])\u055b-\u055e\u0589\u060c\u061b\u061f\u066a\u06d4\u0964\u0965\u0f0d\u0f0e\u104a\u104b\u1361-\u1368\u17d4-\u17d6]+"
)
# No space on either side: Hebrew maqaf, Arabic decimal signs, Tibetan tsheg.
_LINKING = "\u05be\u066b\u066c\u0f0b"
ELIDING = frozenset({"ca", "fr", "ga", "it"})  # languages with a word that ends in an apostrophe: `l' eau`
_FRENCH_SPACED = re.compile(r"[?!:;\\%]")  # French has a space before these
_QUOTES = re.compile("['\"„“`]+")
# Written without spaces in any text: Hangul jamo, Han, kana, Yi, Phags-pa, Hangul, compatibility forms, Tangut, Nushu.
_WIDE = re.compile(
    "[\u1100-\u11ff\u2e80-\ua4cf\ua840-\ua87f\uac00-\ud7af\uf900-\ufaff\ufe30-\ufe4f\uff65-\uffdc"
    "\U00017000-\U00018aff\U0001b000-\U0001b12f\U0001b170-\U0001b2ff\U00020000-\U0002ffff]"
)


def join_words(words: list[str], language: str, unspaced: re.Pattern[str] | None) -> str:
    """Undo escapes and join.

    Args:
        words: escaped tokens.
        language: ISO 639-1 code of the text.
        unspaced: characters of the language that have no space beside them; None: it has spaces between words.
    """
    tokens = [unescape(word) for word in words]
    text: list[str] = []
    open_quotes: dict[str, bool] = {}
    glued = True  # no space before the next token
    for i, token in enumerate(tokens):
        before = tokens[i - 1] if i else ""
        left, right = _sides(token, before, tokens[i + 1] if i + 1 < len(tokens) else "", language)
        if not (left or right) and _QUOTES.fullmatch(token):
            left, right = _quote(token, before, language, open_quotes)
        if unspaced is not None and before:
            beside = [bool(unspaced.match(character)) for character in (_last(before), token[0])]
            left = left or all(beside) or (language in ("zh", "ja") and any(beside))
        if before and language == "fr" and _FRENCH_SPACED.fullmatch(token):
            left = glued = False
        if not (left or glued):
            text.append(" ")
        text.append(token)
        glued = right
    return "".join(text)


def _sides(token: str, before: str, after: str, language: str) -> tuple[bool, bool]:
    """Whether a token has no space before and behind it, quotes aside."""
    if token.isascii() and token.isalnum():  # most words
        return False, False
    if _WIDE.match(token) and language != "ko":
        return bool(before) and bool(_WIDE.match(_last(before))), False
    if _is_opening(token):
        return False, True
    if _CLOSING.fullmatch(token):
        return True, False
    if token in _LINKING:
        return True, True
    if language == "en" and before and token[0] == "'" and token[1:2].isalpha():
        return True, False
    if language in ELIDING and token[-1] == "'" and token[-2:-1].isalpha() and after[:1].isalpha():
        return False, True
    return False, False


def _is_opening(token: str) -> bool:
    """Currency signs, opening brackets, inverted marks."""
    return all(character in "([{¿¡" or unicodedata.category(character) == "Sc" for character in token)


def _last(token: str) -> str:
    """The last character that is no mark on another one."""
    return next((c for c in reversed(token) if not unicodedata.category(c).startswith("M")), token[0])


def _quote(token: str, before: str, language: str, is_open: dict[str, bool]) -> tuple[bool, bool]:
    """Quotes open and close in turn; in English one behind an s is a possessive."""
    kind = '"' if token.strip("„“") == "" else token
    if language == "cs" and token in ("„", "“"):
        is_open[kind] = token == "“"
    if is_open.get(kind, False):
        is_open[kind] = False
        return True, False
    if language == "en" and token == "'" and before.endswith("s"):
        return True, False
    is_open[kind] = True
    return False, True
