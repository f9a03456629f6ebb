"""Sentences: the patterns of section `sentence` of grammar.txt, and what its rules cannot say."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from demotic.corpus.embedded import phrases
from demotic.corpus.embedded.clauses import COPULA, Clause, Object, realise
from demotic.corpus.embedded.compose import (
    TENSES,
    copula_clause,
    some_clause,
    some_objects,
    some_subject,
    with_relative,
)
from demotic.corpus.embedded.inflection import Case
from demotic.corpus.embedded.lexicon import KINDS, NOUNS, PERSON, Frame, Noun, frames_with_subject, read_frame
from demotic.corpus.embedded.phrases import NounPhrase
from demotic.corpus.embedded.rules import Pair, draw, expand, table
from demotic.corpus.embedded.splitmix import SplitMix

_PRESENT_OR_PAST = ("present", "past")
_ASKED_TENSES = [(45, "present"), (45, "past"), (10, "future")]
_SUBJECTS = {"you": phrases.YOU, "who": phrases.WHO}
_THAT_FRAMES = [read_frame(*row) for row in table("that verbs")]
_TO_FRAMES = [read_frame(*row) for row in table("infinitive verbs")]
_VARIANTS = {row[0]: row[1] for row in table("variants")}


def sentence(rng: SplitMix) -> Pair:
    """One sentence pair, with capitals and punctuation."""
    patterns = {name: partial(pattern, rng) for name, pattern in _PATTERNS.items()}
    german, english = expand(rng, "sentence", given=patterns)
    words = [_VARIANTS[word] if word in _VARIANTS and rng.chance(12) else word for word in english.split(" ")]
    english = " ".join(words)
    return Pair(german[0].upper() + german[1:], english[0].upper() + english[1:])


def _clause(rng: SplitMix, kind: str, *plan: str) -> Pair:
    """A clause of a kind by plan: `you:40 asked bare` is about you in 40 of a hundred cases, in a tense that one asks in."""
    subject = None
    for name, _, percent in (word.partition(":") for word in plan):
        if name in _SUBJECTS and (not percent or rng.chance(int(percent))):
            subject = _SUBJECTS[name]
    tense = rng.percent(_ASKED_TENSES) if "asked" in plan else "present" if "present" in plan else ""
    return realise(some_clause(rng, subject, tense, "bare" in plan, "positive" in plan), kind)


def _relative(rng: SplitMix) -> Pair:
    """Der Mann, der den Koffer trägt, ruft die Chefin an."""
    frame = rng.zipf(frames_with_subject(PERSON), 20)
    tense = rng.pick(_PRESENT_OR_PAST)
    subject = some_subject(rng, PERSON)
    objects = some_objects(rng, frame, subject)
    last = objects[-1].phrase
    if subject.noun and rng.chance(50):
        subject = with_relative(rng, subject, frame)
    elif last:
        objects = (*objects[:-1], Object(objects[-1].complement, with_relative(rng, last, frame)))
    return realise(Clause(subject, frame, objects, tense), "statement")


def _description(rng: SplitMix) -> Pair:
    """Der Koffer ist schwer; a homonym only with a relative clause, which tells what it means."""
    noun = phrases.some_noun(rng, KINDS["described"])
    phrase = phrases.phrase_with(rng, "known", noun, plain=True)
    if _is_homonym(noun) or rng.chance(55):
        phrase = with_relative(rng, phrase)
    tense = rng.percent([(75, "present"), (25, "past")])
    return realise(copula_clause(rng, phrase, noun, tense), "statement")


def _is_homonym(noun: Noun) -> bool:
    """Compounds, too: their head decides."""
    heads = [other.singular for other in NOUNS if noun.singular.lower().endswith(other.singular.lower())]
    return len(heads) > len(set(heads))


def _subordination(rng: SplitMix) -> Pair:
    """Der Mann wartet, weil er den Zug verpasst hat; or the other way round."""
    tense = rng.percent(TENSES)
    conjunction = draw(rng, "conjunction", frozenset({tense}))
    reason = conjunction.gives == "reason"
    main = some_clause(rng, tense=tense, bare=True, positive=not reason)
    clause = realise(_subordinate_clause(rng, main, reason), "subordinate").behind(*conjunction.words)
    given = {
        "clause": clause,
        "main": realise(main, "statement"),
        "inverted": realise(main, "question", "statement"),
    }
    return expand(rng, "subordination", given=given)


def _subordinate_clause(rng: SplitMix, main: Clause, reason: bool) -> Clause:
    tense = "past" if main.tense == "past" else "present"
    subject = _person_again(rng, main)
    if reason and rng.chance(22):
        noun = phrases.some_noun(rng, PERSON)
        return copula_clause(rng, subject or phrases.phrase_with(rng, "known", noun, plain=True), noun, tense)
    return some_clause(rng, subject, tense, bare=not reason, positive=not reason).without_front()


def _person_again(rng: SplitMix, main: Clause) -> NounPhrase | None:
    """A pronoun for the subject of the main clause, or None for somebody else."""
    return phrases.refer_back(main.subject) if rng.chance(50) else None


def _that_clause(rng: SplitMix) -> Pair:
    """Die Frau sagt, dass der Mann den Koffer trägt."""
    frame = rng.zipf(_THAT_FRAMES, 4)
    main = _clause_taking(rng, frame)
    tense = "future" if "future" in frame.flags else "past" if main.tense == "past" else ""
    clause = some_clause(rng, _person_again(rng, main), tense, bare=rng.chance(50))
    words = realise(clause.without_front(), "subordinate").behind("dass", "that")
    return realise(main.plus("postfield", words), "statement")


def _infinitive(rng: SplitMix) -> Pair:
    """Das Kind versucht, den Koffer zu tragen."""
    main = _clause_taking(rng, rng.zipf(_TO_FRAMES, 4))
    clause = some_clause(rng, main.subject, "present", bare=True, positive=True)
    return realise(main.plus("postfield", realise(clause, "infinitive")), "statement")


def _clause_taking(rng: SplitMix, frame: Frame) -> Clause:
    subject = some_subject(rng, PERSON)
    tense = rng.pick(_PRESENT_OR_PAST)
    if frame.flags & {"state", "future"}:
        tense = "present"
    return Clause(subject, frame, some_objects(rng, frame, subject), tense)


def _coordination(rng: SplitMix) -> Pair:
    """Der Mann trägt den Koffer, aber die Frau trägt einen Hut."""
    tense = rng.pick(_PRESENT_OR_PAST)
    first, second = (realise(some_clause(rng, tense=tense, bare=True), "statement") for _ in range(2))
    return expand(rng, "coordination", given={"first": first, "second": second})


def _existence(rng: SplitMix) -> Pair:
    """Im Garten gibt es einen Hund."""
    noun = phrases.some_noun(rng, KINDS["found"])
    while _is_homonym(noun):
        noun = phrases.some_noun(rng, KINDS["found"])
    phrase = phrases.phrase_with(rng, "some determiner", noun)
    while phrase.definite:
        phrase = phrases.phrase_with(rng, "some determiner", noun)
    place = expand(rng, "at place")
    german, be = ("gab", COPULA.english.past) if rng.chance(30) else ("gibt", COPULA.english.present)
    given = {"place": place, "is": Pair(german, be[phrase.agreement]), "phrase": phrase.pair(Case.ACC)}
    return expand(rng, "existence", given=given)


_PATTERNS: dict[str, Callable[..., Pair]] = {
    "clause": _clause,
    "relative": _relative,
    "description": _description,
    "subordination": _subordination,
    "that clause": _that_clause,
    "infinitive": _infinitive,
    "coordination": _coordination,
    "existence": _existence,
}
