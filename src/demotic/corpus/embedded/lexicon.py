"""What a dictionary entry is, and how the tables of the embedded corpus are read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple, cast

from demotic.corpus.embedded.english import EnglishVerb, english_verb, s_form
from demotic.corpus.embedded.german import Case, Gender, GermanVerb, german_verb, noun_form

_GENDERS: dict[str, Gender] = {"der": "m", "die": "f", "das": "n"}


class Pair(NamedTuple):
    """Words that translate each other."""

    german: str
    english: str


NOTHING = Pair("", "")


@dataclass(frozen=True)
class Noun:
    """A noun in one sense. `kinds` say what can be done with it: this is what makes a sentence make sense."""

    singular: str
    plural: str  # empty: not countable
    gender: Gender
    weak: bool
    english: str
    english_plural: str
    kinds: frozenset[str]

    def german(self, case: Case, plural: bool) -> str:
        """The German form."""
        return noun_form(self.singular, self.plural, "p" if plural else self.gender, self.weak, case)


@dataclass(frozen=True)
class Adjective:
    """An adjective in one sense: it has this sense in front of nouns of these kinds."""

    german: str
    german_comparative: str
    english: str
    english_comparative: str
    kinds: frozenset[str]


@dataclass(frozen=True)
class Complement:
    """What a verb asks for: an object in a case, with or without a preposition, or fixed words."""

    case: Case
    kinds: frozenset[str]
    preposition: Pair = NOTHING
    fixed: Pair | None = None
    place: Literal["", "at", "to"] = ""  # a place brings its own preposition


@dataclass(frozen=True)
class Frame:
    """A verb in one sense, with its subject and complements. The frame, not the verb, has a translation."""

    german: GermanVerb
    english: EnglishVerb
    subject: frozenset[str]
    complements: tuple[Complement, ...]
    flags: frozenset[str]

    @property
    def object(self) -> Complement | None:
        """The accusative object, if there is one."""
        return next((c for c in self.complements if c.case == "acc" and not c.preposition.german), None)


def rows(table: str) -> Iterator[list[str]]:
    """The cells of a table: one entry a line, `|` between cells, `#` begins a remark."""
    for line in table.splitlines():
        text = line.partition("#")[0].strip()
        if text:
            yield [cell.strip() for cell in text.split("|")]


def kinds(cell: str) -> frozenset[str]:
    """A set of kinds, written with spaces between."""
    return frozenset(cell.split())


def pair(text: str) -> Pair:
    """`am Abend = in the evening`."""
    german, _, english = text.partition(" = ")
    return Pair(german.strip(), english.strip())


def read_noun(cells: list[str]) -> Noun:
    """`der Kunde*, Kunden | customer | person`; the star marks a weak noun, `-` no plural."""
    german, english, kind = cells
    article, _, forms = german.partition(" ")
    singular, plural = forms.split(", ")
    base, _, english_plural = english.partition(", ")
    return Noun(
        singular.removesuffix("*"),
        "" if plural == "-" else plural,
        _GENDERS[article],
        singular.endswith("*"),
        base,
        english_plural or s_form(base),
        kinds(kind),
    )


def read_frame(cells: list[str]) -> Frame:
    """`warten | wait | person | auf+acc vehicle = for | lasting`: verb, translation, subject, complements, flags."""
    german, english, subject, complements, *flags = cells
    return Frame(
        german_verb(german),
        english_verb(english),
        kinds(subject),
        tuple(_complement(text.strip()) for text in complements.split(";") if text.strip()),
        kinds(flags[0]) if flags else frozenset(),
    )


def _complement(text: str) -> Complement:
    if text.startswith('"'):
        return Complement("dat", frozenset(), fixed=pair(text.strip('"')))
    how, _, rest = text.partition(" ")
    kind, _, english = rest.partition("=")
    if how in ("at", "to"):
        place = cast(Literal["at", "to"], how)
        return Complement("dat", kinds(kind), place=place)
    preposition, _, case = how.rpartition("+")
    return Complement(cast(Case, case), kinds(kind), Pair(preposition, english.strip()))
