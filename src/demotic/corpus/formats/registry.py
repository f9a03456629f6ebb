"""Which module reads which file."""

from __future__ import annotations

from pathlib import Path

from demotic.base.errors import DemoticError
from demotic.base.files import Pathish
from demotic.corpus.formats.document import Document

FORMATS = {
    ".po": "po",
    ".pot": "po",
    ".xlf": "xliff",
    ".xliff": "xliff",
    ".tmx": "tmx",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".srt": "srt",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".md": "markdown",
    ".markdown": "markdown",
    ".txt": "txt",
}
"""Suffix -> format."""


def read_document(path: Pathish, source_language: str, target_language: str) -> Document:
    """Read a file by its suffix; languages matter for TMX only.

    Raises:
        DemoticError: for an unknown suffix, and for files that are no such files, with the line.
    """
    file = Path(path)
    kind = FORMATS.get(file.suffix.lower())
    if kind is None:
        raise DemoticError("unknown format", path, hint=f"known: {', '.join(FORMATS)}")
    # Each format loads its own parser.
    if kind == "po":
        from demotic.corpus.formats.po import read_po_document as read
    elif kind == "xliff":
        from demotic.corpus.formats.xliff import read_xliff as read
    elif kind == "tmx":
        from demotic.corpus.formats.tmx import read_tmx_document

        return read_tmx_document(file, source_language, target_language)
    elif kind == "tsv":
        from demotic.corpus.formats.tsv import read_tsv_document as read
    elif kind == "srt":
        from demotic.corpus.formats.srt import read_srt as read
    elif kind == "html":
        from demotic.corpus.formats.html import read_html as read
    elif kind == "markdown":
        from demotic.corpus.formats.markdown import read_markdown as read
    else:
        from demotic.corpus.formats.txt import read_txt as read
    return read(file)
