"""Documents translated with a model: segments to sentences, codes and placeholders as constraints, and back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from demotic.corpus.formats import Document, Segment, Translation
from demotic.corpus.formats.segment import TaggedText
from demotic.corpus.sentences import split_sentences
from demotic.decode.constraints import UNKNOWN, SpanConstraint
from demotic.decode.decoder import kbest_lists
from demotic.decode.kbest import KBest
from demotic.decode.model import TranslationModel
from demotic.decode.protected import protected_spans

_KEPT = ("tags", "urls", "emails", "placeholders")  # in the text between the codes of the format


@dataclass(frozen=True)
class DocumentSentence:
    """A part of a segment; without words it is copied."""

    text: str
    behind: str  # white space, or the code of a line break
    constraints: list[SpanConstraint]

    @property
    def without_codes(self) -> str:
        """The text with spaces in the place of what is kept to the letter."""
        free = list(self.text)
        for each in self.constraints:
            free[each.begin : each.end] = " " * (each.end - each.begin)
        return "".join(free)

    @property
    def has_words(self) -> bool:
        """Whether there is anything to translate."""
        return any(map(str.isalpha, self.without_codes))

    @property
    def begins_small(self) -> bool:
        """Whether the first letter is in lower case: the translation gets no capital then."""
        return next(filter(str.isalpha, self.without_codes), "").islower()


@dataclass(frozen=True)
class Review:
    """Which translations a person should check."""

    is_doubtful: Callable[[str, KBest], bool]  # given a sentence of the source and its list of translations
    length: int = 1  # of the list that this needs


NO_REVIEW = Review(lambda sentence, kbest: False)
REVIEW_ALL = Review(lambda sentence, kbest: True)


def translate_document(
    model: TranslationModel, document: Document, threads: int = 0, review: Review = NO_REVIEW
) -> dict[int, Translation]:
    """Translations of the segments of a document, by their number, for `Document.write`.

    Codes come out exactly once, as do URLs, e-mail addresses and placeholders such as `%(name)s`. A segment that has the same source
    as an earlier one gets the same translation.

    Args:
        model: of the document's language pair.
        document: from `read_document`.
        threads: 0: all cores.
        review: which sentences make the translation of their segment one to be checked by a person.
    """
    text = DocumentText(document, model.options.prepare.source_language)
    return text.translations(_translated(model, text.sentences, threads, review))


class DocumentText:
    """The sentences of a document, and the way back.

    Args:
        document: from `read_document`.
        language: of its text, which decides where sentences end.
    """

    def __init__(self, document: Document, language: str) -> None:
        self._numbers: dict[Segment, list[int]] = {}
        for number, segment in enumerate(document.segments):
            self._numbers.setdefault(Segment(segment.pieces, 0), []).append(number)
        self._tagged = [TaggedText(segment.pieces) for segment in self._numbers]
        self._parts = [list(_sentences(each, language)) for each in self._tagged]

    @property
    def sentences(self) -> list[DocumentSentence]:
        """Those that need a translation, each once for all segments that are the same."""
        return [part for sentences in self._parts for part in sentences if part.has_words]

    def translations(self, done: Iterable[tuple[str, bool]]) -> dict[int, Translation]:
        """What goes into the segments, by their number.

        Args:
            done: for each of `sentences` its translation, and whether a person should check it.
        """
        ahead = iter(done)
        result: dict[int, Translation] = {}
        for places, each, sentences in zip(self._numbers.values(), self._tagged, self._parts, strict=True):
            found = [next(ahead) if part.has_words else (part.text, False) for part in sentences]
            texts = [text + part.behind for (text, _), part in zip(found, sentences, strict=True)]
            pieces = each.pieces("".join(texts))
            if pieces is not None:
                unsure = any(doubtful for _, doubtful in found)
                result |= {number: Translation(pieces, unsure) for number in places}
        return dict(sorted(result.items()))


def _translated(
    model: TranslationModel, sentences: list[DocumentSentence], threads: int, review: Review
) -> Iterator[tuple[str, bool]]:
    """Texts, and whether they are to be checked."""
    constraints = [each.constraints for each in sentences]
    make = (
        model.choice() if review.length == 1 else kbest_lists(review.length)
    )  # doubts are about the best score
    lists = model.lists((each.text for each in sentences), make, threads, constraints)
    for sentence, found in zip(sentences, lists, strict=True):
        text = model.restore(found.sentence(0), not sentence.begins_small, sentence.without_codes)
        yield text, review.is_doubtful(sentence.without_codes, found)


def _sentences(tagged: TaggedText, language: str) -> Iterator[DocumentSentence]:
    """The sentences of a segment; none crosses a line break of the message."""
    at = 0
    for found in tagged.tags(tagged.text):
        if tagged.is_break(found[0]):
            yield from _of_line(tagged, tagged.text[at : found.start()], language)
            yield DocumentSentence("", found[0], [])
            at = found.end()
    yield from _of_line(tagged, tagged.text[at:], language)


def _of_line(tagged: TaggedText, line: str, language: str) -> Iterator[DocumentSentence]:
    indent = line[: len(line) - len(line.lstrip())]
    if indent:
        yield DocumentSentence("", indent, [])
    for text, behind in split_sentences(line[len(indent) :], language):
        yield DocumentSentence(text, behind, _constraints(tagged, text))


def _constraints(tagged: TaggedText, text: str) -> list[SpanConstraint]:
    """Codes, and what is protected in the text between them."""
    codes = [SpanConstraint(found.start(), found.end(), found[0], UNKNOWN) for found in tagged.tags(text)]
    inside = {place for each in codes for place in range(each.begin, each.end)}
    others = [each for each in protected_spans(text, _KEPT) if inside.isdisjoint(range(each.begin, each.end))]
    return sorted([*codes, *others], key=lambda each: each.begin)
