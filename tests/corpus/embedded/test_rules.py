"""The data files of the embedded corpus are a consistent synchronous grammar, and rules are drawn as they say."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from demotic.corpus.embedded.lexicon import FRAMES, KINDS, NOUNS
from demotic.corpus.embedded.rules import Pair, draw, expand, rewrite, sections, table
from demotic.corpus.embedded.splitmix import SplitMix

RULES = [name for name, section in sections().items() if section.choice]
TENSES = ("present", "past", "future")


def symbols(text: str) -> list[str]:
    return sorted(re.findall(r"{(.+?)}", text))


@pytest.mark.parametrize("name", RULES)
def test_both_sides_of_a_rule_have_the_same_symbols(name: str):
    for german, english, *_ in ((*row, "") for row in table(name)):
        assert symbols(german) == symbols(english or german)


@pytest.mark.parametrize("name", [name for name in RULES if sections()[name].choice == "percent"])
def test_percentages_add_up_to_a_hundred(name: str):
    assert sum(int(row[2]) for row in table(name)) == 100


@pytest.mark.parametrize("name", ["pronouns"])
def test_percentages_of_tables_add_up_to_a_hundred(name: str):
    assert sum(int(row[-1]) for row in table(name)) == 100


@pytest.mark.parametrize("name", [name for name in RULES if sections()[name].choice == "first"])
def test_the_last_rule_always_applies(name: str):
    """Whatever the features are and whatever chance says, one rule is left."""
    assert not "".join(table(name)[-1][2:3])


def test_every_kind_that_is_asked_for_has_a_noun():
    known = {kind for noun in NOUNS for kind in noun.kinds} | {"place", "city"}
    asked = [frame.subject for frame in FRAMES]
    asked += [complement.kinds for frame in FRAMES for complement in frame.complements]
    asked += [frozenset(row[2].split("/")) for name in ("adjective", "modifier") for row in table(name)]
    asked += KINDS.values()
    assert {kind for kinds in asked for kind in kinds} <= known


def test_a_symbol_is_the_same_in_both_languages():
    numbers = {Pair(german, english) for german, english in table("number")}
    for seed in range(50):
        german, english = rewrite(SplitMix(seed), Pair("vor {number} Tagen", "{number} days ago"))
        assert Pair(german.split()[1], english.split()[0]) in numbers


def test_what_is_given_stands_for_a_symbol():
    words = Pair("{echo a b}, {doubt}", "{doubt}: {echo a b}")
    given = {"echo": lambda *arguments: Pair("-".join(arguments), "+".join(arguments))}
    german, english = rewrite(SplitMix(1), words, given=given)
    assert german.startswith("a-b, ") and english.endswith(": a+b")


@pytest.mark.parametrize("tense", TENSES)
def test_only_rules_that_fit_are_drawn(tense: str):
    drawn = {draw(SplitMix(seed), "conjunction", frozenset({tense})).words.german for seed in range(300)}
    expected = {"weil", "bevor"}
    expected |= {"wenn", "sobald"} if tense != "past" else {"als"}
    expected |= {"obwohl", "während"} if tense != "future" else set()
    assert drawn == expected


def test_the_first_rule_that_chance_admits_is_taken():
    counts = Counter(expand(SplitMix(seed), "since").german.split()[1] for seed in range(2000))
    points = {german for german, _ in table("point")}
    assert abs(sum(counts[point] for point in points) / 2000 - 0.45) < 0.04
