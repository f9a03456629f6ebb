"""German and English inflection, against the grammar book."""

from __future__ import annotations

import pytest

from demotic.corpus.embedded.inflection import (
    Agreement,
    Case,
    adjective_forms,
    determiner_forms,
    english_verb,
    german_verb,
    noun_forms,
    spell,
)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("Mann", "m", False, Case.GEN), "Mannes"),
        (("Lehrer", "m", False, Case.GEN), "Lehrers"),
        (("Frau", "f", False, Case.GEN), "Frau"),
        (("Kunde", "m", True, Case.ACC), "Kunden"),
        (("Student", "m", True, Case.DAT), "Studenten"),
        (("Nachbar", "m", True, Case.GEN), "Nachbarn"),
        (("Hunde", "p", False, Case.DAT), "Hunden"),
        (("Autos", "p", False, Case.DAT), "Autos"),
        (("Frauen", "p", False, Case.DAT), "Frauen"),
    ],
)
def test_noun_forms(arguments, expected: str):
    *noun, case = arguments
    assert noun_forms(*noun)[case] == expected


@pytest.mark.parametrize(
    ("base", "kind", "gender", "case", "expected"),
    [
        ("alt", "der", "m", Case.NOM, "alte"),
        ("alt", "der", "m", Case.ACC, "alten"),
        ("alt", "ein", "m", Case.NOM, "alter"),
        ("alt", "kein", "n", Case.ACC, "altes"),
        ("alt", "mein", "f", Case.DAT, "alten"),
        ("alt", "drei", "p", Case.NOM, "alte"),
        ("alt", "drei", "p", Case.DAT, "alten"),
        ("teuer", "der", "f", Case.NOM, "teure"),
        ("dunkel", "ein", "n", Case.NOM, "dunkles"),
        ("müde", "ein", "m", Case.NOM, "müder"),
        ("viel", "drei", "p", Case.DAT, "vielen"),
    ],
)
def test_adjective_forms(base, kind, gender, case, expected: str):
    assert adjective_forms(base, kind, gender)[case] == expected


def test_separable_verbs():
    verb = german_verb("an-rufen, ruft, gerufen")
    assert (verb.infinitive, verb.zu_infinitive, verb.participle) == (
        "anrufen",
        "anzurufen",
        "angerufen",
    )
    assert [verb.present[agreement] for agreement in Agreement] == ["rufe", "ruft", "rufen"]


@pytest.mark.parametrize(
    ("entry", "first", "third", "participle"),
    [
        ("kaufen", "kaufe", "kauft", "gekauft"),
        ("arbeiten", "arbeite", "arbeitet", "gearbeitet"),
        ("öffnen", "öffne", "öffnet", "geöffnet"),
        ("füttern", "füttere", "füttert", "gefüttert"),
        ("wechseln", "wechsle", "wechselt", "gewechselt"),
        ("reparieren", "repariere", "repariert", "repariert"),
        ("besuchen", "besuche", "besucht", "besucht"),
        ("überqueren", "überquere", "überquert", "überquert"),
    ],
)
def test_regular_german_verbs(entry: str, first: str, third: str, participle: str):
    verb = german_verb(entry)
    assert [*verb.present[:2], verb.participle] == [first, third, participle]


def test_irregular_verbs_give_all_their_forms():
    sein = german_verb("sein, bin ist sind, ist gewesen, war")
    assert (sein.present, sein.past) == (("bin", "ist", "sind"), ("war", "war", "waren"))
    assert (sein.auxiliary, sein.participle) == ("sein", "gewesen")
    be = english_verb("! be happy, was was were, been, am is are")
    assert (be.present, be.past, be.participle) == (("am", "is", "are"), ("was", "was", "were"), "been")
    assert be.phrase("is") == "is happy" and not be.needs_do


@pytest.mark.parametrize(
    ("kind", "stem", "gender", "expected"),
    [
        ("der", "d", "m", "der den dem des"),
        ("dies", "dies", "f", "diese diese dieser dieser"),
        ("kein", "kein", "n", "kein kein keinem keines"),
        ("viel", "viel", "p", "viele viele vielen vieler"),
        ("drei", "drei", "p", "drei drei drei drei"),
        ("relative", "d", "p", "die die denen deren"),
    ],
)
def test_determiner_forms(kind: str, stem: str, gender, expected: str):
    assert " ".join(determiner_forms(kind, stem, gender)) == expected


def test_prepositions_contract_with_the_article_only():
    assert spell("contraction", "in dem Garten") == "im Garten"
    assert spell("contraction", "zu der Schule") == "zur Schule"
    assert spell("contraction", "in diesem Garten") == "in diesem Garten"
    assert spell("contraction", "auf dem Dach") == "auf dem Dach"


@pytest.mark.parametrize(
    ("entry", "third", "past", "gerund"),
    [
        ("carry", "carries", "carried", "carrying"),
        ("pass", "passes", "passed", "passing"),
        ("write, wrote, written", "writes", "wrote", "writing"),
        ("sit, sat", "sits", "sat", "sitting"),
        ("visit", "visits", "visited", "visiting"),
        ("fire", "fires", "fired", "firing"),
        ("pay attention, paid", "pays", "paid", "paying"),
        ("repair", "repairs", "repaired", "repairing"),
    ],
)
def test_english_verbs(entry: str, third: str, past: str, gerund: str):
    verb = english_verb(entry)
    assert [verb.present[Agreement.THIRD], verb.past[Agreement.THIRD], verb.gerund] == [third, past, gerund]


def test_english_article_by_sound():
    assert [spell("article", word) for word in ("dog", "old dog", "hour", "university")] == [
        "a dog",
        "an old dog",
        "an hour",
        "a university",
    ]
