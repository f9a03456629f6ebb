"""Files that translators work with: what of them is text, and how a translation goes back into them.

One module per format. Each gives a `Document`: its `segments` are translated, `write` puts the translations in. Everything else in
the file keeps its bytes.
"""

from typing import TYPE_CHECKING

from demotic.base.lazy import lazy_exports

if TYPE_CHECKING:
    from demotic.corpus.formats.document import Document
    from demotic.corpus.formats.registry import FORMATS, read_document
    from demotic.corpus.formats.segment import Code, Segment, Translation
else:
    __getattr__ = lazy_exports(__name__)

__all__ = ["FORMATS", "Code", "Document", "Segment", "Translation", "read_document"]
