"""Text that passes through tokenising, casing and detokenising as it is: tags, placeholders, terms.

Before tokenising, each such stretch is replaced by a stand-in: one private-use character, which every tokenizer keeps as a word of its own.
In a translation it is a verbatim word, which carries its text, so `Preprocessor.restore` needs to know nothing of the input.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

_FIRST_STAND_IN, _STAND_INS = 0xF0000, 0xFFFE  # the private-use characters of plane 15
_CODE, _TERM, _ESCAPE = "\U00100000", "\U00100001", "\U00100002"  # of plane 16
_GLUES = ("\U00100004", "\U00100005", "\U00100006", "\U00100007")
_RESERVED = re.compile(rf"[\s{_CODE}-\U0010000f]")
_ESCAPED = re.compile(rf"{_ESCAPE}([0-9a-f]+){_ESCAPE}")
_TAG = re.compile(r"<(/?)([\w:.-]+)")
PRIVATE = "[\U000f0000-\U000ffffd\U00100000-\U0010000f]"  # characters that text must not bring itself


@dataclass(frozen=True)
class Verbatim:
    """A stretch of text that no step may change."""

    text: str
    is_code: bool = True  # no word of the language: it keeps its case even where a sentence begins
    glued_left: bool = False  # no space before it
    glued_right: bool = False  # no space behind it
    place: int = 0  # among the stretches of the source

    @property
    def is_tag(self) -> bool:
        """Whether it is markup, which a sentence may begin behind."""
        return self.is_code and self.text.startswith("<")

    def word(self) -> str:
        """The same as one word without spaces."""
        text = _RESERVED.sub(lambda match: f"{_ESCAPE}{ord(match[0]):x}{_ESCAPE}", self.text)
        glue = _GLUES[self.glued_left + 2 * self.glued_right]
        return f"{_CODE if self.is_code else _TERM}{glue}{stand_in(self.place)}{text}"

    @classmethod
    def read(cls, word: str) -> Verbatim | None:
        """What `word` made; None if the word is any other."""
        if word[:1] not in (_CODE, _TERM) or word[1:2] not in _GLUES or not is_stand_in(word[2:3]):
            return None
        glue = _GLUES.index(word[1])
        text = _ESCAPED.sub(lambda match: chr(int(match[1], 16)), word[3:])
        return cls(text, word[0] == _CODE, glue % 2 == 1, glue >= 2, ord(word[2]) - _FIRST_STAND_IN)

    def capitalized(self) -> Verbatim:
        """As the beginning of a sentence; codes and words with a capital stay."""
        if self.is_code or self.text != self.text.lower():
            return self
        return replace(self, text=self.text[:1].upper() + self.text[1:])


def shown(word: str) -> str:
    """A word for people: verbatim words as their text."""
    verbatim = Verbatim.read(word)
    return verbatim.text if verbatim else word


def in_nesting_order(stretches: Sequence[Verbatim]) -> list[Verbatim]:
    """The same in the order of a translation, but for tags that do not nest there: they take the order of the source, in the same places."""
    tags = [each for each in stretches if each.is_tag]
    if nests([each.text for each in tags]):
        return list(stretches)
    ahead = iter(sorted(tags, key=lambda each: each.place))
    return [next(ahead) if each.is_tag else each for each in stretches]


def nests(tags: Sequence[str]) -> bool:
    """Whether every closing tag that has an opening one among these closes the one that was opened last."""
    kinds = [(found[1], found[2], tag.endswith("/>")) for tag in tags if (found := _TAG.match(tag))]
    opening = {name for slash, name, alone in kinds if not slash and not alone}
    closing = {name for slash, name, _ in kinds if slash}
    opened: list[str] = []
    for slash, name, alone in kinds:
        if slash and name in opening:
            if not opened or opened.pop() != name:
                return False
        elif not slash and not alone and name in closing:
            opened.append(name)
    return True


def stand_in(number: int) -> str:
    """The character that stands for stretch `number` of a line; there can be 65,534."""
    if not 0 <= number < _STAND_INS:
        raise ValueError(f"a line can have at most {_STAND_INS} stretches of verbatim text")
    return chr(_FIRST_STAND_IN + number)


def is_stand_in(word: str) -> bool:
    """Whether a word is a stand-in."""
    return len(word) == 1 and 0 <= ord(word) - _FIRST_STAND_IN < _STAND_INS


def fill_in(text: str, stretches: list[Verbatim]) -> str:
    """Put the stretches in the place of their stand-ins, and take spaces away where they are glued to what stands beside them."""
    parts = []
    at = 0
    for i, character in enumerate(text):
        if not is_stand_in(character):
            continue
        stretch = stretches[ord(character) - _FIRST_STAND_IN]
        before = text[at:i]
        parts.append(before.rstrip(" ") if stretch.glued_left else before)
        parts.append(stretch.text)
        at = i + 1
        if stretch.glued_right:
            while text[at : at + 1] == " ":
                at += 1
    return "".join([*parts, text[at:]])
