"""Clauses: one meaning, and its words in the order of either language (sections `clauses` of grammar.txt)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import NamedTuple

from demotic.corpus.embedded.inflection import Case, EnglishVerb, GermanVerb, english_verb, german_verb
from demotic.corpus.embedded.lexicon import Complement, Frame, read_frame
from demotic.corpus.embedded.phrases import NounPhrase, prepositional
from demotic.corpus.embedded.rules import NOTHING, Pair, table

COPULA = read_frame(*table("copula")[0])
_WERDEN = german_verb("werden, werde wird werden, ist geworden, wurde")
_AUXILIARIES = {"haben": german_verb("haben, habe hat haben"), "sein": COPULA.german}
_BE, _HAVE = COPULA.english, english_verb("have, had, had, has")
_DO, _LIKE = english_verb("do, did, done"), english_verb("like to")
_ORDERS = {
    (language, kind): order.split()
    for language in ("german", "english")
    for kinds, order in table(f"{language} clauses")
    for kind in kinds.split()
}
_QUOTED = {name: name.strip('"') for order in _ORDERS.values() for name in order if name.startswith('"')}


class Object(NamedTuple):
    """A complement that is a noun phrase, or other words that behave like a prepositional phrase."""

    complement: Complement
    phrase: NounPhrase | None
    words: Pair = NOTHING

    def render(self) -> Pair:
        """Both sides; a relative clause is left to the postfield in German."""
        return prepositional(self.complement, self.phrase) if self.phrase else self.words


class Modal(NamedTuple):
    """A modal verb, with what stands for it under negation: a negated `darf` is `must not`."""

    german: GermanVerb
    english: EnglishVerb
    negated: EnglishVerb


@dataclass(frozen=True)
class Clause:
    """Who does what, when and how."""

    subject: NounPhrase
    frame: Frame
    objects: tuple[Object, ...] = ()
    tense: str = "present"  # past, future
    aspect: str = ""  # of the English verb: progressive, perfect, or likes; German leaves it to an adverb
    passive: bool = False
    plain_future: bool = False  # German present, English future: an adverb tells
    modal: Modal | None = None
    negated: bool = False
    nicht: str = ""  # empty when kein in an object negates
    adverbials: dict[str, Pair] = field(default_factory=dict)  # by slot: opener, time, frequency, ...
    time_first: bool = False
    gap: bool = False  # a relative pronoun in front stands for the object

    def plus(self, slot: str, words: Pair) -> Clause:
        """The clause with an adverbial, or with a clause in its postfield."""
        return replace(self, adverbials={**self.adverbials, slot: words})

    def without_front(self) -> Clause:
        """The clause as it can be subordinate: nothing stands in front of its subject."""
        return replace(self.plus("opener", NOTHING), time_first=False)


def realise(clause: Clause, german: str, english: str = "") -> Pair:
    """Both sides of a clause: a statement, a question, ...; `english` names its English order if it differs."""
    return Pair(
        _join(_ORDERS["german", german], _german_slots(clause, german)),
        _join(_ORDERS["english", english or german], _english_slots(clause, english or german)),
    )


def _join(order: list[str], slots: dict[str, str]) -> str:
    """The slots in an order; words in quotes stand for themselves."""
    slots |= _QUOTED
    text = " ".join([slots[name] for name in order if slots.get(name)])
    return text.replace(" ,", ",").replace("can not", "cannot")


def _german_slots(clause: Clause, kind: str) -> dict[str, str]:
    verb, subject = clause.frame.german, clause.subject
    finite, rest = _german_verb_group(clause)
    slots = {name: words.german for name, words in clause.adverbials.items()}
    slots |= {"finite": finite, "verb": rest, "zu": verb.zu_infinitive, "nicht": clause.nicht}
    slots["verb-last"] = rest + finite if rest == verb.prefix else f"{rest} {finite}"
    own = "light-subject" if subject.pronoun else "subject"
    slots[own] = subject.german[Case.NOM] + (subject.relative.german and f", {subject.relative.german},")
    if verb.reflexive is not None:
        slots["pronouns"] = subject.german[verb.reflexive] if subject.first_person else "sich"
    for item in () if clause.gap else clause.objects:
        slot = _field(item)
        slots[slot] = f"{slots.get(slot, '')} {item.render().german}".lstrip()
    if kind == "statement":
        moved = "opener" if slots.get("opener") else "time" if clause.time_first else own
        slots["front"] = slots.pop(moved)
    last = clause.objects[-1].phrase if clause.objects else None
    behind = (last.relative.german if last else "", slots.get("postfield"))
    return slots | {"postfield": "".join(f", {words}" for words in behind if words)}


def _field(item: Object) -> str:
    """Where German puts an object: prepositional and indefinite ones last."""
    if not item.phrase or item.complement.preposition.german:
        return "new"
    if item.phrase.pronoun:
        return "pronouns"
    return "known" if item.phrase.definite or item.complement.case is Case.DAT else "new"


def _german_verb_group(clause: Clause) -> tuple[str, str]:
    """The finite verb, and what stands at the end of the clause."""
    verb, agreement = clause.frame.german, clause.subject.agreement
    nonfinite = f"{verb.participle} werden" if clause.passive else verb.infinitive
    past = clause.tense == "past"
    if clause.modal:
        return clause.modal.german.present[agreement], nonfinite
    if clause.tense == "future" and not clause.plain_future:
        return _WERDEN.present[agreement], nonfinite
    if clause.passive:
        return (_WERDEN.past if past else _WERDEN.present)[agreement], verb.participle
    if past and not verb.past:
        return _AUXILIARIES[verb.auxiliary].present[agreement], verb.participle
    return (verb.past if past else verb.present)[agreement], verb.prefix


def _english_slots(clause: Clause, kind: str) -> dict[str, str]:
    subject, verb = clause.subject, clause.frame.english
    auxiliary, rest = _english_verb_group(clause, kind == "question")
    objects = (item.complement.preposition if clause.gap else item.render() for item in clause.objects)
    slots = {name: words.english for name, words in clause.adverbials.items()}
    slots |= {"auxiliary": auxiliary, "verb": rest, "base": verb.phrase(verb.base)}
    slots |= {"not": "not" if clause.negated else "", "front": slots.get("opener", "")}
    slots["subject"] = f"{subject.nominative or subject.english} {subject.relative.english}".rstrip()
    slots["objects"] = " ".join(filter(None, (words.english for words in objects)))
    if clause.time_first:
        slots["front"] = slots.pop("time")
    return slots


def _english_verb_group(clause: Clause, question: bool) -> tuple[str, str]:
    """The auxiliary, if there is one, and the rest of the verb: (does, carry), (was, carried), ('', carries)."""
    verb, agreement = clause.frame.english, clause.subject.agreement
    base = f"be {verb.phrase(verb.participle)}" if clause.passive else verb.phrase(verb.base)
    past = clause.tense == "past"

    def finite(head: EnglishVerb) -> tuple[str, str]:
        form = (head.past if past else head.present)[agreement]
        if not head.needs_do:
            return form, head.tail
        if clause.negated or question:
            return (_DO.past if past else _DO.present)[agreement], head.phrase(head.base)
        return "", head.phrase(form)

    if clause.tense == "future":
        return "will", base
    if clause.modal or clause.aspect == "likes":
        modal = (clause.modal.negated if clause.negated else clause.modal.english) if clause.modal else _LIKE
        auxiliary, rest = finite(modal)
        return auxiliary, f"{rest} {base}".lstrip()
    if clause.aspect == "perfect":
        return _HAVE.present[agreement], verb.phrase(verb.participle)
    if clause.aspect == "progressive":
        return _BE.present[agreement], verb.phrase(verb.gerund)
    return (finite(_BE)[0], verb.phrase(verb.participle)) if clause.passive else finite(verb)
