"""Noun phrases, declined in both languages at once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from demotic.corpus.embedded.inflection import (
    Agreement,
    Case,
    Forms,
    Gender,
    adjective_forms,
    determiner_forms,
    noun_forms,
    spell,
)
from demotic.corpus.embedded.lexicon import (
    KINDS,
    Adjective,
    Complement,
    Kinds,
    Noun,
    adjectives_of,
    modifiers_of,
    nouns_of,
    pair,
    read_complement,
    read_noun,
)
from demotic.corpus.embedded.rules import NOTHING, Pair, expand, table
from demotic.corpus.embedded.splitmix import SplitMix


@dataclass(frozen=True)
class NounPhrase:
    """A noun phrase in both languages; `relative` is a clause behind it, which German may put off."""

    german: Forms  # by case
    english: str
    nominative: str = ""  # the English subject, where it differs: he, him
    agreement: Agreement = Agreement.THIRD
    gender: Gender = "m"
    determiner: str = "der"  # its kind
    owner: Pair | None = None  # the possessive that refers back to it: sein, his
    noun: Noun | None = None
    pronoun: bool = False
    first_person: bool = False
    relative: Pair = NOTHING

    @property
    def definite(self) -> bool:
        """Known: German puts it before `nicht`."""
        return self.determiner in ("der", "dies", "mein")

    def pair(self, case: Case) -> Pair:
        """The phrase in a case, without its relative clause."""
        return Pair(self.german[case], self.english)

    def with_words(self, german: str, english: str) -> NounPhrase:
        """The phrase with further words behind it."""
        return replace(
            self,
            german=tuple(f"{form} {german}" for form in self.german),
            english=f"{self.english} {english}",
        )


class Determiner(NamedTuple):
    """A determiner and the number of its noun; the kind says how it and the adjective behind it are declined."""

    kind: str
    plural: bool
    words: Pair  # the German stem: possessives, numbers and the others


def _read_pronoun(german: str, english: str, what: str, owner: str) -> NounPhrase:
    subject, other = english.split()
    person, gender = what.split()
    agreement = Agreement.PLURAL if gender == "p" else Agreement.FIRST if person == "1" else Agreement.THIRD
    phrase = NounPhrase(tuple(german.split()), other, subject, agreement, pronoun=True)
    return replace(phrase, owner=pair(owner) if owner else None, first_person=person == "1")


_DETERMINERS = [
    (int(percent), Determiner(kind, number == "plural", Pair(german, english)))
    for kind, number, german, english, percent in table("determiners")
]
_BY_KIND = {(determiner.kind, determiner.plural): determiner for _, determiner in _DETERMINERS}
PRONOUNS = [(int(percent), _read_pronoun(*row)) for *row, percent in table("pronouns")]
_, ER, SHE, _, THEY, YOU, WHO = (pronoun for _, pronoun in PRONOUNS)
THIRD_PERSON = (ER, SHE, THEY)
_OWNERS = {"m": ER.owner, "f": SHE.owner, "p": THEY.owner}  # German and English differ on das Mädchen
_SPOUSES = {
    owner: read_noun(german, english, "person")
    for german, english, owners in table("spouses")
    for owner in owners.split()
}
_PLACES = [
    (read_noun(german, english, "place"), {"at": read_complement(at), "to": read_complement(to)})
    for german, english, at, to in table("places")
]


def some_noun(rng: SplitMix, kinds: Kinds) -> Noun:
    """A noun of one of these kinds, sometimes as the head of a compound."""
    noun = rng.zipf(nouns_of(kinds), 1)
    modifiers = modifiers_of(noun.kinds)
    return noun.with_modifier(rng.zipf(modifiers, 1)) if modifiers and rng.chance(12) else noun


def noun_phrase(rng: SplitMix, noun: Noun, determiner: Determiner) -> NounPhrase:
    """A noun with a determiner and sometimes an adjective."""
    adjectives = adjectives_of(noun.kinds)
    return decline(noun, determiner, rng.zipf(adjectives, 4) if adjectives and rng.chance(42) else None)


def decline(noun: Noun, determiner: Determiner, adjective: Adjective | None = None) -> NounPhrase:
    """Determiner, adjective and noun agree in gender, number and case."""
    kind, plural, (stem, english) = determiner
    gender = "p" if plural else noun.gender
    words = [
        determiner_forms(kind, stem, gender),
        noun_forms(noun.plural if plural else noun.singular, gender, noun.weak),
    ]
    thing = noun.english_plural if plural else noun.english
    if adjective:
        words.insert(1, adjective_forms(adjective.words.german, kind, gender))
        thing = f"{adjective.words.english} {thing}"
    return NounPhrase(
        tuple(" ".join(forms).lstrip() for forms in zip(*words, strict=True)),
        spell("article", thing) if english == "a" else f"{english} {thing}".lstrip(),
        agreement=Agreement.PLURAL if plural else Agreement.THIRD,
        gender=gender,
        determiner=kind,
        owner=_OWNERS.get(gender) if "person" in noun.kinds else None,
        noun=noun,
    )


def some_phrase(rng: SplitMix, noun: Noun, owner: Pair | None = None) -> NounPhrase:
    """A noun with a determiner, sometimes the owner's possessive, and sometimes an adjective."""
    if owner and ("own" in noun.kinds or not noun.kinds & KINDS["not owned"]) and rng.chance(16):
        determiner = Determiner("mein", False, owner)
    elif not noun.plural:
        determiner = _BY_KIND["der", False]
    elif rng.chance(6):
        determiner = Determiner("drei", True, expand(rng, "number"))
    else:
        determiner = rng.percent(_DETERMINERS)
    return noun_phrase(rng, noun, determiner)


def some_phrase_of(rng: SplitMix, kinds: Kinds) -> NounPhrase:
    """A noun of one of these kinds with a determiner."""
    return some_phrase(rng, some_noun(rng, kinds))


def phrase_with(rng: SplitMix, kind: str, noun: Noun, plural: int = 0) -> NounPhrase:
    """A noun with a determiner of a kind, in so many of a hundred cases in the plural."""
    return noun_phrase(rng, noun, _BY_KIND[kind, plural > 0 and bool(noun.plural) and rng.chance(plural)])


def plural_phrase(rng: SplitMix, noun: Noun) -> NounPhrase:
    """Indefinite plural: many tourists, tourists."""
    return noun_phrase(rng, noun, _BY_KIND[rng.pick(["viel", "drei"]), True])


def plain_phrase(rng: SplitMix, noun: Noun) -> NounPhrase:
    """A known thing, without an adjective."""
    kind = rng.percent([(83, "der"), (17, "dies")])
    return decline(noun, _BY_KIND[kind, bool(noun.plural) and rng.chance(15)])


def spouse(rng: SplitMix, owner: Pair) -> NounPhrase | None:
    """His wife, her husband: with a possessive, Frau and Mann mean these."""
    noun = _SPOUSES.get(owner.english)
    return noun_phrase(rng, noun, Determiner("mein", False, owner)) if noun else None


def proper_name(rng: SplitMix) -> NounPhrase:
    """A person's name."""
    german, english, gender = rng.zipf(table("names"), 1)
    oblique = german.replace("Herr ", "Herrn ")
    return NounPhrase((german, oblique, oblique), english or german, owner=_OWNERS[gender])


def refer_back(phrase: NounPhrase) -> NounPhrase | None:
    """The pronoun for somebody who has been mentioned."""
    if phrase.pronoun:
        return phrase
    return next((pronoun for pronoun in THIRD_PERSON if pronoun.owner == phrase.owner), None)


def with_genitive(phrase: NounPhrase, possessor: NounPhrase) -> NounPhrase:
    """Die Tasche der Lehrerin: the possessor follows in German and precedes in English. For definite phrases only."""
    english = f"{spell('possessive', possessor.english)} {phrase.english.removeprefix('the ')}"
    return replace(phrase.with_words(possessor.german[Case.GEN], ""), english=english)


def with_attribute(rng: SplitMix, phrase: NounPhrase) -> NounPhrase:
    """A person with something that tells who is meant: die Frau aus Berlin, der Mann mit einem Hut."""

    def thing() -> Pair:
        return phrase_with(rng, "ein", some_noun(rng, KINDS["carried"])).pair(Case.DAT)

    return phrase.with_words(*expand(rng, "attribute", given={"thing": thing}))


def prepositional(complement: Complement, phrase: NounPhrase) -> Pair:
    """A phrase in its case, with its preposition if it has one; German contracts this with the article."""
    german, english = complement.preposition
    words = spell("contraction", f"{german} {phrase.german[complement.case]}".lstrip())
    return Pair(words, f"{english} {phrase.english} {phrase.relative.english}".strip())


def some_place(rng: SplitMix, direction: str) -> Pair:
    """At the station, into the garden."""
    noun, prepositions = rng.zipf(_PLACES, 1)
    return prepositional(prepositions[direction], decline(noun, _BY_KIND["der", False]))


def place_complement(rng: SplitMix, complement: Complement) -> Pair:
    """Where somebody lives or goes, as the verb asks."""
    kind = rng.pick([kind for kind in ("place", "city") if kind in complement.kinds])
    return some_place(rng, complement.place) if kind == "place" else expand(rng, f"{complement.place} city")
