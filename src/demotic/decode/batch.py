"""Text of any kind, line by line: long lines are cut, and one that cannot be translated does not end the job."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from demotic.base.errors import DemoticError
from demotic.decode.constraints import SpanConstraint

if TYPE_CHECKING:
    from demotic.decode.decoder import ConstrainedWords, MakeList
    from demotic.decode.kbest import KBest
    from demotic.decode.model import LineConstraints, TranslationModel

LONGEST = 500
"""Words that are decoded together: more only cost memory, since no rule reaches over more than some fifteen of them."""

_ENDS = frozenset(".!?;:…。！？；：")  # after one of these a long line is best cut
_Begun = deque[tuple[str, int | Exception]]  # lines to come, with the number of their pieces or an error


@dataclass(frozen=True)
class TranslatedLine:
    """What became of a line.

    Attributes:
        source: the line.
        texts: translations, the best first; the line itself if there is none.
        scores: of the translations.
        found: the list that they are from; None for a line that was translated in pieces, or not at all.
        error: why there is no translation; None: there is one.
    """

    source: str
    texts: list[str]
    scores: list[float]
    found: KBest | None = None
    error: Exception | None = None


def translate_lines(
    model: TranslationModel,
    lines: Iterable[str],
    make: MakeList,
    threads: int = 0,
    constraints: LineConstraints = None,
    longest: int = LONGEST,
) -> Iterator[TranslatedLine]:
    """Translations of each line of raw text, as a stream; a line that cannot be translated comes back as it is.

    A line of more than `longest` words is translated in pieces and has one translation: the best ones of its pieces.

    Args:
        model: that translates.
        lines: raw text.
        make: makes the list of translations of a sentence, as `kbest_lists(k)` does.
        threads: 0: all cores.
        constraints: on spans of each line; None: none have any.
        longest: words that are decoded together.
    """
    begun: _Begun = deque()
    pairs = ((line, ()) for line in lines) if constraints is None else zip(lines, constraints, strict=True)

    def pieces() -> Iterator[ConstrainedWords]:
        for line, spans in pairs:
            try:
                cut = list(cut_words(*model.words_of(line, spans), longest))
            except Exception as error:
                begun.append((line, error))
                continue
            begun.append((line, len(cut)))
            yield from cut

    found = model.decoder.lists_or_errors(pieces(), make, threads=threads)
    for first in found:
        yield from _refused(begun)
        line, count = begun.popleft()
        assert isinstance(count, int)
        yield _join(model, line, [first, *islice(found, count - 1)])
    yield from _refused(begun)


def cut_words(
    words: Sequence[str], spans: Sequence[SpanConstraint], longest: int
) -> Iterator[tuple[Sequence[str], Sequence[SpanConstraint]]]:
    """Pieces of at most so many words, each as long as possible, cut where a sentence or clause ends if there is one.

    No cut lies within a span; one that is longer than a piece is a piece of its own.
    """
    begin = 0
    while len(words) - begin > longest:
        end = _end_of_piece(words, spans, begin, longest)
        yield words[begin:end], _within(spans, begin, end)
        begin = end
    yield words[begin:], _within(spans, begin, len(words))


def _end_of_piece(words: Sequence[str], spans: Sequence[SpanConstraint], begin: int, longest: int) -> int:
    inside = {place for span in spans for place in range(span.begin + 1, span.end)}
    ends = (i for i in range(begin + longest, begin + longest // 2, -1) if words[i - 1] in _ENDS)
    end = next((i for i in ends if i not in inside), begin + longest)
    while end in inside:
        end -= 1
    if end > begin:
        return end
    return next(i for i in range(begin + 1, len(words) + 1) if i not in inside)


def _within(spans: Sequence[SpanConstraint], begin: int, end: int) -> list[SpanConstraint]:
    return [
        replace(span, begin=span.begin - begin, end=span.end - begin)
        for span in spans
        if begin <= span.begin and span.end <= end
    ]


def _refused(begun: _Begun) -> Iterator[TranslatedLine]:
    """Lines at the front that never became words."""
    while begun and isinstance(error := begun[0][1], Exception):
        yield _copied(begun.popleft()[0], error)


def _copied(line: str, error: Exception) -> TranslatedLine:
    return TranslatedLine(line, [line], [0.0], error=error)


def _join(model: TranslationModel, line: str, pieces: Sequence[KBest | Exception]) -> TranslatedLine:
    lists: list[KBest] = []
    for piece in pieces:
        if isinstance(piece, Exception):
            return _copied(line, piece)
        if not len(piece):
            return _copied(line, DemoticError("no translation was found"))
        lists.append(piece)
    if len(lists) == 1:
        texts = [model.restore(words, source=line) for words in lists[0].sentences()]
        return TranslatedLine(line, texts, [float(score) for score in lists[0].scores], lists[0])
    words = [word for each in lists for word in each.sentence(0)]
    return TranslatedLine(
        line, [model.restore(words, source=line)], [sum(float(each.scores[0]) for each in lists)]
    )
