"""Nouns, and verbs with what they ask for, as lexicon.txt has them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

from demotic.corpus.embedded.inflection import (
    Case,
    EnglishVerb,
    Gender,
    GermanVerb,
    english_verb,
    german_verb,
    spell,
)
from demotic.corpus.embedded.rules import NOTHING, Pair, table

Kinds = frozenset[str]

_GENDERS: dict[str, Gender] = {"der": "m", "die": "f", "das": "n"}


@dataclass(frozen=True)
class Noun:
    """A noun in one sense. `kinds` say what can be done with it: this is what makes a sentence make sense."""

    singular: str
    plural: str  # empty: not countable
    gender: Gender
    weak: bool
    english: str
    english_plural: str
    kinds: Kinds

    def with_modifier(self, modifier: Pair) -> Noun:
        """Garten + Bank: a compound, inflected like its head."""
        return replace(
            self,
            singular=modifier.german + self.singular.lower(),
            plural=self.plural and modifier.german + self.plural.lower(),
            english=f"{modifier.english} {self.english}",
            english_plural=f"{modifier.english} {self.english_plural}",
        )


class Complement(NamedTuple):
    """What a verb asks for: an object in a case, with or without a preposition; a place; or fixed words."""

    case: Case
    kinds: Kinds = frozenset()
    preposition: Pair = NOTHING
    fixed: Pair = NOTHING
    place: str = ""  # at, to: a place brings its own preposition


@dataclass(frozen=True)
class Frame:
    """A verb in one sense, with its subject and complements. The frame, not the verb, has a translation."""

    german: GermanVerb
    english: EnglishVerb
    subject: Kinds
    complements: tuple[Complement, ...]
    flags: frozenset[str]

    @property
    def can_be_passive(self) -> bool:
        """With an accusative and nothing else."""
        if len(self.complements) != 1 or self.flags & {"state", "nopassive"} or self.english.tail == "for":
            return False
        return self.complements[0].case is Case.ACC and not self.complements[0].preposition.german


def pair(text: str) -> Pair:
    """Read `nach Hause = home`."""
    german, _, english = text.partition("=")
    return Pair(german.strip(), english.strip())


def read_noun(german: str, english: str, kinds: str) -> Noun:
    """Read `der Kunde*, Kunden | customer | person`; the star marks a weak noun, `-` no plural."""
    article, _, forms = german.partition(" ")
    singular, plural = forms.split(", ")
    base, _, english_plural = english.partition(", ")
    return Noun(
        singular.removesuffix("*"),
        plural.removeprefix("-"),
        _GENDERS[article],
        singular.endswith("*"),
        base,
        english_plural or spell("s-form", base),
        frozenset(kinds.split()),
    )


def read_frame(german: str, english: str, subject: str, complements: str, flags: str = "") -> Frame:
    """Read `warten | wait | person | auf+acc vehicle = for | lasting`."""
    return Frame(
        german_verb(german),
        english_verb(english),
        frozenset(subject.split()),
        tuple(read_complement(text.strip()) for text in complements.split(";") if text),
        frozenset(flags.split()),
    )


def read_complement(text: str) -> Complement:
    """Read `auf+acc vehicle = for`, `dat person`, `to city place` or `"nach Hause = home"`."""
    if text.startswith('"'):
        return Complement(Case.DAT, fixed=pair(text.strip('"')))
    german, english = pair(text)
    how, *kinds = german.split()
    if how in ("at", "to"):
        return Complement(Case.DAT, frozenset(kinds), place=how)
    preposition, _, case = how.rpartition("+")
    return Complement(Case[case.upper()], frozenset(kinds), Pair(preposition, english))


PERSON = frozenset({"person"})
KINDS = {name: frozenset(kinds.split()) for name, kinds in table("kinds")}
NOUNS = tuple(read_noun(*row) for row in table("nouns"))
FRAMES = tuple(read_frame(*row) for row in table("verbs"))


@cache
def nouns_of(kinds: Kinds) -> tuple[Noun, ...]:
    """The nouns of any of these kinds, frequent ones first."""
    return tuple(noun for noun in NOUNS if noun.kinds & kinds)


@cache
def frames_with_subject(kinds: Kinds) -> tuple[Frame, ...]:
    """The verbs that a noun of these kinds can be the subject of."""
    return tuple(frame for frame in FRAMES if frame.subject & kinds)


@cache
def frames_with_object(kinds: Kinds) -> tuple[Frame, ...]:
    """The verbs that a noun of these kinds can be the only complement of."""
    single = (frame for frame in FRAMES if len(frame.complements) == 1 and "plural" not in frame.flags)
    return tuple(frame for frame in single if frame.complements[0].kinds & kinds)
