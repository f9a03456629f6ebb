"""Clauses: one meaning, and the orders in which the two languages put its words.

German follows the topological model: prefield, finite verb, middle field, the rest of the verb, postfield. In a subordinate
clause the finite verb goes to the end.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from demotic.corpus.embedded.english import BE, HAVE, EnglishVerb, english_verb
from demotic.corpus.embedded.german import HABEN, REFLEXIVES, SEIN, WERDEN, Agreement, Case, GermanVerb
from demotic.corpus.embedded.lexicon import NOTHING, Pair
from demotic.corpus.embedded.phrases import WIR, NounPhrase, prepositional
from demotic.corpus.embedded.words import Modal, Tense

COMMA = ","


class Aspect(Enum):
    """How English sees the verb. German leaves it to an adverb: gerade, schon, seit."""

    SIMPLE = "simple"
    PROGRESSIVE = "progressive"
    PERFECT = "perfect"


@dataclass(frozen=True)
class Object:
    """A complement that is a noun phrase, or other words that behave like a prepositional phrase."""

    case: Case = "acc"
    phrase: NounPhrase | None = None
    preposition: Pair = NOTHING
    words: Pair = NOTHING

    @property
    def is_bare(self) -> bool:
        """A noun phrase without a preposition."""
        return self.phrase is not None and not self.preposition.german

    def render(self) -> Pair:
        """Both sides; a relative clause is left to the postfield in German."""
        if self.phrase is None:
            return self.words
        if self.preposition.german:
            return prepositional(self.preposition, self.case, self.phrase)
        english = f"{self.preposition.english} {self.phrase.english_object}".strip()
        return Pair(self.phrase.in_case(self.case), english)


@dataclass(frozen=True)
class Clause:
    """Who does what, when and how. Adverbials are pairs of words, `NOTHING` where there is none."""

    subject: NounPhrase
    german: GermanVerb
    english: EnglishVerb
    objects: tuple[Object, ...] = ()
    tense: Tense = Tense.PRESENT
    aspect: Aspect = Aspect.SIMPLE
    passive: bool = False
    plain_future: bool = False  # German present, English future: an adverb tells
    modal: Modal | None = None
    negated: bool = False
    nicht: str = ""  # nicht; empty when kein in an object negates
    opener: Pair = NOTHING  # in front of everything
    time: Pair = NOTHING
    time_first: bool = False
    frequency: Pair = NOTHING
    manner: Pair = NOTHING
    place: Pair = NOTHING
    postfield: Pair = NOTHING
    likes: bool = False  # gern: an adverb in German, a verb in English
    gap: int = -1  # the object that a relative pronoun in front stands for


def without_front(clause: Clause) -> Clause:
    """The clause as it can be subordinate: nothing stands in front of its subject."""
    return replace(clause, opener=NOTHING, time_first=False)


# German


def german_main(clause: Clause) -> str:
    """Verb second."""
    finite, rest = _verbal_complex(clause)
    if clause.opener.german:
        front, middle = clause.opener.german, _middle_field(clause)
    elif clause.time_first:
        front, middle = clause.time.german, _middle_field(clause, without_time=True)
    else:
        front, middle = _german_subject(clause), _middle_field(clause, without_subject=True)
    return _join(front, finite, *middle, *rest, _after(clause))


def german_verb_first(clause: Clause, front: str = "") -> str:
    """Verb first: a question or request, or what follows a question word or clause that fills the prefield."""
    finite, rest = _verbal_complex(clause)
    return _join(front, finite, *_middle_field(clause), *rest, _after(clause))


def german_final(clause: Clause, conjunction: str, without_subject: bool = False) -> str:
    """Verb last, behind a conjunction or a relative pronoun (which may be the subject)."""
    finite, rest = _verbal_complex(clause)
    middle = _middle_field(clause, without_subject=without_subject)
    end = [clause.german.prefix + finite] if rest == [clause.german.prefix] else [*rest, finite]
    return _join(conjunction, *middle, *end, _after(clause))


def german_infinitive(clause: Clause) -> str:
    """With zu and no subject."""
    middle = _middle_field(clause, without_subject=True)
    return _join(*middle, clause.german.zu_infinitive, _after(clause))


def _verbal_complex(clause: Clause) -> tuple[str, list[str]]:
    """The finite verb, and what stands at the end of the clause."""
    verb, agreement = clause.german, clause.subject.agreement
    nonfinite = f"{verb.whole_participle} werden" if clause.passive else verb.whole_infinitive
    if clause.modal:
        return clause.modal.german.present(agreement), [nonfinite]
    if clause.tense is Tense.FUTURE and not clause.plain_future:
        return WERDEN.present(agreement), [nonfinite]
    past = clause.tense is Tense.PAST
    if clause.passive:
        return WERDEN.past(agreement) if past else WERDEN.present(agreement), [verb.whole_participle]
    if not past:
        return verb.present(agreement), [verb.prefix]
    if verb.preterite:
        return verb.past(agreement), [verb.prefix]
    auxiliary = SEIN if verb.auxiliary == "sein" else HABEN
    return auxiliary.present(agreement), [verb.whole_participle]


def _german_subject(clause: Clause) -> str:
    relative = clause.subject.relative
    return clause.subject.in_case("nom") + (f"{COMMA} {relative.german}{COMMA}" if relative else "")


def _middle_field(clause: Clause, without_subject: bool = False, without_time: bool = False) -> list[str]:
    """Pronouns first, then what is known, then `nicht`, then what is new."""
    subject = "" if without_subject else _german_subject(clause)
    light = clause.subject.pronoun
    known, new = [], []
    pronouns = [_reflexive(clause)]
    for i, item in enumerate(clause.objects):
        words = item.render().german
        if i == clause.gap:
            continue
        if item.phrase and item.is_bare and item.phrase.pronoun:
            pronouns.append(words)
        elif item.phrase and item.is_bare and (item.phrase.definite or item.case == "dat"):
            known.append(words)
        else:
            new.append(words)
    return [
        subject if light else "",
        *pronouns,
        "" if light else subject,
        "" if without_time else clause.time.german,
        clause.frequency.german,
        *known,
        clause.nicht,
        clause.manner.german,
        clause.place.german,
        *new,
    ]


def _reflexive(clause: Clause) -> str:
    if not clause.german.reflexive:
        return ""
    third = clause.subject.agreement is Agreement.PLURAL and clause.subject is not WIR
    agreement = Agreement.THIRD if third else clause.subject.agreement
    return REFLEXIVES[clause.german.reflexive][agreement]


def _after(clause: Clause) -> str:
    """The postfield: a relative clause of the last object, or a clause that the verb asks for."""
    last = clause.objects[-1].phrase if clause.objects else None
    relative = f"{COMMA} {last.relative.german}" if last and last.relative else ""
    return relative + (f"{COMMA} {clause.postfield.german}" if clause.postfield.german else "")


# English


def english_statement(clause: Clause, subject: str | None = None) -> str:
    """Subject, verb, objects, manner, place, time; `subject` replaces the subject (a relative pronoun, or nothing)."""
    auxiliary, main = _verb_group(clause, question=False)
    who = clause.subject.english_subject if subject is None else subject
    first = clause.opener.english or (clause.time.english if clause.time_first else "")
    comma = COMMA if first in _COMMA_OPENERS else ""
    return _join(
        first + comma, who, auxiliary, _not(clause), clause.frequency.english, main, *_english_rest(clause)
    )


def english_question(clause: Clause, question_word: str = "") -> str:
    """Auxiliary before the subject."""
    auxiliary, main = _verb_group(clause, question=True)
    who = clause.subject.english_subject
    negation = _not(clause)
    return _join(
        question_word, auxiliary, who, negation, clause.frequency.english, main, *_english_rest(clause)
    )


def english_infinitive(clause: Clause) -> str:
    """With to and no subject."""
    return _join("to", clause.english.phrase(clause.english.base), *_english_rest(clause))


def english_imperative(clause: Clause) -> str:
    """Please carry the suitcase."""
    return _join("please", clause.english.phrase(clause.english.base), *_english_rest(clause))


_COMMA_OPENERS = ("unfortunately", "nevertheless", "of course")


_LIKE = english_verb("like to")


def _not(clause: Clause) -> str:
    return "not" if clause.negated else ""


def _english_rest(clause: Clause) -> list[str]:
    objects = [item.render().english for i, item in enumerate(clause.objects) if i != clause.gap]
    if clause.gap >= 0:
        objects.insert(clause.gap, clause.objects[clause.gap].preposition.english)
    time = "" if clause.time_first else clause.time.english
    return [*objects, clause.manner.english, clause.place.english, clause.postfield.english, time]


def _verb_group(clause: Clause, question: bool) -> tuple[str, str]:
    """The auxiliary, if there is one, and the rest of the verb: (does, carry), (was, carried), ('', carries)."""
    verb, agreement = clause.english, clause.subject.agreement
    base = f"be {verb.phrase(verb.participle)}" if clause.passive else verb.phrase(verb.base)
    if clause.modal:
        return _modal_group(clause.modal, base, agreement, clause.negated, question)
    if clause.tense is Tense.FUTURE:
        return "will", base
    past = clause.tense is Tense.PAST
    if clause.aspect is Aspect.PERFECT:
        return HAVE.present(agreement), verb.phrase(verb.participle)
    if clause.aspect is Aspect.PROGRESSIVE:
        return BE.present(agreement), verb.phrase(verb.gerund)
    if clause.passive or verb.base == "be":
        finite = BE.simple_past(agreement) if past else BE.present(agreement)
        return finite, verb.phrase(verb.participle) if clause.passive else verb.tail
    do = clause.negated or question
    if clause.likes:
        finite, like = _with_do(_LIKE, agreement, past, do)
        return finite, f"{like} {base}"
    return _with_do(verb, agreement, past, do)


def _modal_group(
    modal: Modal, base: str, agreement: Agreement, negated: bool, question: bool
) -> tuple[str, str]:
    auxiliary, verb = modal.auxiliary, modal.verb
    if negated or (question and modal.negated_verb):
        auxiliary, verb = modal.negated_auxiliary, modal.negated_verb
    if verb:
        finite, rest = _with_do(verb, agreement, past=False, do=negated or question)
        return finite, f"{rest} {base}"
    first, _, rest = auxiliary.partition(" ")
    return first, f"{rest} {base}".lstrip()


def _with_do(verb: EnglishVerb, agreement: Agreement, past: bool, do: bool) -> tuple[str, str]:
    if do:
        finite = "did" if past else "does" if agreement is Agreement.THIRD else "do"
        return finite, verb.phrase(verb.base)
    return "", verb.phrase(verb.simple_past(agreement) if past else verb.present(agreement))


def _join(*words: str) -> str:
    text = " ".join(word for word in words if word)
    return text.replace(f" {COMMA}", COMMA).replace("can not", "cannot")
