"""Sentence patterns: what a person may want to say, each with its German and its English order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from demotic.corpus.embedded.clauses import (
    Clause,
    english_imperative,
    english_infinitive,
    english_question,
    english_statement,
    german_final,
    german_infinitive,
    german_main,
    german_verb_first,
    without_front,
)
from demotic.corpus.embedded.compose import (
    copula_clause,
    frames_with_person,
    person_again,
    some_clause,
    some_objects,
    some_subject,
    some_tense,
    with_relative,
)
from demotic.corpus.embedded.german import Agreement
from demotic.corpus.embedded.lexicon import Frame, Noun, Pair, kinds
from demotic.corpus.embedded.nouns import NOUNS
from demotic.corpus.embedded.phrases import (
    WER,
    YOU,
    NounPhrase,
    noun_phrase,
    plain_noun_phrase,
    some_noun,
    some_place,
)
from demotic.corpus.embedded.splitmix import SplitMix
from demotic.corpus.embedded.verbs import THAT_FRAMES, TO_FRAMES
from demotic.corpus.embedded.words import (
    CONJUNCTIONS,
    COORDINATORS,
    DOUBTS,
    QUESTION_WORDS,
    VARIANTS,
    Conjunction,
    Tense,
)

_PERSON = frozenset({"person"})
_REASONS = ("weil", "wenn", "obwohl")  # other conjunctions tell the time: they want simple clauses
_HOMONYMS = frozenset(
    a.singular for i, a in enumerate(NOUNS) for b in NOUNS[:i] + NOUNS[i + 1 :] if a.singular == b.singular
)
_DESCRIBED = kinds(
    "person animal luggage clothes furniture door sight car device home hard text meal fruit seat"
)
_FOUND = kinds("animal furniture car home lamp")


def sentence(rng: SplitMix) -> Pair:
    """One sentence pair, with capitals and punctuation."""
    german, english = rng.percent(_PATTERNS)(rng)
    english = " ".join(_vary(rng, word) for word in english.split(" "))
    return Pair(german[0].upper() + german[1:], english[0].upper() + english[1:])


def _vary(rng: SplitMix, word: str) -> str:
    return VARIANTS[word] if word in VARIANTS and rng.chance(12) else word


def statement(rng: SplitMix) -> Pair:
    """Der Mann trägt heute den Koffer."""
    clause = some_clause(rng)
    return Pair(f"{german_main(clause)}.", f"{english_statement(clause)}.")


def relative(rng: SplitMix) -> Pair:
    """Der Mann, der den Koffer trägt, ruft die Chefin an."""
    frame = rng.zipf(frames_with_person(), 20)
    tense = rng.pick([Tense.PRESENT, Tense.PAST])
    subject = some_subject(rng, _PERSON)
    objects = some_objects(rng, frame, subject)
    last = objects[-1] if objects else None
    if subject.noun and rng.chance(50):
        subject = with_relative(rng, subject, frame)
    elif last and last.phrase:
        objects = (*objects[:-1], replace(last, phrase=with_relative(rng, last.phrase, frame)))
    clause = Clause(subject, frame.german, frame.english, objects, tense)
    return Pair(f"{german_main(clause)}.", f"{english_statement(clause)}.")


def description(rng: SplitMix) -> Pair:
    """Der Koffer ist schwer; a homonym only with a relative clause, which tells what it means."""
    noun = some_noun(rng, _DESCRIBED)
    phrase = plain_noun_phrase(rng, noun)
    if _is_homonym(noun) or rng.chance(55):
        phrase = with_relative(rng, phrase)
    tense = rng.percent([(75, Tense.PRESENT), (25, Tense.PAST)])
    clause = copula_clause(rng, phrase, noun, tense)
    return Pair(f"{german_main(clause)}.", f"{english_statement(clause)}.")


def _is_homonym(noun: Noun) -> bool:
    """Compounds, too: their head decides."""
    return any(noun.singular.lower().endswith(word.lower()) for word in _HOMONYMS)


def subordinate(rng: SplitMix) -> Pair:
    """Der Mann wartet, weil er den Zug verpasst hat; or the other way round."""
    tense = some_tense(rng)
    conjunction = rng.zipf([c for c in CONJUNCTIONS if tense in c.tenses], 2)
    reason = conjunction.words.german in _REASONS
    main = some_clause(rng, tense=tense, bare=True, positive=not reason)
    german, english = _subordinate_clause(rng, conjunction, main)
    if rng.chance(35):
        return Pair(f"{german}, {german_verb_first(main)}.", f"{english}, {english_statement(main)}.")
    return Pair(f"{german_main(main)}, {german}.", f"{english_statement(main)} {english}.")


def _subordinate_clause(rng: SplitMix, conjunction: Conjunction, main: Clause) -> Pair:
    tense = Tense.PAST if main.tense is Tense.PAST else Tense.PRESENT
    subject = person_again(rng, main.subject)
    reason = conjunction.words.german in _REASONS
    if reason and rng.chance(22):
        clause = _state_of_somebody(rng, subject, tense)
    else:
        clause = some_clause(rng, subject, tense, bare=not reason, positive=not reason)
        clause = without_front(clause)
    german = german_final(clause, conjunction.words.german)
    return Pair(german, f"{conjunction.words.english} {english_statement(clause)}")


def _state_of_somebody(rng: SplitMix, subject: NounPhrase | None, tense: Tense) -> Clause:
    noun = some_noun(rng, _PERSON)
    return copula_clause(rng, subject or plain_noun_phrase(rng, noun), noun, tense)


def that_clause(rng: SplitMix) -> Pair:
    """Die Frau sagt, dass der Mann den Koffer trägt."""
    frame = rng.zipf(THAT_FRAMES, 4)
    main = _clause_taking(rng, frame)
    tense = Tense.FUTURE if "future" in frame.flags else Tense.PAST if main.tense is Tense.PAST else None
    clause = without_front(some_clause(rng, person_again(rng, main.subject), tense, bare=rng.chance(50)))
    main = replace(main, postfield=Pair(german_final(clause, "dass"), f"that {english_statement(clause)}"))
    return Pair(f"{german_main(main)}.", f"{english_statement(main)}.")


def infinitive(rng: SplitMix) -> Pair:
    """Das Kind versucht, den Koffer zu tragen."""
    main = _clause_taking(rng, rng.zipf(TO_FRAMES, 4))
    clause = some_clause(rng, main.subject, Tense.PRESENT, bare=True, positive=True)
    main = replace(main, postfield=Pair(german_infinitive(clause), english_infinitive(clause)))
    return Pair(f"{german_main(main)}.", f"{english_statement(main)}.")


def _clause_taking(rng: SplitMix, frame: Frame) -> Clause:
    subject = some_subject(rng, _PERSON)
    tense = rng.pick([Tense.PRESENT, Tense.PAST])
    if frame.flags & {"state", "future"}:
        tense = Tense.PRESENT
    return Clause(subject, frame.german, frame.english, some_objects(rng, frame, subject), tense)


def yes_no_question(rng: SplitMix) -> Pair:
    """Trägt der Mann den Koffer?"""
    clause = some_clause(rng, YOU if rng.chance(40) else None, _asked_tense(rng), bare=True)
    return Pair(f"{german_verb_first(clause)}?", f"{english_question(clause)}?")


def open_question(rng: SplitMix) -> Pair:
    """Warum trägt der Mann den Koffer? Wer trägt den Koffer?"""
    if rng.chance(30):
        clause = some_clause(rng, WER, _asked_tense(rng), bare=True)
        return Pair(f"{german_main(clause)}?", f"{english_statement(clause)}?")
    word = rng.zipf(QUESTION_WORDS, 2)
    clause = some_clause(rng, YOU if rng.chance(30) else None, _asked_tense(rng), bare=True)
    return Pair(f"{german_verb_first(clause, word.german)}?", f"{english_question(clause, word.english)}?")


def embedded_question(rng: SplitMix) -> Pair:
    """Ich weiß nicht, ob der Mann den Koffer trägt."""
    doubt = rng.zipf(DOUBTS, 2)
    word = Pair("ob", "whether") if rng.chance(50) else rng.zipf(QUESTION_WORDS, 2)
    clause = some_clause(rng, tense=_asked_tense(rng), bare=True)
    english = f"{doubt.english} {word.english} {english_statement(clause)}"
    return Pair(f"{doubt.german}, {german_final(clause, word.german)}.", f"{english}.")


def _asked_tense(rng: SplitMix) -> Tense:
    return rng.percent([(45, Tense.PRESENT), (45, Tense.PAST), (10, Tense.FUTURE)])


def request(rng: SplitMix) -> Pair:
    """Tragen Sie bitte den Koffer!"""
    clause = some_clause(rng, YOU, Tense.PRESENT, bare=True, positive=True)
    clause = replace(clause, frequency=Pair("bitte", ""))
    return Pair(f"{german_verb_first(clause)}!", f"{english_imperative(clause)}!")


def coordination(rng: SplitMix) -> Pair:
    """Der Mann trägt den Koffer, aber die Frau trägt einen Hut."""
    tense = rng.pick([Tense.PRESENT, Tense.PAST])
    first, second = some_clause(rng, tense=tense, bare=True), some_clause(rng, tense=tense, bare=True)
    word = rng.zipf(COORDINATORS, 2)
    comma = "" if word.german == "und" else ","
    english_comma = "" if word.english == "because" else ","
    return Pair(
        f"{german_main(first)}{comma} {word.german} {german_main(second)}.",
        f"{english_statement(first)}{english_comma} {word.english} {english_statement(second)}.",
    )


def existence(rng: SplitMix) -> Pair:
    """Im Garten gibt es einen Hund."""
    noun = some_noun(rng, _FOUND)
    while _is_homonym(noun):
        noun = some_noun(rng, _FOUND)
    phrase = noun_phrase(rng, noun)
    while phrase.definite:
        phrase = noun_phrase(rng, noun)
    place = some_place(rng, direction=False)
    plural, past = phrase.agreement is Agreement.PLURAL, rng.chance(30)
    german = f"{place.german} {'gab' if past else 'gibt'} es {phrase.in_case('acc')}."
    be = ("were" if plural else "was") if past else ("are" if plural else "is")
    return Pair(german, f"there {be} {phrase.english} {place.english}.")


_PATTERNS: list[tuple[int, Callable[[SplitMix], Pair]]] = [
    (34, statement),
    (14, relative),
    (6, description),
    (15, subordinate),
    (9, that_clause),
    (5, infinitive),
    (4, yes_no_question),
    (3, open_question),
    (3, embedded_question),
    (2, request),
    (3, coordination),
    (2, existence),
]
