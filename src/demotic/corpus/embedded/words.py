"""Adjectives, modal verbs, adverbs, conjunctions and numbers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from demotic.corpus.embedded.english import EnglishVerb, english_verb
from demotic.corpus.embedded.german import GermanVerb, german_verb
from demotic.corpus.embedded.lexicon import Adjective, Pair, kinds, rows

# One German adjective, several senses: the noun decides (schwerer Koffer, schwere Prüfung).
_ADJECTIVES = """
alt, älter               | old, older                | adult animal seat furniture paintable door sight car bicycle clothes device home cloth rug cart
schwer, schwerer         | heavy, heavier            | luggage cart device
schwer, schwerer         | difficult, more difficult | hard
neu                      | new                       | seat furniture door car bicycle clothes device home lock tap luggage plan law text movie song
groß, größer             | big, bigger               | animal luggage furniture sight home cloth plan map prize company paintable street
groß, größer             | tall, taller              | person
klein, kleiner           | small, smaller            | animal luggage furniture sight home paintable seat bulb screw gift fruit mistake company
leicht, leichter         | light, lighter            | luggage clothes bicycle
leicht, leichter         | easy, easier              | hard
jung, jünger             | young, younger            | person animal
falsch                   | wrong                     | transport key map bulb decision street tool
falsch                   | false                     | promise
rot                      | red                       | clothes car paintable lamp bicycle flower seat cloth
freundlich, freundlicher | friendly, friendlier      | person animal
süß                      | sweet                     | fruit sweet
süß                      | cute                      | animal
teuer, teurer            | expensive, more expensive | clothes car device furniture gift meal booking ware
dick                     | fat                       | animal
dick                     | thick                     | cloth text rug
lang, länger             | long, longer              | speech text song queue appointment parade movie
berühmt, berühmter       | famous, more famous       | adult sight song movie band
wichtig, wichtiger       | important, more important | appointment decision contract question plan law speech exam
schön, schöner           | beautiful, more beautiful | sight clothes flower gift map song photo home
müde                     | tired                     | person animal
kaputt                   | broken                    | device tap lock bulb seat bicycle lamp
hart                     | hard                      | seat
hart                     | tough                     | decision game
grün                     | green                     | clothes paintable seat fruit bicycle
reich, reicher           | rich, richer              | adult
warm, wärmer             | warm, warmer              | clothes meal cloth
billig, billiger         | cheap, cheaper            | clothes booking ware
klug, klüger             | smart, smarter            | person animal plan
frisch                   | fresh                     | fruit meal
geheim                   | secret                    | plan contract text
blau                     | blue                      | clothes car paintable lamp cloth
ruhig, ruhiger           | quiet, quieter            | street home
dunkel                   | dark                      | street clothes
"""


def _adjective(cells: list[str]) -> Adjective:
    german, _, german_comparative = cells[0].partition(", ")
    english, _, english_comparative = cells[1].partition(", ")
    return Adjective(german, german_comparative, english, english_comparative, kinds(cells[2]))


ADJECTIVES: tuple[Adjective, ...] = tuple(_adjective(cells) for cells in rows(_ADJECTIVES))


@dataclass(frozen=True)
class Modal:
    """A modal verb: an English auxiliary or a verb with `to`, and what stands for it under negation."""

    german: GermanVerb
    auxiliary: str
    verb: EnglishVerb | None
    negated_auxiliary: str  # a negated `darf` is `must not`; empty: the verb with `do`
    negated_verb: EnglishVerb | None


def _modal(cells: list[str]) -> Modal:
    german, positive, negative = cells
    auxiliaries = [cell.removeprefix("! ") if cell.startswith("! ") else "" for cell in (positive, negative)]
    verbs = [None if cell.startswith("! ") else english_verb(cell) for cell in (positive, negative)]
    return Modal(german_verb(german), auxiliaries[0], verbs[0], auxiliaries[1], verbs[1])


# `!` marks an auxiliary.
MODALS: tuple[Modal, ...] = tuple(
    _modal(cells)
    for cells in rows("""
müssen, muss     | ! must        | have to, had
können, kann     | ! can         | ! can
wollen, will     | want to       | want to
dürfen, darf     | ! may         | ! must
sollen, soll     | ! should      | ! should
möchten, möchte  | ! would like to | ! would like to
""")
)


class Tense(Enum):
    """When it happens. German says the future with `werden`, or with the present and an adverb."""

    PRESENT = "present"
    PAST = "past"
    FUTURE = "future"


def _times(table: str) -> tuple[Pair, ...]:
    return tuple(Pair(*cells) for cells in rows(table))


_TODAY = """
heute           | today
am Abend        | in the evening
am Sonntag      | on Sunday
nach der Arbeit | after work
am Wochenende   | on the weekend
vor dem Essen   | before dinner
"""
TIMES: dict[Tense, tuple[Pair, ...]] = {
    Tense.PRESENT: _times(
        "jeden Tag | every day"
        + _TODAY
        + """
im Sommer       | in summer
jetzt           | now
nach dem Essen  | after dinner
im Winter       | in winter
"""
    ),
    Tense.PAST: _times(
        "gestern | yesterday"
        + _TODAY
        + """
letzte Woche    | last week
am Montag       | on Monday
letztes Jahr    | last year
"""
    ),
    Tense.FUTURE: _times(_TODAY + "am Montag | on Monday"),
}

# With these the German present means the future.
FUTURE_TIMES = _times("""
morgen          | tomorrow
nächste Woche   | next week
nächstes Jahr   | next year
""")

# Between the subject and the verb in English. `nie` negates.
FREQUENCIES = _times("""
oft             | often
immer           | always
nie             | never
manchmal        | sometimes
selten          | rarely
""")

MANNERS = _times("""
wieder          | again
allein          | alone
sofort          | immediately
heimlich        | secretly
""")

# In the German prefield, so that the verb comes before the subject; first in English, too.
OPENERS = _times("""
vielleicht      | perhaps
deshalb         | therefore
leider          | unfortunately
dann            | then
trotzdem        | nevertheless
natürlich       | of course
""")

NUMBERS = _times("""
zwei | two
drei | three
vier | four
fünf | five
zehn | ten
sechs | six
zwölf | twelve
acht | eight
sieben | seven
zwanzig | twenty
""")

UNITS = _times("""
Tagen | days
Jahren | years
Stunden | hours
Wochen | weeks
Monaten | months
""")

POINTS = _times("""
Montag | Monday
Freitag | Friday
gestern | yesterday
Dienstag | Tuesday
""")

QUESTION_WORDS = _times("""
warum | why
wann | when
wo | where
wie oft | how often
""")


@dataclass(frozen=True)
class Conjunction:
    """A word that makes a clause subordinate, and the tenses of the main clause that it goes with."""

    words: Pair
    tenses: tuple[Tense, ...]


CONJUNCTIONS: tuple[Conjunction, ...] = tuple(
    Conjunction(Pair(german, english), tuple(Tense(tense) for tense in tenses.split()))
    for german, english, tenses in rows("""
weil     | because    | present past future
wenn     | if         | present future
obwohl   | although   | present past
als      | when       | past
bevor    | before     | present past future
während  | while      | present past
sobald   | as soon as | present future
""")
)

COORDINATORS = _times("""
und | and
aber | but
denn | because
""")

# Who does not know: in front of an embedded question.
DOUBTS = _times("""
ich weiß nicht       | I do not know
niemand weiß         | nobody knows
wir fragen uns       | we wonder
es ist nicht klar    | it is not clear
""")

# A little freedom of expression: a word that the reference now and then says otherwise.
VARIANTS = dict(
    _times("""
perhaps   | maybe
big       | large
movie     | film
presents  | gifts
present   | gift
smart     | clever
rarely    | seldom
beautiful | lovely
trip      | journey
although  | though
""")
)
