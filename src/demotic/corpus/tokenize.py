"""Tokenising and its inverse, per language: Moses' rules through sacremoses, characters for Chinese and Japanese."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from sacremoses import MosesPunctNormalizer

# Han, kana, CJK punctuation and full-width forms: written without spaces between words.
_WIDE = r"[\u2e80-\u303f\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]"
_CHARACTER_TOKENS = re.compile(rf"{_WIDE}|[^\W_]+(?:[.,'’-][^\W_]+)*(?<!{_WIDE})|[^\w\s]|_")
_SPACE_BETWEEN_WIDE = re.compile(rf"(?<={_WIDE}) | (?={_WIDE})")
# The same escapes as Moses': bars and brackets are syntax in grammar files.
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
_UNESCAPES = {entity: character for character, entity in _ESCAPES.items()}
_ENTITY = re.compile("|".join(map(re.escape, _UNESCAPES)))

# Soft hyphen, zero-width space, word joiner, byte-order mark.
_INVISIBLE = re.compile("[\u00ad\u200b\u2060\ufeff]")

CHARACTER_LANGUAGES = frozenset({"zh", "ja"})


class Tokenizer(Protocol):
    """Raw text to words and back."""

    def tokenize(self, text: str) -> list[str]:
        """The words of one line of raw text."""

    def detokenize(self, words: list[str]) -> str:
        """Words as a person would write them."""


@lru_cache
def tokenizer_for(language: str) -> Tokenizer:
    """The tokenizer of a language (ISO 639-1 code). Kept: making one compiles large regular expressions."""
    return CharacterTokenizer() if language in CHARACTER_LANGUAGES else WordTokenizer(language)


def normalize(text: str, punctuation: MosesPunctNormalizer | None) -> str:
    """Unicode NFC, soft hyphens and zero-width characters removed, then Moses' punctuation rules."""
    text = _INVISIBLE.sub("", unicodedata.normalize("NFC", text))
    return str(punctuation.normalize(text)) if punctuation else text


class WordTokenizer:
    """Moses' tokenizer with escapes (`&apos;`, `&#124;`)."""

    def __init__(self, language: str) -> None:
        # Importing it takes longer than decoding some sentences, and only raw text needs it.
        from sacremoses import MosesDetokenizer, MosesPunctNormalizer, MosesTokenizer

        self._tokenizer = MosesTokenizer(language)
        self._detokenizer = MosesDetokenizer(language)
        self._punctuation = MosesPunctNormalizer(language)

    def tokenize(self, text: str) -> list[str]:
        """Normalise and tokenise."""
        words: list[str] = self._tokenizer.tokenize(normalize(text, self._punctuation), escape=True)
        return words

    def detokenize(self, words: list[str]) -> str:
        """Undo escapes and join."""
        return str(self._detokenizer.detokenize(words, unescape=True))


class CharacterTokenizer:
    """One token per Han or kana character; Latin words and numbers stay whole."""

    def tokenize(self, text: str) -> list[str]:
        """Segment into characters."""
        tokens = _CHARACTER_TOKENS.findall(normalize(text, None))
        return ["".join(_ESCAPES.get(character, character) for character in token) for token in tokens]

    def detokenize(self, words: list[str]) -> str:
        """Join: no space next to a wide character."""
        text = _ENTITY.sub(lambda match: _UNESCAPES[match[0]], " ".join(words))
        return _SPACE_BETWEEN_WIDE.sub("", text)
