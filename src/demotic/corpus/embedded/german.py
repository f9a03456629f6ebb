"""German inflection: articles, adjectives, nouns and verbs, as far as the embedded corpus needs them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Literal

Case = Literal["nom", "acc", "dat", "gen"]
Gender = Literal["m", "f", "n", "p"]  # p: the plural, where the three genders fall together

CASES: tuple[Case, ...] = ("nom", "acc", "dat", "gen")

DEFINITE: dict[Gender, tuple[str, ...]] = {
    "m": ("der", "den", "dem", "des"),
    "f": ("die", "die", "der", "der"),
    "n": ("das", "das", "dem", "des"),
    "p": ("die", "die", "den", "der"),
}
RELATIVE: dict[Gender, tuple[str, ...]] = {**DEFINITE, "p": ("die", "die", "denen", "deren")}

# Endings by case. Strong: the ending itself shows case and gender; weak: the article has shown it already; mixed: after
# ein, kein and possessives, which have no ending in three places.
_ARTICLE_ENDINGS: dict[Gender, tuple[str, ...]] = {
    "m": ("er", "en", "em", "es"),
    "f": ("e", "e", "er", "er"),
    "n": ("es", "es", "em", "es"),
    "p": ("e", "e", "en", "er"),
}
_EIN_ENDINGS: dict[Gender, tuple[str, ...]] = {
    **_ARTICLE_ENDINGS,
    "m": ("", "en", "em", "es"),
    "n": ("", "", "em", "es"),
}
_ADJECTIVE_ENDINGS: dict[str, dict[Gender, tuple[str, ...]]] = {
    "weak": {
        "m": ("e", "en", "en", "en"),
        "f": ("e", "e", "en", "en"),
        "n": ("e", "e", "en", "en"),
        "p": ("en", "en", "en", "en"),
    },
    "mixed": {
        "m": ("er", "en", "en", "en"),
        "f": ("e", "e", "en", "en"),
        "n": ("es", "es", "en", "en"),
        "p": ("en", "en", "en", "en"),
    },
    "strong": {"p": ("e", "e", "en", "er")},
}
_CONTRACTIONS = {
    "an dem ": "am ",
    "bei dem ": "beim ",
    "in das ": "ins ",
    "in dem ": "im ",
    "von dem ": "vom ",
    "zu dem ": "zum ",
    "zu der ": "zur ",
}
_VOWELS = "aeiouäöüy"


class Agreement(Enum):
    """What a finite verb agrees with; `sie` and `Sie` take the form of the infinitive, like `wir`."""

    FIRST = "ich"
    THIRD = "er"
    PLURAL = "wir"


class Determiner(Enum):
    """Kinds of determiner by how they and the adjective behind them are declined."""

    DEFINITE = "der"
    DEMONSTRATIVE = "dies"
    INDEFINITE = "ein"
    NONE = "kein"
    POSSESSIVE = "mein"
    BARE = ""  # plural nouns without a determiner, or with a number


def determiner(kind: Determiner, gender: Gender, case: Case, stem: str = "") -> str:
    """The inflected determiner; `stem` is the possessive, or the number in front of a plural."""
    index = CASES.index(case)
    if kind is Determiner.DEFINITE:
        return DEFINITE[gender][index]
    if kind is Determiner.DEMONSTRATIVE:
        return str(kind.value) + _ARTICLE_ENDINGS[gender][index]
    if kind is Determiner.BARE:
        return stem
    return (stem or str(kind.value)) + _EIN_ENDINGS[gender][index]


def adjective(base: str, kind: Determiner, gender: Gender, case: Case) -> str:
    """The adjective with the ending that its determiner leaves to it: der alte, ein alter, alte (plural)."""
    if kind is Determiner.BARE:
        declension = "strong"
    elif kind in (Determiner.DEFINITE, Determiner.DEMONSTRATIVE):
        declension = "weak"
    else:
        declension = "mixed"
    return adjective_stem(base) + _ADJECTIVE_ENDINGS[declension][gender][CASES.index(case)]


def adjective_stem(base: str) -> str:
    """The form that endings are put to: teuer -> teur, dunkel -> dunkl, müde -> müd."""
    if base.endswith(("kel", "uer")):
        return base[:-2] + base[-1]
    return base.removesuffix("e")


@cache
def noun_form(singular: str, plural: str, gender: Gender, weak: bool, case: Case) -> str:
    """A noun in a case; `weak` nouns take -n or -en outside the nominative singular (der Kunde, den Kunden)."""
    if gender == "p":
        return plural + ("" if case != "dat" or plural[-1] in "ns" else "n")
    if weak and case != "nom":
        return singular + ("n" if singular[-1] in "er" else "en")
    if case == "gen" and gender != "f":
        return singular + ("es" if singular[-1] in "sßzx" or _syllables(singular) == 1 else "s")
    return singular


def contract(text: str) -> str:
    """A preposition and its phrase, with the article drawn into the preposition: in dem -> im."""
    for full, short in _CONTRACTIONS.items():
        if text.startswith(full):
            return short + text[len(full) :]
    return text


@dataclass(frozen=True)
class GermanVerb:
    """A verb by its principal parts; a separable prefix is kept apart."""

    prefix: str
    infinitive: str
    third: str
    participle: str
    auxiliary: Literal["haben", "sein"] = "haben"
    reflexive: Literal["", "acc", "dat"] = ""
    preterite: str = ""  # only where people say it: war, hatte

    def present(self, agreement: Agreement) -> str:
        """The finite form in the present, without the prefix."""
        irregular = _IRREGULAR_PRESENT.get(self.infinitive)
        if irregular:
            return irregular[agreement]
        if agreement is Agreement.PLURAL:
            return self.infinitive
        return self.third if agreement is Agreement.THIRD else _first_person(self.infinitive)

    def past(self, agreement: Agreement) -> str:
        """The finite form in the preterite."""
        if agreement is not Agreement.PLURAL:
            return self.preterite
        return self.preterite + ("n" if self.preterite.endswith("e") else "en")

    @property
    def whole_infinitive(self) -> str:
        """With the prefix: anrufen."""
        return self.prefix + self.infinitive

    @property
    def zu_infinitive(self) -> str:
        """With zu, which stands inside a separable verb: zu rufen, anzurufen."""
        return f"{self.prefix}zu{self.infinitive}" if self.prefix else f"zu {self.infinitive}"

    @property
    def whole_participle(self) -> str:
        """With the prefix: angerufen."""
        return self.prefix + self.participle


def german_verb(entry: str) -> GermanVerb:
    """Read a dictionary entry: `an-rufen, ruft, gerufen`; `laufen, läuft, ist gelaufen`; regular: `kaufen`."""
    infinitive, *parts = entry.split(", ")
    reflexive: Literal["", "acc", "dat"] = ""
    if infinitive.startswith("sich "):
        infinitive, reflexive = infinitive[5:], "acc"
    elif infinitive.startswith("sich3 "):
        infinitive, reflexive = infinitive[6:], "dat"
    prefix, _, infinitive = infinitive.rpartition("-")
    stem = infinitive.removesuffix("n").removesuffix("e")
    ending = "et" if stem.endswith(("t", "d", "fn", "chn")) else "t"
    third = parts[0] if parts else stem + ending
    participle = parts[1] if len(parts) > 1 else _participle_prefix(infinitive) + stem + ending
    auxiliary: Literal["haben", "sein"] = "sein" if participle.startswith("ist ") else "haben"
    return GermanVerb(
        prefix, infinitive, third, participle.removeprefix("ist "), auxiliary, reflexive, "".join(parts[2:3])
    )


def _first_person(infinitive: str) -> str:
    """Rufe, but füttere and wechsle."""
    if infinitive.endswith("eln"):
        return infinitive[:-3] + "le"
    return infinitive[:-1] + ("" if infinitive.endswith("en") else "e")


def _participle_prefix(infinitive: str) -> str:
    unstressed = ("be", "ent", "er", "ge", "ver", "zer", "über", "unter")
    return "" if infinitive.startswith(unstressed) or infinitive.endswith("ieren") else "ge"


_IRREGULAR_PRESENT = {
    infinitive: dict(zip(Agreement, forms.split(), strict=True))
    for infinitive, forms in {
        "sein": "bin ist sind",
        "haben": "habe hat haben",
        "werden": "werde wird werden",
        "wissen": "weiß weiß wissen",
        "können": "kann kann können",
        "müssen": "muss muss müssen",
        "wollen": "will will wollen",
        "sollen": "soll soll sollen",
        "dürfen": "darf darf dürfen",
        "möchten": "möchte möchte möchten",
    }.items()
}
REFLEXIVES = {
    "acc": {Agreement.FIRST: "mich", Agreement.THIRD: "sich", Agreement.PLURAL: "uns"},
    "dat": {Agreement.FIRST: "mir", Agreement.THIRD: "sich", Agreement.PLURAL: "uns"},
}

SEIN = german_verb("sein, ist, ist gewesen, war")
HABEN = german_verb("haben, hat, gehabt, hatte")
WERDEN = german_verb("werden, wird, ist geworden, wurde")


def _syllables(word: str) -> int:
    """Groups of vowels: good enough to tell Mann from Lehrer."""
    lowered = word.lower()
    return sum(
        letter in _VOWELS and (i == 0 or lowered[i - 1] not in _VOWELS) for i, letter in enumerate(lowered)
    )
