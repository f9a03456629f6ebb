"""Translation memories (TMX 1.4), parsed as a stream."""

from __future__ import annotations

import gzip
import lzma
import zlib
from collections.abc import Iterator
from xml.parsers import expat

from demotic.base.errors import DemoticError, os_error
from demotic.base.files import Pathish, open_binary
from demotic.corpus.readers.pair import Pair

_BLOCK = 1 << 16
# Inline codes of TMX: the text inside them is formatting of the original document, not language.
_INLINE_CODES = {"bpt", "ept", "it", "ph", "ut"}


def read_tmx(path: Pathish, source_language: str, target_language: str) -> Iterator[Pair]:
    """Yield the segments of each translation unit that has both languages.

    `de` matches `de`, `de-DE` and `DE_at`. Inline codes are dropped, white space inside a segment is folded. A document
    that declares entities is refused: that is how entity bombs work, and translation memories have no use for them.
    """
    parser = _TmxParser(path, source_language, target_language)
    try:
        with open_binary(path) as file:
            while block := file.read(_BLOCK):
                parser.feed(block)
                yield from parser.take()
            parser.feed(b"", final=True)
            yield from parser.take()
    except (EOFError, lzma.LZMAError, zlib.error, gzip.BadGzipFile) as error:
        raise DemoticError(
            "the archive is truncated or damaged", path, parser.line, "copy it again"
        ) from error
    except OSError as error:
        raise os_error(error, path) from error
    if parser.units and not parser.matched:
        raise DemoticError(
            f"no unit has both '{source_language}' and '{target_language}'",
            path,
            hint=f"languages found: {', '.join(sorted(parser.languages))}",
        )


class _TmxParser:
    """Collects finished pairs while expat walks through the document."""

    def __init__(self, path: Pathish, source_language: str, target_language: str) -> None:
        self.units = 0
        self.matched = 0
        self.languages: set[str] = set()
        self._path = path
        self._wanted = (source_language.lower(), target_language.lower())
        self._pairs: list[Pair] = []
        self._segments: dict[str, str] = {}
        self._language = ""
        self._line = 0
        self._text: list[str] | None = None  # None: outside <seg>
        self._code_depth = 0
        self._expat = expat.ParserCreate()
        self._expat.buffer_text = True
        self._expat.StartElementHandler = self._start
        self._expat.EndElementHandler = self._end
        self._expat.CharacterDataHandler = self._characters
        self._expat.EntityDeclHandler = self._entity

    @property
    def line(self) -> int:
        return self._expat.CurrentLineNumber

    def feed(self, block: bytes, final: bool = False) -> None:
        try:
            self._expat.Parse(block, final)
        except expat.ExpatError as error:
            hint = "the file ends too early: copy it again" if final else "the file must be well-formed XML"
            raise DemoticError(
                f"not valid TMX: {expat.errors.messages[error.code]}", self._path, error.lineno, hint
            ) from error
        except (ValueError, LookupError) as error:  # Python has no such encoding, or not for a parser
            raise DemoticError(
                f"not valid TMX: {error}", self._path, self.line, "convert the file to UTF-8"
            ) from error

    def take(self) -> list[Pair]:
        pairs, self._pairs = self._pairs, []
        return pairs

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "tu":
            self._segments, self._line = {}, self.line
        elif name == "tuv":
            self._language = (
                (attributes.get("xml:lang") or attributes.get("lang") or "").lower().replace("_", "-")
            )
            self.languages.add(self._language)
        elif name == "seg":
            self._text, self._code_depth = [], 0
        elif name in _INLINE_CODES:
            self._code_depth += 1

    def _end(self, name: str) -> None:
        if name == "seg" and self._text is not None:
            self._segments.setdefault(self._language, " ".join("".join(self._text).split()))
            self._text = None
        elif name in _INLINE_CODES:
            self._code_depth -= 1
        elif name == "tu":
            self.units += 1
            source, target = (self._segment(language) for language in self._wanted)
            if source is not None and target is not None:
                self.matched += 1
                self._pairs.append(Pair(source, target, self._line))

    def _segment(self, wanted: str) -> str | None:
        """The segment in this language, else in the first of its regional variants."""
        variants = [language for language in self._segments if language.split("-")[0] == wanted]
        best = wanted if wanted in self._segments else next(iter(variants), None)
        return None if best is None else self._segments[best]

    def _characters(self, text: str) -> None:
        if self._text is not None and self._code_depth == 0:
            self._text.append(text)

    def _entity(self, name: str, *_: object) -> None:
        raise DemoticError(
            f"the file declares the entity '{name}'",
            self._path,
            self.line,
            "entities can exhaust memory; remove the declarations from the DOCTYPE",
        )
