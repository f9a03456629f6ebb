"""Text and HTML as sentences to translate and what stands between them, which stays as it is."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from typing import Literal

from demotic.corpus.sentences import split_sentences
from demotic.serve.markup import html_parts

Format = Literal["text", "html"]


class Document:
    """A text, taken apart.

    Args:
        text: whole.
        language: of the text, which decides where sentences end.
        format: html: only text between tags is translated, and none in scripts and the like.
    """

    def __init__(self, text: str, language: str, format: Format = "text") -> None:
        self.sentences: list[str] = []
        self._parts: list[str | int] = []  # text that stays, and numbers of sentences
        self._format = format
        if format == "html":
            for part, is_text in html_parts(text):
                if is_text:
                    self._add(html.unescape(part), language)
                else:
                    self._parts.append(part)
        else:
            self._add(text, language)

    def join(self, translations: Sequence[str]) -> str:
        """The document with a translation for each of its sentences."""
        write = _escaped if self._format == "html" else str
        return "".join(part if isinstance(part, str) else write(translations[part]) for part in self._parts)

    def _add(self, text: str, language: str) -> None:
        for line in re.split(r"(\n)", text):
            if not line.strip():
                self._keep(line)
                continue
            for sentence, space in split_sentences(line, language):
                start = len(sentence) - len(sentence.lstrip())
                self._keep(sentence[:start])
                if sentence[start:]:
                    self._parts.append(len(self.sentences))
                    self.sentences.append(sentence[start:])
                self._keep(space)

    def _keep(self, space: str) -> None:
        if space:
            self._parts.append(space)


def _escaped(text: str) -> str:
    return html.escape(text, quote=False)
