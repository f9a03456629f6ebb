"""Noun phrases, declined in both languages at once."""

from __future__ import annotations

from dataclasses import dataclass, replace

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
    Complement,
    Kinds,
    Noun,
    nouns_of,
    pair,
    read_noun,
)
from demotic.corpus.embedded.rules import NOTHING, Pair, draw, expand, fitting, rewrite, table
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


def _read_pronoun(german: str, english: str, what: str, owner: str) -> NounPhrase:
    subject, other = english.split()
    person, number = what.split()
    agreement = Agreement.PLURAL if number == "p" else Agreement.FIRST if person == "1" else Agreement.THIRD
    phrase = NounPhrase(tuple(german.split()), other, subject, agreement, pronoun=True)
    return replace(phrase, owner=pair(owner) if owner else None, first_person=person == "1")


PRONOUNS = [(int(percent), _read_pronoun(*row)) for *row, percent in table("pronouns")]
_, ER, SHE, _, THEY, YOU, WHO = (pronoun for _, pronoun in PRONOUNS)
THIRD_PERSON = (ER, SHE, THEY)
_OWNERS = {"m": ER.owner, "f": SHE.owner, "p": THEY.owner}  # German and English differ on das Mädchen
_SPOUSES = {
    owner: read_noun(german, english, "person")
    for german, english, owners in table("spouses")
    for owner in owners.split()
}


def some_noun(rng: SplitMix, kinds: Kinds) -> Noun:
    """A noun of one of these kinds, sometimes as the head of a compound."""
    noun = rng.zipf(nouns_of(kinds), 1)
    compound = "compound" not in noun.kinds and fitting("modifier", noun.kinds) and rng.chance(12)
    return noun.with_modifier(expand(rng, "modifier", noun.kinds)) if compound else noun


def phrase_with(
    rng: SplitMix, determiner: str, noun: Noun, owner: Pair | None = None, plain: bool = False
) -> NounPhrase:
    """A noun with a determiner (a section of grammar.txt) and, unless `plain`, sometimes an adjective."""
    features = {"countable" if noun.plural else "uncountable"}
    if owner and ("own" in noun.kinds or not noun.kinds & KINDS["not owned"]):
        features.add("ownable")
    rule = draw(rng, determiner, frozenset(features))
    while not rule.gives:  # the rule is another section
        rule = draw(rng, rule.words.german.strip("{}"), frozenset(features))
    words = rewrite(rng, rule.words, given={"owner": owner or NOTHING})
    qualified = not plain and fitting("adjective", noun.kinds) and rng.chance(42)
    adjective = expand(rng, "adjective", noun.kinds) if qualified else None
    return decline(noun, rule.gives, words, adjective)


def decline(noun: Noun, what: str, determiner: Pair, adjective: Pair | None = None) -> NounPhrase:
    """Determiner, adjective and noun agree in gender, number and case."""
    kind, number = what.split()
    plural = number == "plural"
    gender = "p" if plural else noun.gender
    words = [
        determiner_forms(kind, determiner.german, gender),
        noun_forms(noun.plural if plural else noun.singular, gender, noun.weak),
    ]
    thing = noun.english_plural if plural else noun.english
    if adjective:
        words.insert(1, adjective_forms(adjective.german, kind, gender))
        thing = f"{adjective.english} {thing}"
    article = determiner.english
    return NounPhrase(
        tuple(" ".join(forms).lstrip() for forms in zip(*words, strict=True)),
        spell("article", thing) if article == "a" else f"{article} {thing}".lstrip(),
        agreement=Agreement.PLURAL if plural else Agreement.THIRD,
        gender=gender,
        determiner=kind,
        owner=_OWNERS.get(gender) if "person" in noun.kinds else None,
        noun=noun,
    )


def some_phrase(rng: SplitMix, kinds: Kinds) -> NounPhrase:
    """A noun of one of these kinds with a determiner."""
    return phrase_with(rng, "some determiner", some_noun(rng, kinds))


def spouse(rng: SplitMix, owner: Pair) -> NounPhrase | None:
    """His wife, her husband: with a possessive, Frau and Mann mean these."""
    noun = _SPOUSES.get(owner.english)
    return phrase_with(rng, "possessive", noun, owner) if noun else None


def proper_name(rng: SplitMix) -> NounPhrase:
    """A person's name."""
    (german, english), *_, gender = draw(rng, "name")
    oblique = german.replace("Herr ", "Herrn ")
    return NounPhrase((german, oblique, oblique), english, owner=_OWNERS[gender])


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
        return phrase_with(rng, "indefinite", some_noun(rng, KINDS["carried"])).pair(Case.DAT)

    return phrase.with_words(*expand(rng, "attribute", given={"thing": thing}))


def prepositional(complement: Complement, phrase: NounPhrase) -> Pair:
    """A phrase in its case, with its preposition if it has one; German contracts this with the article."""
    german, english = complement.preposition
    words = spell("contraction", f"{german} {phrase.german[complement.case]}".lstrip())
    return Pair(words, f"{english} {phrase.english} {phrase.relative.english}".strip())
