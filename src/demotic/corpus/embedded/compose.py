"""Clauses by chance: a verb in one of its senses, a subject and objects that fit it, a tense, adverbials."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from demotic.corpus.embedded.clauses import (
    Aspect,
    Clause,
    Object,
    english_statement,
    german_final,
)
from demotic.corpus.embedded.english import BE
from demotic.corpus.embedded.german import RELATIVE, SEIN, Determiner
from demotic.corpus.embedded.lexicon import NOTHING, Complement, Frame, Noun, Pair
from demotic.corpus.embedded.phrases import (
    ER,
    ICH,
    NOT_OWNED,
    SHE,
    THEY,
    WIR,
    NounPhrase,
    adjectives_of,
    definite_noun_phrase,
    fixed,
    negated_noun_phrase,
    noun_phrase,
    nouns_of,
    place_complement,
    plain_noun_phrase,
    plural_noun_phrase,
    proper_name,
    refer_back,
    some_noun,
    some_person,
    some_place,
    spouse,
    with_attribute,
    with_genitive,
)
from demotic.corpus.embedded.splitmix import SplitMix
from demotic.corpus.embedded.verbs import FRAMES
from demotic.corpus.embedded.words import (
    FREQUENCIES,
    FUTURE_TIMES,
    MANNERS,
    MODALS,
    NUMBERS,
    OPENERS,
    POINTS,
    TIMES,
    UNITS,
    Tense,
)

_FLAT = 40  # verbs: flatter than nouns, so that every sense of a verb is seen
_PERSON = frozenset({"person"})


def some_clause(
    rng: SplitMix,
    subject: NounPhrase | None = None,
    tense: Tense | None = None,
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
    frame = rng.zipf(frames_with_person() if subject else FRAMES, _FLAT)
    subject = subject or some_subject(rng, frame.subject)
    chosen = tense or some_tense(rng)
    if not bare and tense is None and can_be_passive(frame) and rng.chance(15):
        return _passive_clause(rng, frame, chosen)
    negated = not positive and rng.chance(11)
    objects, nicht = (
        _negated_objects(rng, frame, subject) if negated else (some_objects(rng, frame, subject), "")
    )
    has_modal = not bare and chosen is Tense.PRESENT and "lasting" not in frame.flags and rng.chance(32)
    modal = rng.zipf(MODALS, 4) if has_modal else None
    clause = Clause(
        subject, frame.german, frame.english, objects, chosen, modal=modal, negated=negated, nicht=nicht
    )
    return clause if bare else _with_adverbials(rng, clause, frame)


@cache
def frames_with_person() -> tuple[Frame, ...]:
    """Verbs that a person can be the subject of."""
    return tuple(frame for frame in FRAMES if "person" in frame.subject)


def can_be_passive(frame: Frame) -> bool:
    """Verbs with an accusative and nothing else."""
    only = len(frame.complements) == 1 and frame.object is not None
    return only and not frame.flags & {"state", "nopassive"} and frame.english.tail != "for"


def some_tense(rng: SplitMix) -> Tense:
    """Present, past or future."""
    return rng.percent([(48, Tense.PRESENT), (39, Tense.PAST), (13, Tense.FUTURE)])


def some_subject(rng: SplitMix, kinds: frozenset[str]) -> NounPhrase:
    """A subject of these kinds; people may be named or be pronouns."""
    if "person" in kinds:
        if rng.chance(22):
            return rng.percent([(18, ICH), (25, ER), (28, SHE), (11, WIR), (18, THEY)])
        if rng.chance(12):
            return proper_name(rng)
    kind = "person" if "person" in kinds and rng.chance(70) else rng.pick(sorted(kinds))
    phrase = noun_phrase(rng, some_noun(rng, frozenset({kind})))
    return with_attribute(rng, phrase) if kind == "person" and rng.chance(12) else phrase


def some_objects(rng: SplitMix, frame: Frame, subject: NounPhrase) -> tuple[Object, ...]:
    """What the verb asks for."""
    return tuple(_some_object(rng, complement, frame, subject) for complement in frame.complements)


def _some_object(rng: SplitMix, complement: Complement, frame: Frame, subject: NounPhrase) -> Object:
    if complement.fixed:
        return Object(words=complement.fixed)
    if complement.place:
        return Object(words=place_complement(rng, complement))
    if complement.kinds == _PERSON and not complement.preposition.german and rng.chance(15):
        other = rng.pick([p for p in (ER, SHE, THEY) if p is not subject])
        if not frame.english.tail:
            return Object(complement.case, other, complement.preposition)
    partner = (
        spouse(rng, subject.owner)
        if subject.owner and complement.kinds == _PERSON and rng.chance(9)
        else None
    )
    if partner:
        return Object(complement.case, partner, complement.preposition)
    if "person" in complement.kinds and rng.chance(8):
        return Object(complement.case, proper_name(rng), complement.preposition)
    noun = some_noun(rng, complement.kinds)
    if subject.noun and noun.singular == subject.noun.singular:
        noun = some_noun(rng, complement.kinds)  # rarely the same again
    if "plural" in frame.flags:
        phrase = plural_noun_phrase(rng, noun)
    else:
        phrase = noun_phrase(rng, noun, subject.owner)
    if phrase.determiner is Determiner.DEFINITE and not noun.kinds & NOT_OWNED and rng.chance(9):
        phrase = with_genitive(phrase, definite_noun_phrase(rng, some_noun(rng, _PERSON)))
    elif "person" in noun.kinds and rng.chance(10):
        phrase = with_attribute(rng, phrase)
    return Object(complement.case, phrase, complement.preposition)


def _negated_objects(rng: SplitMix, frame: Frame, subject: NounPhrase) -> tuple[tuple[Object, ...], str]:
    """Objects with kein and nothing else, or definite ones with nicht."""
    objects, nicht = list(some_objects(rng, frame, subject)), "nicht"
    for i, item in enumerate(objects):
        phrase = item.phrase
        if not phrase or not phrase.noun or not item.is_bare or item.case != "acc":
            continue
        if phrase.determiner is Determiner.POSSESSIVE:
            continue
        if phrase.noun.plural and rng.chance(45):
            objects[i], nicht = replace(item, phrase=negated_noun_phrase(rng, phrase.noun)), ""
        else:
            objects[i] = replace(item, phrase=definite_noun_phrase(rng, phrase.noun))
    return tuple(objects), nicht


def _passive_clause(rng: SplitMix, frame: Frame, tense: Tense) -> Clause:
    assert frame.object is not None
    subject = noun_phrase(rng, some_noun(rng, frame.object.kinds))
    agent = Object("dat", some_person(rng), Pair("von", "by"))
    if "person" not in frame.subject:
        agent = replace(agent, phrase=noun_phrase(rng, some_noun(rng, frame.subject)))
    clause = Clause(subject, frame.german, frame.english, (agent,), tense, passive=True)
    if tense is Tense.PRESENT and rng.chance(30):
        clause = replace(clause, modal=rng.pick(MODALS[:2]))
    return _with_time(rng, clause, 30)


def _with_adverbials(rng: SplitMix, clause: Clause, frame: Frame) -> Clause:
    """Adverbials that fit; some of them decide the aspect of the English verb."""
    simple = clause.modal is None and not clause.negated and "state" not in frame.flags
    present, past = clause.tense is Tense.PRESENT, clause.tense is Tense.PAST
    if simple and present and "lasting" in frame.flags and rng.chance(75):
        return replace(clause, time=_since(rng), aspect=Aspect.PERFECT)
    if simple and present and rng.chance(18):
        return replace(clause, frequency=Pair("gerade", ""), aspect=Aspect.PROGRESSIVE)
    if simple and past and rng.chance(14):
        return replace(clause, frequency=Pair("schon", "already"), aspect=Aspect.PERFECT)
    if simple and present and rng.chance(10):
        return replace(clause, manner=Pair("gern", ""), likes=True)
    if not clause.negated and clause.modal is None and rng.chance(13):
        clause = replace(clause, frequency=rng.zipf(FREQUENCIES, 2))
    elif simple and rng.chance(7):
        clause = replace(clause, manner=rng.zipf(MANNERS, 2))
    crowded = len(clause.objects) > 1 or any(item.phrase is None for item in clause.objects)
    if not clause.negated and not crowded and "state" not in frame.flags and rng.chance(20):
        clause = replace(clause, place=some_place(rng, direction=False))
    return _with_time(rng, clause, 45)


def _with_time(rng: SplitMix, clause: Clause, percent: int) -> Clause:
    """A time, a sentence adverb, or neither; a future time lets German say the future with the present."""
    if rng.chance(7):
        return replace(clause, opener=rng.zipf(OPENERS, 2))
    vague = clause.negated and clause.tense is Tense.PRESENT  # hardly anybody says: every day he does not
    if vague or clause.frequency is not NOTHING or not rng.chance(percent):
        return clause
    clause = replace(clause, time_first=rng.chance(40))
    if clause.tense is Tense.FUTURE and rng.chance(60):
        return replace(clause, time=_future_time(rng), plain_future=rng.chance(75))
    return replace(clause, time=some_time(rng, clause.tense))


def some_time(rng: SplitMix, tense: Tense) -> Pair:
    """When it happens."""
    number, unit = rng.zipf(NUMBERS, 2), rng.zipf(UNITS, 2)
    if tense is Tense.PAST and rng.chance(30):
        return Pair(f"vor {number.german} {unit.german}", f"{number.english} {unit.english} ago")
    if tense is Tense.PAST and rng.chance(6):
        year = 1960 + 10 * rng.below(6)
        return Pair(f"im Jahr {year}", f"in {year}")
    if rng.chance(10):
        return Pair(f"um {number.german} Uhr", f"at {number.english} o'clock")
    return rng.zipf(TIMES[tense], 2)


def _future_time(rng: SplitMix) -> Pair:
    if rng.chance(25):
        number, unit = rng.zipf(NUMBERS, 2), rng.zipf(UNITS, 2)
        return Pair(f"in {number.german} {unit.german}", f"in {number.english} {unit.english}")
    return rng.zipf(FUTURE_TIMES, 1)


def _since(rng: SplitMix) -> Pair:
    if rng.chance(45):
        point = rng.zipf(POINTS, 2)
        return Pair(f"seit {point.german}", f"since {point.english}")
    number, unit = rng.zipf(NUMBERS, 2), rng.zipf(UNITS, 2)
    return Pair(f"seit {number.german} {unit.german}", f"for {number.english} {unit.english}")


def copula_clause(rng: SplitMix, subject: NounPhrase, noun: Noun, tense: Tense) -> Clause:
    """Something is as an adjective says, perhaps more so than something else."""
    adjectives = adjectives_of(noun.kinds)
    entry = rng.zipf(adjectives, 3)
    words = Pair(entry.german, entry.english)
    others = [other for other in nouns_of(entry.kinds & noun.kinds) if other.singular not in noun.singular]
    if entry.german_comparative and others and rng.chance(35):
        other = plain_noun_phrase(rng, rng.zipf(others, 3))
        german = f"{entry.german_comparative} als {other.in_case('nom')}"
        words = Pair(german, f"{entry.english_comparative} than {other.english}")
    elif rng.chance(40):
        words = Pair(f"sehr {entry.german}", f"very {entry.english}")
    return Clause(subject, SEIN, BE, (Object(words=words),), tense)


def with_relative(rng: SplitMix, phrase: NounPhrase, beside: Frame | None = None) -> NounPhrase:
    """The phrase with a clause that says more about it. The verb of this clause may be what tells a homonym's sense.

    Pronouns, names and possessives need no such clause. `beside` is the verb of the main clause, not to be repeated.
    """
    if phrase.noun is None or phrase.determiner is Determiner.POSSESSIVE:
        return phrase
    as_subject, as_object = _frames_around(phrase.noun.kinds)
    tense = rng.pick([Tense.PRESENT, Tense.PAST])
    inside = as_subject if as_subject and (not as_object or rng.chance(60)) else as_object
    frame = rng.zipf(inside, _FLAT)
    if beside and beside.german == frame.german:
        return phrase
    build = _subject_relative if inside is as_subject else _object_relative
    return replace(phrase, relative=build(rng, phrase, frame, tense))


@cache
def _frames_around(kinds: frozenset[str]) -> tuple[tuple[Frame, ...], tuple[Frame, ...]]:
    """The frames where a noun of these kinds is the subject, and those where it is the only complement."""
    as_object = tuple(
        frame
        for frame in FRAMES
        if len(frame.complements) == 1 and frame.complements[0].kinds & kinds and "plural" not in frame.flags
    )
    return tuple(frame for frame in FRAMES if frame.subject & kinds), as_object


def _subject_relative(rng: SplitMix, phrase: NounPhrase, frame: Frame, tense: Tense) -> Pair:
    assert phrase.noun is not None
    english = "who" if "person" in phrase.noun.kinds else "that"
    pronoun = replace(
        phrase, in_case=fixed(RELATIVE[phrase.gender]), english=english, nominative="", relative=None
    )
    clause = Clause(pronoun, frame.german, frame.english, some_objects(rng, frame, phrase), tense)
    return Pair(german_final(clause, pronoun.in_case("nom"), without_subject=True), english_statement(clause))


def _object_relative(rng: SplitMix, phrase: NounPhrase, frame: Frame, tense: Tense) -> Pair:
    complement = frame.complements[0]
    pronoun = replace(phrase, in_case=fixed(RELATIVE[phrase.gender]), relative=None)
    gap = Object(complement.case, pronoun, complement.preposition)
    subject = some_subject(rng, frame.subject)
    clause = Clause(subject, frame.german, frame.english, (gap,), tense, gap=0)
    front = f"{complement.preposition.german} {pronoun.in_case(complement.case)}".strip()
    return Pair(german_final(clause, front), f"that {english_statement(clause)}")


def person_again(rng: SplitMix, phrase: NounPhrase) -> NounPhrase | None:
    """A pronoun for the person, or None for somebody else."""
    return refer_back(phrase) if rng.chance(50) else None
