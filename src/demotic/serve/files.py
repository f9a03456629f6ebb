"""Files of translators, sent as text: read by their format, translated sentence by sentence, and sent back with their markup."""

from __future__ import annotations

import codecs
import tempfile
from dataclasses import dataclass
from pathlib import Path

from demotic.base.errors import DemoticError
from demotic.corpus.formats import FORMATS, Document, read_document
from demotic.decode.documents import DocumentText
from demotic.serve.answers import Refusal
from demotic.serve.request_log import Record
from demotic.serve.translator import Translator, Wanted

_MARK = "\ufeff"


@dataclass(frozen=True)
class TranslatedFile:
    """A file with translations in it."""

    content: str
    segments: int  # that needed a translation
    unsure: int  # of them, that a person should check; gettext catalogues say `fuzzy`


async def translate_file(
    translator: Translator, name: str, content: str, wanted: Wanted, below: float, record: Record
) -> TranslatedFile:
    """Translate a file.

    Args:
        translator: of the language pair.
        name: of the file; only its suffix counts.
        content: of the file.
        wanted: glossary, and whether there is a confidence.
        below: translations with a smaller confidence are marked.
        record: of the request.

    Raises:
        Refusal: for a file that cannot be read, or is too long.
    """
    suffix = Path(name).suffix.lower()
    if suffix not in FORMATS:
        raise Refusal(400, "unknown format", hint=f"known: {', '.join(FORMATS)}")
    document, text = await translator.workers.run(_read, translator, suffix, content)
    found = await translator.translate(text.sentences, wanted, record)
    done = [(each.hypotheses[0].text, (each.confidence or 0.0) < below) for each in found]
    translations = text.translations(done)
    rendered = await translator.workers.run(document.rendered, translations)
    unsure = sum(each.unsure for each in translations.values())
    return TranslatedFile(rendered.removeprefix(_MARK), len(document.segments), unsure)


def _read(translator: Translator, suffix: str, content: str) -> tuple[Document, DocumentText]:
    """Readers want a file: it has a name of ours, in a folder of its own, and a mark that it is UTF-8, whatever it says itself."""
    with tempfile.TemporaryDirectory(prefix="demotic-serve-") as folder:
        file = Path(folder) / f"file{suffix}"
        file.write_bytes(codecs.BOM_UTF8 + content.encode("utf-8", "replace"))
        try:
            document = read_document(file, translator.source, translator.target)
        except DemoticError as error:
            place = f"line {error.line}: " if error.line else ""
            raise Refusal(400, place + error.message, error.hint) from None
    return document, DocumentText(document, translator.source)
