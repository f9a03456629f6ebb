"""Text of any kind, line by line: long lines are cut, and one that cannot be translated does not end the job."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, repeat
from typing import TYPE_CHECKING

from demotic.base.errors import DemoticError

if TYPE_CHECKING:
    from demotic.decode.kbest import KBest
    from demotic.decode.model import TranslationModel

LONGEST = 500
"""Words that are decoded together: more only cost memory, since no rule reaches over more than some fifteen of them."""

_ENDS = frozenset(".!?;:…。！？；：")  # after one of these a long line is best cut
_Begun = deque[tuple[str, int | Exception]]  # lines to come, with the number of their pieces or an error


@dataclass(frozen=True)
class TranslatedLine:
    """What became of a line.

    Attributes:
        texts: translations, the best first; the line itself if there is none.
        scores: of the translations.
        error: why there is none; None: there is one.
    """

    texts: list[str]
    scores: list[float]
    error: Exception | None = None


def translate_lines(
    model: TranslationModel, lines: Iterable[str], k: int = 1, threads: int = 0, longest: int = LONGEST
) -> Iterator[TranslatedLine]:
    """The k best translations of each line of raw text, as a stream; a line that cannot be translated comes back as it is.

    A line of more than `longest` words is translated in pieces and has one translation: the best ones of its pieces.
    """
    begun: _Begun = deque()

    def pieces() -> Iterator[str]:
        for line in lines:
            try:
                cut = list(cut_words(model.preprocessor.words(line, "source"), longest))
            except Exception as error:
                begun.append((line, error))
                continue
            begun.append((line, len(cut)))
            yield from map(" ".join, cut)

    found = model.decoder.kbest_or_error(zip(pieces(), repeat(None)), k, threads=threads)
    for first in found:
        yield from _refused(begun)
        line, count = begun.popleft()
        assert isinstance(count, int)
        yield _join(model, line, [first, *islice(found, count - 1)])
    yield from _refused(begun)


def cut_words(words: Sequence[str], longest: int) -> Iterator[list[str]]:
    """Pieces of at most so many words, each as long as possible, cut where a sentence or clause ends if there is one."""
    begin = 0
    while len(words) - begin > longest:
        ends = (i for i in range(begin + longest, begin + longest // 2, -1) if words[i - 1] in _ENDS)
        end = next(ends, begin + longest)
        yield list(words[begin:end])
        begin = end
    yield list(words[begin:])


def _refused(begun: _Begun) -> Iterator[TranslatedLine]:
    """Lines at the front that never became words."""
    while begun and isinstance(error := begun[0][1], Exception):
        yield TranslatedLine([begun.popleft()[0]], [0.0], error)


def _join(model: TranslationModel, line: str, pieces: Sequence[KBest | Exception]) -> TranslatedLine:
    lists: list[KBest] = []
    for piece in pieces:
        if isinstance(piece, Exception):
            return TranslatedLine([line], [0.0], piece)
        if not len(piece):
            return TranslatedLine([line], [0.0], DemoticError("no translation was found"))
        lists.append(piece)
    if len(lists) == 1:
        texts = [model.restore(words) for words in lists[0].sentences()]
        return TranslatedLine(texts, [float(score) for score in lists[0].scores])
    words = [word for each in lists for word in each.sentence(0)]
    return TranslatedLine([model.restore(words)], [sum(float(each.scores[0]) for each in lists)])
