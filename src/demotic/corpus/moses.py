"""Version 1 of the tokeniser: Moses' rules through sacremoses, characters for Chinese and Japanese.

Models without a `tokenizer_version` in their `model.toml` were trained with it, and BLEU of the papers counts its tokens, so
nothing here may change. `demotic.corpus.words` is version 2.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from demotic.corpus.escapes import escape, unescape

if TYPE_CHECKING:
    from sacremoses import MosesPunctNormalizer

# Han, kana, CJK punctuation and full-width forms: written without spaces between words.
WIDE = r"[\u2e80-\u303f\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]"
_CHARACTER_TOKENS = re.compile(rf"{WIDE}|[^\W_]+(?:[.,'’-][^\W_]+)*(?<!{WIDE})|[^\w\s]|_")
_SPACE_BETWEEN_WIDE = re.compile(rf"(?<={WIDE}) | (?={WIDE})")

# Soft hyphen, zero-width space, word joiner, byte-order mark.
INVISIBLE = re.compile("[\u00ad\u200b\u2060\ufeff]")


def normalize(text: str, punctuation: MosesPunctNormalizer | None) -> str:
    """Unicode NFC, soft hyphens and zero-width characters removed, then Moses' punctuation rules."""
    text = INVISIBLE.sub("", unicodedata.normalize("NFC", text))
    return str(punctuation.normalize(text)) if punctuation else text


class MosesTokenizer:
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
        return [escape(token) for token in _CHARACTER_TOKENS.findall(normalize(text, None))]

    def detokenize(self, words: list[str]) -> str:
        """Join: no space next to a wide character."""
        return _SPACE_BETWEEN_WIDE.sub("", unescape(" ".join(words)))
