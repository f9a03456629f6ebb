"""German and English inflection, by the spelling rules and endings of grammar.txt."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from typing import Literal

from demotic.corpus.embedded.rules import table

Gender = Literal["m", "f", "n", "p"]  # p: the plural, where the three genders fall together
Forms = tuple[str, ...]  # by case, or by agreement

_GENDERS = ("m", "f", "n", "p")


class Case(IntEnum):
    """The German cases, in the order of the tables."""

    NOM, ACC, DAT, GEN = range(4)


class Agreement(IntEnum):
    """What a finite verb agrees with; `sie` and `Sie` take the form of `wir`."""

    FIRST, THIRD, PLURAL = range(3)


@cache
def _spelling(form: str) -> list[tuple[re.Pattern[str], str]]:
    rows = table("spelling")
    return [(re.compile(pattern), replacement) for name, pattern, replacement in rows if name == form]


def spell(form: str, word: str) -> str:
    """The form of a word by the spelling rules: the s-form of carry is carries. What no pattern fits stays."""
    for pattern, replacement in _spelling(form):
        if pattern.search(word):
            return pattern.sub(replacement, word, count=1)
    return word


@cache
def _endings(part: str, kind: str, gender: Gender) -> Forms:
    row = next(row for row in table(f"{part} endings") if kind in row[0].split())
    return tuple(ending.strip("-") for ending in row[1 + _GENDERS.index(gender)].split())


@cache
def determiner_forms(kind: str, stem: str, gender: Gender) -> Forms:
    """A determiner of a kind by case: der (also the relative pronoun), dies, ein, kein, mein, viel, drei."""
    return tuple(stem + ending for ending in _endings("determiner", kind, gender))


@cache
def adjective_forms(base: str, kind: str, gender: Gender) -> Forms:
    """An adjective behind a determiner of a kind, by case: der alte, ein alter, drei alte."""
    stem = spell("adjective", base)
    return tuple(stem + ending for ending in _endings("adjective", kind, gender))


@cache
def noun_forms(word: str, gender: Gender, weak: bool = False) -> Forms:
    """A noun by case, from its singular or (gender p) its plural; `weak` nouns end in -n outside the nominative."""
    if gender == "p":
        return word, word, spell("dative plural", word), word
    if weak:
        return word, *[spell("weak noun", word)] * 3
    return word, word, word, word if gender == "f" else spell("genitive", word)


@dataclass(frozen=True)
class GermanVerb:
    """A verb by its forms; a separable prefix is kept apart from the finite ones."""

    prefix: str
    infinitive: str
    zu_infinitive: str
    participle: str
    present: Forms
    past: Forms  # the preterite, only where people say it: war, hatte
    auxiliary: str
    reflexive: Case | None


@dataclass(frozen=True)
class EnglishVerb:
    """A verb by its forms, with the words that belong to it (give up, pay attention) in its tail."""

    base: str
    gerund: str
    participle: str
    present: Forms
    past: Forms
    tail: str
    needs_do: bool  # in questions and under negation

    def phrase(self, form: str) -> str:
        """A form of the verb with its tail: `gave` -> `gave up`."""
        return f"{form} {self.tail}".rstrip()


@cache
def german_verb(entry: str) -> GermanVerb:
    """Read a dictionary entry: `an-rufen, ruft, gerufen`; `laufen, läuft, ist gelaufen`; regular: `kaufen`."""
    first, *parts = entry.split(", ")
    pronoun, _, verb = first.rpartition(" ")
    prefix, _, base = verb.rpartition("-")
    regular = spell("third person", base)
    third, participle, preterite = [*parts, "", "", ""][:3]
    auxiliary, _, participle = (participle or spell("participle", regular)).rpartition(" ")
    return GermanVerb(
        prefix,
        prefix + base,
        f"{prefix}zu{base}" if prefix else f"zu {base}",
        prefix + participle,
        _forms(spell("first person", base), third or regular, base),
        _forms(preterite, preterite, spell("preterite plural", preterite)) if preterite else (),
        "sein" if auxiliary else "haben",
        {"": None, "sich": Case.ACC, "sich3": Case.DAT}[pronoun],
    )


@cache
def english_verb(entry: str) -> EnglishVerb:
    """Read a dictionary entry: `wear, wore, worn`; `give up, gave, given`; regular: `carry`; auxiliary: `! must`."""
    needs_do = not entry.startswith("!")
    phrase, *parts = entry.removeprefix("! ").split(", ")
    base, _, tail = phrase.partition(" ")
    past, participle, third = [*parts, "", "", ""][:3]
    past = past or spell("past", base)
    present = _forms(base, third or (spell("s-form", base) if needs_do else base), base)
    pasts = _forms(past, past, past)
    return EnglishVerb(base, spell("gerund", base), participle or past, present, pasts, tail, needs_do)


def _forms(first: str, third: str, plural: str) -> Forms:
    """The finite forms; irregular verbs give all of them in place of the third person: `bin ist sind`."""
    return tuple(third.split()) if " " in third else (first, third, plural)
