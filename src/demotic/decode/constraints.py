"""Spans of a sentence whose translation is prescribed: terms, and text that must not be translated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from demotic.base.errors import DemoticError
from demotic.corpus.preprocess import Preprocessor
from demotic.corpus.text import split_words
from demotic.corpus.verbatim import Verbatim, stand_in

UNKNOWN = "<unk>"  # to the language model
_OPAQUE = stand_in(0)  # a word that no rule has


@dataclass(frozen=True)
class SpanConstraint:
    """A span that gets this translation, once, and no other; the rest of the sentence is searched as usual.

    `Decoder` counts in words of a tokenised sentence, `TranslationModel` in characters of a line of raw text.
    """

    begin: int
    end: int  # behind the last word or character
    translation: str  # words, or raw text, which is kept to the letter
    # What the language model reads in its place; None: the translation itself, which may then begin a sentence with a capital.
    # Give `UNKNOWN` for tags, placeholders and other codes.
    reads_as: str | None = None

    @property
    def is_code(self) -> bool:
        """Whether the translation is no word of the language."""
        return self.reads_as is not None


Forced = list[tuple[int, list[str], list[str]]]
"""Position, words and what the language model reads in their place."""


def checked(constraints: Sequence[SpanConstraint], length: int) -> list[SpanConstraint]:
    """The constraints from left to right.

    Args:
        constraints: of one sentence.
        length: of the sentence, in words or characters.

    Raises:
        DemoticError: for a constraint that is empty, lies outside the sentence or overlaps with another.
    """
    found = sorted(constraints, key=lambda each: (each.begin, each.end))
    for each in found:
        if not 0 <= each.begin < each.end <= length:
            raise DemoticError(
                f"the span {each.begin} to {each.end} of a constraint is not in the sentence, which ends at {length}"
            )
        if not split_words(each.translation) or (each.is_code and not split_words(each.reads_as or "")):
            raise DemoticError(f"the constraint on the span {each.begin} to {each.end} has no translation")
    for left, right in pairwise(found):
        if right.begin < left.end:
            raise DemoticError(
                f"the constraints '{left.translation}' and '{right.translation}' overlap",
                hint="give spans that do not overlap",
            )
    return found


def collapse(words: list[str], constraints: Sequence[SpanConstraint]) -> tuple[list[str], list[str], Forced]:
    """A sentence with one word for each constrained span.

    Returns:
        The words; the same with words that no rule reads in the place of the spans; and what the decoder puts there.
    """
    shown: list[str] = []
    opaque: list[str] = []
    forced: Forced = []
    at = 0
    for each in checked(constraints, len(words)):
        translation = split_words(each.translation)
        read_as = split_words(each.reads_as) if each.reads_as is not None else translation
        forced.append((len(shown) + each.begin - at, translation, read_as))
        shown += [*words[at : each.begin], " ".join(words[each.begin : each.end])]
        opaque += [*words[at : each.begin], _OPAQUE]
        at = each.end
    return [*shown, *words[at:]], [*opaque, *words[at:]], forced


def constrained_words(
    text: str, constraints: Sequence[SpanConstraint], preprocessor: Preprocessor
) -> tuple[list[str], list[SpanConstraint]]:
    """Words of a line of raw text, in which each constrained span is one word, and the constraints on these words.

    The translations are verbatim words, of which `Preprocessor.restore` makes the text that the constraints ask for.

    Args:
        text: raw.
        constraints: in characters of the text.
        preprocessor: of the model.
    """
    if not constraints:
        return preprocessor.words(text, "source"), []
    ordered = checked(constraints, len(text))
    parts: list[str] = []
    at = 0
    for number, each in enumerate(ordered):
        parts += [text[at : each.begin], f" {stand_in(number)} "]
        at = each.end
    words = preprocessor.words("".join([*parts, text[at:]]), "source")
    places = {word: i for i, word in enumerate(words)}
    result = []
    for number, each in enumerate(ordered):
        place = places[stand_in(number)]
        words[place] = text[each.begin : each.end]
        verbatim = _verbatim(text, ordered, number)
        reads_as = each.reads_as
        if reads_as is None:
            reads_as = " ".join(preprocessor.words(each.translation, "target")) or UNKNOWN
        result.append(
            replace(each, begin=place, end=place + 1, translation=verbatim.word(), reads_as=reads_as)
        )
    return words, result


def _verbatim(text: str, constraints: Sequence[SpanConstraint], number: int) -> Verbatim:
    """Glued to what it is glued to in the source: letters, digits, other spans. Punctuation finds its place by itself."""
    constraint = constraints[number]
    begin, end = constraint.begin, constraint.end
    begins, ends = {each.begin for each in constraints}, {each.end for each in constraints}
    verbatim = Verbatim(constraint.translation, constraint.is_code)
    left = begin > 0 and (text[begin - 1].isalnum() or begin in ends)
    right = end < len(text) and (text[end].isalnum() or end in begins)
    if verbatim.is_tag and not verbatim.text.endswith("/>"):  # an opening tag belongs to what follows
        closing = verbatim.text.startswith("</")
        left, right = left and closing, right and not closing
    return replace(verbatim, glued_left=left, glued_right=right, place=number)
