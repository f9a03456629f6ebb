"""Noun phrases and prepositional phrases, built in both languages at once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from demotic.corpus.embedded.english import possessive, with_article
from demotic.corpus.embedded.german import (
    CASES,
    Agreement,
    Case,
    Determiner,
    Gender,
    adjective,
    contract,
    determiner,
)
from demotic.corpus.embedded.lexicon import Adjective, Complement, Noun, Pair
from demotic.corpus.embedded.nouns import CITIES, MODIFIERS, NAMES, NOUNS, PLACES
from demotic.corpus.embedded.splitmix import SplitMix
from demotic.corpus.embedded.words import ADJECTIVES, NUMBERS

_MANY = Pair("viel", "many")
_FLAT = 3  # nouns and adjectives: rank r has frequency 1 / (r + 3)


@dataclass(frozen=True)
class NounPhrase:
    """A noun phrase with all its German cases; `relative` is a clause behind it, which German may put off."""

    german: tuple[str, ...]
    english: str
    agreement: Agreement = Agreement.THIRD
    gender: Gender = "m"
    nominative: str = ""  # the English subject, where it differs: he, him
    pronoun: bool = False
    determiner: Determiner = Determiner.DEFINITE
    owner: Pair | None = None  # the possessive that refers back to it: sein, his
    noun: Noun | None = None
    relative: Pair | None = None

    @property
    def definite(self) -> bool:
        """Known: German puts it before `nicht`."""
        return self.determiner in (Determiner.DEFINITE, Determiner.DEMONSTRATIVE, Determiner.POSSESSIVE)

    def in_case(self, case: Case) -> str:
        """The German words in a case."""
        return self.german[CASES.index(case)]

    @property
    def english_subject(self) -> str:
        """The English words as a subject, with the relative clause."""
        relative = f" {self.relative.english}" if self.relative else ""
        return (self.nominative or self.english) + relative

    @property
    def english_object(self) -> str:
        """The English words as an object, with the relative clause."""
        return self.english + (f" {self.relative.english}" if self.relative else "")


def _pronoun(
    german: str, subject: str, english: str, agreement: Agreement, owner: tuple[str, str]
) -> NounPhrase:
    forms = tuple(german.split())
    return NounPhrase(forms, english, agreement, nominative=subject, pronoun=True, owner=Pair(*owner))


ICH = _pronoun("ich mich mir", "I", "me", Agreement.FIRST, ("mein", "my"))
WIR = _pronoun("wir uns uns", "we", "us", Agreement.PLURAL, ("unser", "our"))
ER = _pronoun("er ihn ihm", "he", "him", Agreement.THIRD, ("sein", "his"))
SHE = _pronoun("sie sie ihr", "she", "her", Agreement.THIRD, ("ihr", "her"))
THEY = _pronoun("sie sie ihnen", "they", "them", Agreement.PLURAL, ("ihr", "their"))
YOU = _pronoun("Sie Sie Ihnen", "you", "you", Agreement.PLURAL, ("Ihr", "your"))
WER = NounPhrase(("wer", "wen", "wem"), "whom", nominative="who", pronoun=True)


@lru_cache(maxsize=None)
def nouns_of(kinds: frozenset[str]) -> tuple[Noun, ...]:
    """The nouns of any of these kinds, frequent ones first."""
    return tuple(noun for noun in NOUNS if noun.kinds & kinds)


@lru_cache(maxsize=None)
def adjectives_of(kinds: frozenset[str]) -> tuple[Adjective, ...]:
    """The adjectives, each in the sense it has with nouns of these kinds."""
    return tuple(entry for entry in ADJECTIVES if entry.kinds & kinds)


@lru_cache(maxsize=None)
def _modifiers_of(kinds: frozenset[str]) -> tuple[Pair, ...]:
    if "compound" in kinds:
        return ()
    return tuple(modifier for modifier, heads in MODIFIERS if heads & kinds)


def some_noun(rng: SplitMix, kinds: frozenset[str]) -> Noun:
    """A noun of one of these kinds, sometimes as the head of a compound."""
    noun = rng.zipf(nouns_of(kinds), _FLAT)
    modifiers = _modifiers_of(noun.kinds)
    return compound(rng.zipf(modifiers, _FLAT), noun) if modifiers and rng.chance(12) else noun


def compound(modifier: Pair, head: Noun) -> Noun:
    """Garten + Bank: inflected like its head."""
    return replace(
        head,
        singular=modifier.german + head.singular.lower(),
        plural=modifier.german + head.plural.lower() if head.plural else "",
        english=f"{modifier.english} {head.english}",
        english_plural=f"{modifier.english} {head.english_plural}",
    )


@dataclass(frozen=True)
class _Choice:
    """A determiner with the number of its noun."""

    kind: Determiner
    plural: bool = False
    stem: Pair = Pair("", "")


def noun_phrase(rng: SplitMix, noun: Noun, owner: Pair | None = None) -> NounPhrase:
    """A noun with a determiner, sometimes the owner's possessive, and sometimes an adjective."""
    return _decline(rng, noun, _some_determiner(rng, noun, owner))


def plural_noun_phrase(rng: SplitMix, noun: Noun) -> NounPhrase:
    """Indefinite plural: many tourists, tourists."""
    return _decline(rng, noun, _Choice(Determiner.BARE, True, rng.pick([_MANY, Pair("", "")])))


def definite_noun_phrase(rng: SplitMix, noun: Noun) -> NounPhrase:
    """A noun with the definite article."""
    return _decline(rng, noun, _Choice(Determiner.DEFINITE, plural=bool(noun.plural) and rng.chance(15)))


def negated_noun_phrase(rng: SplitMix, noun: Noun) -> NounPhrase:
    """A noun with `kein`; English negates the verb instead and keeps `a` or `any`."""
    return _decline(rng, noun, _Choice(Determiner.NONE, plural=bool(noun.plural) and rng.chance(35)))


def _some_determiner(rng: SplitMix, noun: Noun, owner: Pair | None) -> _Choice:
    if owner and rng.chance(16):
        return _Choice(Determiner.POSSESSIVE, stem=owner)
    if not noun.plural:
        return _Choice(Determiner.DEFINITE)
    number = rng.zipf(NUMBERS, 2)
    return rng.weighted(
        [
            (50, _Choice(Determiner.DEFINITE)),
            (22, _Choice(Determiner.INDEFINITE)),
            (10, _Choice(Determiner.DEFINITE, True)),
            (6, _Choice(Determiner.DEMONSTRATIVE)),
            (6, _Choice(Determiner.BARE, True, number)),
            (3, _Choice(Determiner.BARE, True, _MANY)),
            (2, _Choice(Determiner.DEMONSTRATIVE, True)),
        ]
    )


def _decline(rng: SplitMix, noun: Noun, choice: _Choice) -> NounPhrase:
    adjectives = adjectives_of(noun.kinds)
    chosen = rng.zipf(adjectives, _FLAT) if adjectives and rng.chance(32) else None
    gender: Gender = "p" if choice.plural else noun.gender
    return NounPhrase(
        tuple(_german_words(noun, choice, chosen, gender, case) for case in CASES),
        _english_words(noun, choice, chosen),
        Agreement.PLURAL if choice.plural else Agreement.THIRD,
        gender,
        determiner=choice.kind,
        owner=_owner(noun, choice.plural),
        noun=noun,
    )


def _german_words(noun: Noun, choice: _Choice, chosen: Adjective | None, gender: Gender, case: Case) -> str:
    if choice.stem is _MANY:
        article = adjective("viel", Determiner.BARE, gender, case)
    else:
        article = determiner(choice.kind, gender, case, choice.stem.german)
    words = [article]
    if chosen:
        words.append(adjective(chosen.german, choice.kind, gender, case))
    words.append(noun.german(case, choice.plural))
    return " ".join(word for word in words if word)


def _english_words(noun: Noun, choice: _Choice, chosen: Adjective | None) -> str:
    words = noun.english_plural if choice.plural else noun.english
    if chosen:
        words = f"{chosen.english} {words}"
    if choice.kind in (Determiner.INDEFINITE, Determiner.NONE) and not choice.plural:
        return with_article(words)
    if choice.stem.english:
        return f"{choice.stem.english} {words}"
    article = {
        Determiner.DEFINITE: "the",
        Determiner.DEMONSTRATIVE: "these" if choice.plural else "this",
        Determiner.NONE: "any",
        Determiner.BARE: "",
    }[choice.kind]
    return f"{article} {words}".lstrip()


def _owner(noun: Noun, plural: bool) -> Pair | None:
    """Only people own things, and das Mädchen has no possessive that German and English agree on."""
    if "person" not in noun.kinds:
        return None
    if plural:
        return THEY.owner
    return {"m": ER.owner, "f": SHE.owner}.get(noun.gender)


def proper_name(rng: SplitMix) -> NounPhrase:
    """A person's name."""
    name = rng.zipf(NAMES, _FLAT)
    german = name.german
    cases = tuple(german.replace("Herr ", "Herrn ") if i else german for i in range(3))
    return NounPhrase(cases, name.english, owner=name_owner(name))


def name_owner(name: Pair) -> Pair | None:
    """His or her, by the name."""
    masculine = name.english.startswith("Mr.") or name.german in ("Peter", "Paul", "Otto")
    return ER.owner if masculine else SHE.owner


def refer_back(phrase: NounPhrase) -> NounPhrase | None:
    """The pronoun for somebody who has been mentioned."""
    if phrase.pronoun:
        return phrase
    return next((p for p in (ER, SHE, THEY) if phrase.owner and p.owner == phrase.owner), None)


def some_person(rng: SplitMix) -> NounPhrase:
    """A person as a noun phrase."""
    return noun_phrase(rng, some_noun(rng, frozenset({"person"})))


def with_genitive(phrase: NounPhrase, possessor: NounPhrase) -> NounPhrase:
    """Die Tasche der Lehrerin: the possessor follows in German and precedes in English. For definite phrases only."""
    german = tuple(f"{form} {possessor.in_case('gen')}" for form in phrase.german)
    english = f"{possessive(possessor.english)} {phrase.english.removeprefix('the ')}"
    return replace(phrase, german=german, english=english)


def prepositional(preposition: Pair, case: Case, phrase: NounPhrase) -> Pair:
    """A preposition with its phrase; German contracts it with the article."""
    german = contract(f"{preposition.german} {phrase.in_case(case)}")
    return Pair(german, f"{preposition.english} {phrase.english_object}".strip())


def some_place(rng: SplitMix, direction: bool) -> Pair:
    """At the station, into the garden."""
    noun, where, whither = rng.zipf(PLACES, _FLAT)
    phrase = _decline_plainly(noun)
    if not direction:
        return prepositional(where, "dat", phrase)
    preposition, _, case = whither.german.partition("+")
    return prepositional(Pair(preposition, whither.english), "dat" if case == "dat" else "acc", phrase)


def _decline_plainly(noun: Noun) -> NounPhrase:
    choice = _Choice(Determiner.DEFINITE)
    german = tuple(_german_words(noun, choice, None, noun.gender, case) for case in CASES)
    return NounPhrase(german, f"the {noun.english}")


def some_city(rng: SplitMix, direction: bool) -> Pair:
    """In Berlin, to Berlin."""
    city = rng.zipf(CITIES, _FLAT)
    german, english = ("nach", "to") if direction else ("in", "in")
    return Pair(f"{german} {city.german}", f"{english} {city.english}")


def place_complement(rng: SplitMix, complement: Complement) -> Pair:
    """Where somebody lives or goes, as the verb asks."""
    direction = complement.place == "to"
    choices = [kind for kind in ("place", "city") if kind in complement.kinds]
    return some_city(rng, direction) if rng.pick(choices) == "city" else some_place(rng, direction)
