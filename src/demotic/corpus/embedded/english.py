"""English inflection: articles, plurals and verbs, as far as the embedded corpus needs them."""

from __future__ import annotations

from dataclasses import dataclass

from demotic.corpus.embedded.german import Agreement

_VOWELS = "aeiou"
_SIBILANTS = ("s", "x", "z", "ch", "sh")
_NO_AN = ("uni", "use", "euro", "one")
_AN = ("hour", "honest")


def with_article(words: str) -> str:
    """Put `a` or `an` in front, by sound."""
    vowel = words[0].lower() in _VOWELS
    an = words.startswith(_AN) or (vowel and not words.startswith(_NO_AN))
    return f"{'an' if an else 'a'} {words}"


def s_form(word: str) -> str:
    """The regular plural of a noun and third person of a verb: dishes, cities, carries, boys."""
    if word.endswith("y") and word[-2] not in _VOWELS:
        return word[:-1] + "ies"
    return word + ("es" if word.endswith((*_SIBILANTS, "go", "do")) else "s")


def possessive(words: str) -> str:
    """The teacher's, the teachers'."""
    return words + ("'" if words.endswith("s") else "'s")


@dataclass(frozen=True)
class EnglishVerb:
    """A verb by its principal parts; words behind the first one do not change (give up, pay attention)."""

    base: str
    past: str
    participle: str
    tail: str = ""

    def present(self, agreement: Agreement) -> str:
        """The finite form in the present: carry or carries."""
        if self.base == "be":
            return {Agreement.FIRST: "am", Agreement.THIRD: "is", Agreement.PLURAL: "are"}[agreement]
        if agreement is not Agreement.THIRD:
            return self.base
        return "has" if self.base == "have" else s_form(self.base)

    def simple_past(self, agreement: Agreement) -> str:
        """The finite form in the past."""
        return "were" if self.base == "be" and agreement is Agreement.PLURAL else self.past

    @property
    def gerund(self) -> str:
        """The form in -ing."""
        return _stem(self.base) + "ing"

    def phrase(self, form: str) -> str:
        """A form of the verb with the words that belong to it: `gave` -> `gave up`."""
        return f"{form} {self.tail}".rstrip()


def english_verb(entry: str) -> EnglishVerb:
    """Read a dictionary entry: `wear, wore, worn`; `give up, gave, given`; regular: `carry`."""
    phrase, *parts = entry.split(", ")
    base, _, tail = phrase.partition(" ")
    past = parts[0] if parts else _regular_past(base)
    return EnglishVerb(base, past, parts[1] if len(parts) > 1 else past, tail)


def _regular_past(base: str) -> str:
    if base.endswith("y") and base[-2] not in _VOWELS:
        return base[:-1] + "ied"
    return _stem(base) + "ed"


def _stem(word: str) -> str:
    """The form in front of -ed and -ing: a silent e is dropped, a consonant behind one short vowel doubled."""
    if word.endswith("e") and not word.endswith("ee") and word != "be":
        return word[:-1]
    one_vowel = sum(letter in _VOWELS for letter in word) == 1
    doubled = one_vowel and len(word) > 2 and word[-1] not in _VOWELS + "wxy" and word[-2] in _VOWELS
    return word + word[-1] if doubled or word == "forget" else word


BE = EnglishVerb("be", "was", "been")
HAVE = english_verb("have, had")
