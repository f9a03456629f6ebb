"""Noun phrases and prepositional phrases, built in both languages at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache

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
from demotic.corpus.embedded.lexicon import NOTHING, Adjective, Complement, Noun, Pair
from demotic.corpus.embedded.nouns import CITIES, MODIFIERS, NAMES, NOUNS, PLACES, SPOUSES
from demotic.corpus.embedded.splitmix import SplitMix
from demotic.corpus.embedded.words import ADJECTIVES, NUMBERS

_MANY = Pair("viel", "many")
_CARRIED = frozenset({"clothes", "luggage"})
NOT_OWNED = frozenset({"person", "street", "queue", "transport", "parade", "show", "authority", "law"})
_FLAT = 1  # nouns: the one at rank r has frequency 1 / (r + 1)


@dataclass(frozen=True)
class NounPhrase:
    """A noun phrase in both languages; `relative` is a clause behind it, which German may put off."""

    in_case: Callable[[Case], str]  # the German words
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

    @property
    def english_subject(self) -> str:
        """The English words as a subject, with the relative clause."""
        relative = f" {self.relative.english}" if self.relative else ""
        return (self.nominative or self.english) + relative

    @property
    def english_object(self) -> str:
        """The English words as an object, with the relative clause."""
        return self.english + (f" {self.relative.english}" if self.relative else "")


def fixed(forms: Sequence[str]) -> Callable[[Case], str]:
    """The forms of a word, in the order of the cases."""
    return lambda case: forms[CASES.index(case)]


def _pronoun(
    german: str, subject: str, english: str, agreement: Agreement, owner: tuple[str, str]
) -> NounPhrase:
    return NounPhrase(
        fixed(german.split()), english, agreement, nominative=subject, pronoun=True, owner=Pair(*owner)
    )


ICH = _pronoun("ich mich mir", "I", "me", Agreement.FIRST, ("mein", "my"))
WIR = _pronoun("wir uns uns", "we", "us", Agreement.PLURAL, ("unser", "our"))
ER = _pronoun("er ihn ihm", "he", "him", Agreement.THIRD, ("sein", "his"))
SHE = _pronoun("sie sie ihr", "she", "her", Agreement.THIRD, ("ihr", "her"))
THEY = _pronoun("sie sie ihnen", "they", "them", Agreement.PLURAL, ("ihr", "their"))
YOU = _pronoun("Sie Sie Ihnen", "you", "you", Agreement.PLURAL, ("Ihr", "your"))
WER = NounPhrase(fixed(("wer", "wen", "wem")), "whom", nominative="who", pronoun=True)


@cache
def nouns_of(kinds: frozenset[str]) -> tuple[Noun, ...]:
    """The nouns of any of these kinds, frequent ones first."""
    return tuple(noun for noun in NOUNS if noun.kinds & kinds)


@cache
def adjectives_of(kinds: frozenset[str]) -> tuple[Adjective, ...]:
    """The adjectives, each in the sense it has with nouns of these kinds."""
    return tuple(entry for entry in ADJECTIVES if entry.kinds & kinds)


@cache
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
    stem: Pair = NOTHING


_DETERMINERS = [
    (52, _Choice(Determiner.DEFINITE)),
    (24, _Choice(Determiner.INDEFINITE)),
    (11, _Choice(Determiner.DEFINITE, True)),
    (7, _Choice(Determiner.DEMONSTRATIVE)),
    (4, _Choice(Determiner.BARE, True, _MANY)),
    (2, _Choice(Determiner.DEMONSTRATIVE, True)),
]


def noun_phrase(rng: SplitMix, noun: Noun, owner: Pair | None = None) -> NounPhrase:
    """A noun with a determiner, sometimes the owner's possessive, and sometimes an adjective."""
    return _decline(rng, noun, _some_determiner(rng, noun, owner))


def spouse(rng: SplitMix, owner: Pair) -> NounPhrase | None:
    """His wife, her husband: with a possessive, Frau and Mann mean these."""
    noun = SPOUSES.get(owner.english)
    return _decline(rng, noun, _Choice(Determiner.POSSESSIVE, stem=owner)) if noun else None


def plural_noun_phrase(rng: SplitMix, noun: Noun) -> NounPhrase:
    """Indefinite plural: many tourists, tourists."""
    return _decline(rng, noun, _Choice(Determiner.BARE, True, rng.pick([_MANY, NOTHING])))


def definite_noun_phrase(rng: SplitMix, noun: Noun) -> NounPhrase:
    """A noun with the definite article."""
    return _decline(rng, noun, _Choice(Determiner.DEFINITE, plural=bool(noun.plural) and rng.chance(15)))


def plain_noun_phrase(rng: SplitMix, noun: Noun) -> NounPhrase:
    """A known thing, without an adjective."""
    kind = rng.percent([(83, Determiner.DEFINITE), (17, Determiner.DEMONSTRATIVE)])
    return _declined(noun, _Choice(kind, plural=bool(noun.plural) and rng.chance(15)))


def negated_noun_phrase(rng: SplitMix, noun: Noun) -> NounPhrase:
    """A noun with `kein`; English negates the verb instead and keeps `a` or `any`."""
    return _decline(rng, noun, _Choice(Determiner.NONE, plural=bool(noun.plural) and rng.chance(35)))


def _some_determiner(rng: SplitMix, noun: Noun, owner: Pair | None) -> _Choice:
    if owner and ("own" in noun.kinds or not noun.kinds & NOT_OWNED) and rng.chance(16):
        return _Choice(Determiner.POSSESSIVE, stem=owner)
    if not noun.plural:
        return _Choice(Determiner.DEFINITE)
    if rng.chance(6):
        return _Choice(Determiner.BARE, True, rng.zipf(NUMBERS, 2))
    return rng.percent(_DETERMINERS)


def _decline(rng: SplitMix, noun: Noun, choice: _Choice) -> NounPhrase:
    adjectives = adjectives_of(noun.kinds)
    return _declined(noun, choice, rng.zipf(adjectives, 4) if adjectives and rng.chance(42) else None)


def _declined(noun: Noun, choice: _Choice, chosen: Adjective | None = None) -> NounPhrase:
    gender: Gender = "p" if choice.plural else noun.gender
    return NounPhrase(
        lambda case: _german_words(noun, choice, chosen, gender, case),
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
    oblique = name.german.replace("Herr ", "Herrn ")
    return NounPhrase(fixed((name.german, oblique, oblique)), name.english, owner=_name_owner(name))


def _name_owner(name: Pair) -> Pair | None:
    """His or her, by the name."""
    masculine = name.english.startswith("Mr.") or name.german in ("Peter", "Paul")
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
    english = f"{possessive(possessor.english)} {phrase.english.removeprefix('the ')}"
    return replace(
        phrase, in_case=lambda case: f"{phrase.in_case(case)} {possessor.in_case('gen')}", english=english
    )


def with_attribute(rng: SplitMix, phrase: NounPhrase) -> NounPhrase:
    """A person with something that tells who is meant: die Frau aus Berlin, der Mann mit einem Hut."""
    if rng.chance(40):
        city = rng.zipf(CITIES, _FLAT)
        attribute = Pair(f"aus {city.german}", f"from {city.english}")
    else:
        noun = some_noun(rng, _CARRIED)
        thing = _decline(rng, noun, _Choice(Determiner.INDEFINITE))
        attribute = prepositional(Pair("mit", "with"), "dat", thing)
    return replace(
        phrase,
        in_case=lambda case: f"{phrase.in_case(case)} {attribute.german}",
        english=f"{phrase.english} {attribute.english}",
    )


def prepositional(preposition: Pair, case: Case, phrase: NounPhrase) -> Pair:
    """A preposition with its phrase; German contracts it with the article."""
    german = contract(f"{preposition.german} {phrase.in_case(case)}")
    return Pair(german, f"{preposition.english} {phrase.english_object}".strip())


def some_place(rng: SplitMix, direction: bool) -> Pair:
    """At the station, into the garden."""
    noun, where, whither = rng.zipf(PLACES, _FLAT)
    phrase = _declined(noun, _Choice(Determiner.DEFINITE))
    if not direction:
        return prepositional(where, "dat", phrase)
    preposition, _, case = whither.german.partition("+")
    return prepositional(Pair(preposition, whither.english), "dat" if case == "dat" else "acc", phrase)


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
