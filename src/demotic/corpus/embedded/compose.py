"""Clauses by chance: a verb in one of its senses, a subject and objects that fit it, a tense, adverbials."""

from __future__ import annotations

from dataclasses import replace

from demotic.corpus.embedded import phrases
from demotic.corpus.embedded.clauses import COPULA, Clause, Modal, Object, realise
from demotic.corpus.embedded.inflection import Case, determiner_forms, english_verb, german_verb
from demotic.corpus.embedded.lexicon import (
    FRAMES,
    KINDS,
    PERSON,
    Complement,
    Frame,
    Kinds,
    Noun,
    frames_with_object,
    frames_with_subject,
    nouns_of,
    pair,
)
from demotic.corpus.embedded.phrases import NounPhrase
from demotic.corpus.embedded.rules import NOTHING, Given, Pair, draw, expand, fitting, rewrite, table
from demotic.corpus.embedded.splitmix import SplitMix

TENSES = [(48, "present"), (39, "past"), (13, "future")]
_FLAT = 40  # verbs: flatter than nouns, so that every sense of a verb is seen
_MODALS = [
    Modal(german_verb(german), english_verb(english), english_verb(negated))
    for german, english, negated in table("modals")
]


def some_clause(
    rng: SplitMix,
    subject: NounPhrase | None = None,
    tense: str = "",
    bare: bool = False,
    positive: bool = False,
) -> Clause:
    """A clause about a subject (a person if given) in a tense.

    Args:
        rng: source of chance.
        subject: a person; by default one that fits the verb.
        tense: by default any.
        bare: without adverbials and modal verbs, as in questions, infinitives and relative clauses.
        positive: not negated.
    """
    frame = rng.zipf(frames_with_subject(PERSON) if subject else FRAMES, _FLAT)
    subject = subject or some_subject(rng, frame.subject)
    chosen = tense or rng.percent(TENSES)
    if not bare and not tense and frame.can_be_passive and rng.chance(15):
        return _passive_clause(rng, frame, chosen)
    negated = not positive and rng.chance(11)
    objects, nicht = some_objects(rng, frame, subject), ""
    if negated:
        objects, nicht = _negated(rng, objects)
    clause = Clause(subject, frame, objects, chosen, negated=negated, nicht=nicht)
    if bare:
        return clause
    if chosen == "present" and "lasting" not in frame.flags and rng.chance(32):
        clause = replace(clause, modal=rng.zipf(_MODALS, 4))
    return _with_adverbials(rng, clause)


def some_subject(rng: SplitMix, kinds: Kinds) -> NounPhrase:
    """A subject of these kinds; people may be named or be pronouns."""
    person = "person" in kinds
    if person and rng.chance(22):
        return rng.percent(phrases.PRONOUNS)
    if person and rng.chance(12):
        return phrases.proper_name(rng)
    kind = "person" if person and rng.chance(70) else rng.pick(sorted(kinds))
    phrase = phrases.some_phrase(rng, frozenset({kind}))
    return phrases.with_attribute(rng, phrase) if kind == "person" and rng.chance(12) else phrase


def some_objects(rng: SplitMix, frame: Frame, subject: NounPhrase) -> tuple[Object, ...]:
    """What the verb asks for."""
    return tuple(_some_object(rng, complement, frame, subject) for complement in frame.complements)


def _some_object(rng: SplitMix, complement: Complement, frame: Frame, subject: NounPhrase) -> Object:
    if complement.fixed != NOTHING:
        return Object(complement, None, complement.fixed)
    if complement.place:
        kind = rng.pick([kind for kind in ("place", "city") if kind in complement.kinds])
        return Object(complement, None, expand(rng, f"{complement.place} {kind}"))
    person = complement.kinds == PERSON
    if person and not complement.preposition.german and rng.chance(15):
        other = rng.pick([pronoun for pronoun in phrases.THIRD_PERSON if pronoun is not subject])
        if not frame.english.tail:
            return Object(complement, other)
    partner = phrases.spouse(rng, subject.owner) if subject.owner and person and rng.chance(9) else None
    if partner:
        return Object(complement, partner)
    if "person" in complement.kinds and rng.chance(8):
        return Object(complement, phrases.proper_name(rng))
    noun = phrases.some_noun(rng, complement.kinds)
    if subject.noun and noun.singular == subject.noun.singular:
        noun = phrases.some_noun(rng, complement.kinds)  # rarely the same again
    if "plural" in frame.flags:
        phrase = phrases.phrase_with(rng, "indefinite plural", noun)
    else:
        phrase = phrases.phrase_with(rng, "some determiner", noun, subject.owner)
    if phrase.determiner == "der" and not noun.kinds & KINDS["not owned"] and rng.chance(9):
        possessor = phrases.phrase_with(rng, "definite", phrases.some_noun(rng, PERSON))
        phrase = phrases.with_genitive(phrase, possessor)
    elif "person" in noun.kinds and rng.chance(10):
        phrase = phrases.with_attribute(rng, phrase)
    return Object(complement, phrase)


def _negated(rng: SplitMix, objects: tuple[Object, ...]) -> tuple[tuple[Object, ...], str]:
    """Objects with kein and nothing else, or definite ones with nicht."""
    negated, nicht = list(objects), "nicht"
    for i, (complement, phrase, _) in enumerate(objects):
        if complement.case is not Case.ACC or complement.preposition.german:
            continue
        if not phrase or not phrase.noun or phrase.determiner == "mein":
            continue
        noun = phrase.noun
        if noun.plural and rng.chance(45):
            negated[i], nicht = Object(complement, phrases.phrase_with(rng, "negative", noun)), ""
        else:
            negated[i] = Object(complement, phrases.phrase_with(rng, "definite", noun))
    return tuple(negated), nicht


def _passive_clause(rng: SplitMix, frame: Frame, tense: str) -> Clause:
    subject = phrases.some_phrase(rng, frame.complements[0].kinds)
    agent = phrases.some_phrase(rng, PERSON)
    if "person" not in frame.subject:
        agent = phrases.some_phrase(rng, frame.subject)
    by = Object(Complement(Case.DAT, preposition=Pair("von", "by")), agent)
    clause = Clause(subject, frame, (by,), tense, passive=True)
    if tense == "present" and rng.chance(30):
        clause = replace(clause, modal=rng.pick(_MODALS[:2]))
    return _with_time(rng, clause, 30)


def _with_adverbials(rng: SplitMix, clause: Clause) -> Clause:
    """Adverbials that fit; some of them decide the aspect of the English verb."""
    flags = clause.frame.flags
    features = {clause.tense, *flags}
    if clause.modal is None and not clause.negated:
        features |= {"plain"} if "state" in flags else {"plain", "simple"}
    rule = draw(rng, "adverbial", frozenset(features))
    slot, _, aspect = rule.gives.partition(" ")
    if slot:
        clause = replace(clause.plus(slot, rewrite(rng, rule.words)), aspect=aspect)
    if aspect:
        return clause
    crowded = len(clause.objects) > 1 or any(item.phrase is None for item in clause.objects)
    if not clause.negated and not crowded and "state" not in flags and rng.chance(20):
        clause = clause.plus("place", expand(rng, "at place"))
    return _with_time(rng, clause, 45)


def _with_time(rng: SplitMix, clause: Clause, percent: int) -> Clause:
    """A time, a sentence adverb, or neither; a future time lets German say the future with the present."""
    if rng.chance(7):
        return clause.plus("opener", expand(rng, "opener"))
    vague = clause.negated and clause.tense == "present"  # hardly anybody says: every day he does not
    if vague or "frequency" in clause.adverbials or not rng.chance(percent):
        return clause
    clause = replace(clause, time_first=rng.chance(40))
    if clause.tense == "future" and rng.chance(60):
        return replace(clause.plus("time", expand(rng, "future time")), plain_future=rng.chance(75))
    given = {name: expand(rng, name) for name in ("number", "unit")}
    return clause.plus("time", expand(rng, "time", frozenset({clause.tense}), given))


def copula_clause(rng: SplitMix, subject: NounPhrase, noun: Noun, tense: str) -> Clause:
    """Something is as an adjective says, perhaps more so than something else."""
    adjective = rng.zipf(fitting("adjective", noun.kinds), 3)
    (kinds,) = adjective.when
    alike = nouns_of(noun.kinds & kinds)
    others = [other for other in alike if other.singular not in noun.singular]

    def other() -> Pair:
        return phrases.phrase_with(rng, "known", rng.zipf(others, 3), plain=True).pair(Case.NOM)

    comparable = frozenset({"comparable"} if adjective.gives and others else ())
    given: Given = {"quality": adjective.words, "more": pair(adjective.gives), "other": other}
    words = expand(rng, "degree", comparable, given)
    return Clause(subject, COPULA, (Object(Complement(Case.NOM), None, words),), tense)


def with_relative(rng: SplitMix, phrase: NounPhrase, beside: Frame | None = None) -> NounPhrase:
    """The phrase with a clause that says more about it. The verb of this clause may be what tells a homonym's sense.

    Pronouns, names and possessives need no such clause. `beside` is the verb of the main clause, not to be repeated.
    """
    if phrase.noun is None or phrase.determiner == "mein":
        return phrase
    as_subject, as_object = frames_with_subject(phrase.noun.kinds), frames_with_object(phrase.noun.kinds)
    tense = rng.pick(["present", "past"])
    inside = as_subject if as_subject and (not as_object or rng.chance(60)) else as_object
    frame = rng.zipf(inside, _FLAT)
    if beside and beside.german == frame.german:
        return phrase
    pronoun = replace(phrase, german=determiner_forms("relative", "d", phrase.gender), pronoun=True)
    if inside is as_subject:
        pronoun = replace(pronoun, english="who" if "person" in phrase.noun.kinds else "that")
        clause = Clause(pronoun, frame, some_objects(rng, frame, phrase), tense)
        return replace(phrase, relative=realise(clause, "subordinate"))
    (complement,) = frame.complements
    subject = some_subject(rng, frame.subject)
    clause = Clause(subject, frame, (Object(complement, pronoun),), tense, gap=True)
    front = f"{complement.preposition.german} {pronoun.german[complement.case]}".lstrip()
    return replace(phrase, relative=realise(clause, "subordinate").behind(front, "that"))
