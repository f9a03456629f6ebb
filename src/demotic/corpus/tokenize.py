"""Tokenising and its inverse, per language and version of the rules."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, Protocol

from demotic.corpus.moses import CharacterTokenizer, MosesTokenizer
from demotic.corpus.words import WordTokenizer

TokenizerVersion = Literal[1, 2]
LATEST: TokenizerVersion = 2
_CHARACTER_LANGUAGES = frozenset({"zh", "ja"})  # of version 1


class Tokenizer(Protocol):
    """Raw text to words and back."""

    def tokenize(self, text: str) -> list[str]:
        """The words of one line of raw text."""

    def detokenize(self, words: list[str]) -> str:
        """Words as a person would write them."""


@lru_cache
def tokenizer_for(language: str, version: TokenizerVersion = LATEST) -> Tokenizer:
    """The tokenizer of a language (ISO 639-1 code). Kept: it remembers the words that it has seen.

    Args:
        language: decides about apostrophes, abbreviations, and whether words are written without spaces.
        version: of the rules: 1 is sacremoses, 2 is ours (see `demotic.corpus.words` for what differs).
    """
    if version == LATEST:
        return WordTokenizer(language)
    return CharacterTokenizer() if language in _CHARACTER_LANGUAGES else MosesTokenizer(language)
