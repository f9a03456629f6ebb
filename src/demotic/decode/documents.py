"""Documents translated with a model: segments to sentences, codes and placeholders as constraints, and back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from demotic.corpus.formats import Document, Segment, Translation
from demotic.corpus.formats.segment import TaggedText
from demotic.corpus.sentences import split_sentences
from demotic.decode.constraints import UNKNOWN, SpanConstraint
from demotic.decode.model import TranslationModel
from demotic.decode.protected import protected_spans

_KEPT = ("tags", "urls", "emails", "placeholders")  # in the text between the codes of the format


@dataclass(frozen=True)
class _Sentence:
    """A part of a segment; without words it is copied."""

    text: str
    behind: str  # white space, or the code of a line break
    constraints: list[SpanConstraint]

    @property
    def has_words(self) -> bool:
        free = list(self.text)
        for each in self.constraints:
            free[each.begin : each.end] = " " * (each.end - each.begin)
        return any(map(str.isalpha, free))

    @property
    def begins_small(self) -> bool:
        """Whether the first letter is in lower case: the translation gets no capital then."""
        at = next(
            (i for i, character in enumerate(self.text) if character.isalpha() and not self._in_code(i)), None
        )
        return at is not None and self.text[at].islower()

    def _in_code(self, place: int) -> bool:
        return any(each.begin <= place < each.end for each in self.constraints)


def translate_document(
    model: TranslationModel, document: Document, threads: int = 0, unsure: bool = False
) -> dict[int, Translation]:
    """Translations of the segments of a document, by their number, for `Document.write`.

    Codes come out exactly once, as do URLs, e-mail addresses and placeholders such as `%(name)s`. A segment that has the same source
    as an earlier one gets the same translation.

    Args:
        model: of the document's language pair.
        document: from `read_document`.
        threads: 0: all cores.
        unsure: mark all translations as to be checked by a person.
    """
    language = model.options.prepare.source_language
    numbers: dict[Segment, list[int]] = {}
    for number, segment in enumerate(document.segments):
        numbers.setdefault(Segment(segment.pieces, 0), []).append(number)
    tagged = [TaggedText(segment.pieces) for segment in numbers]
    parts = [list(_sentences(each, language)) for each in tagged]
    texts = _translated(model, [part for sentences in parts for part in sentences if part.has_words], threads)
    result = {}
    for places, each, sentences in zip(numbers.values(), tagged, parts, strict=True):
        text = "".join((next(texts) if part.has_words else part.text) + part.behind for part in sentences)
        pieces = each.pieces(text)
        if pieces is not None:
            result |= {number: Translation(pieces, unsure) for number in places}
    return dict(sorted(result.items()))


def _translated(model: TranslationModel, sentences: list[_Sentence], threads: int) -> Iterator[str]:
    lists = model.kbest(
        (each.text for each in sentences), 1, threads, [each.constraints for each in sentences]
    )
    for sentence, found in zip(sentences, lists, strict=True):
        yield model.preprocessor.restore(found.sentence(0), capital=not sentence.begins_small)


def _sentences(tagged: TaggedText, language: str) -> Iterator[_Sentence]:
    """The sentences of a segment; none crosses a line break of the message."""
    at = 0
    for found in tagged.tags(tagged.text):
        if tagged.is_break(found[0]):
            yield from _of_line(tagged, tagged.text[at : found.start()], language)
            yield _Sentence("", found[0], [])
            at = found.end()
    yield from _of_line(tagged, tagged.text[at:], language)


def _of_line(tagged: TaggedText, line: str, language: str) -> Iterator[_Sentence]:
    indent = line[: len(line) - len(line.lstrip())]
    if indent:
        yield _Sentence("", indent, [])
    for text, behind in split_sentences(line[len(indent) :], language):
        yield _Sentence(text, behind, _constraints(tagged, text))


def _constraints(tagged: TaggedText, text: str) -> list[SpanConstraint]:
    """Codes, and what is protected in the text between them."""
    codes = [SpanConstraint(found.start(), found.end(), found[0], UNKNOWN) for found in tagged.tags(text)]
    inside = {place for each in codes for place in range(each.begin, each.end)}
    others = [each for each in protected_spans(text, _KEPT) if inside.isdisjoint(range(each.begin, each.end))]
    return sorted([*codes, *others], key=lambda each: each.begin)
