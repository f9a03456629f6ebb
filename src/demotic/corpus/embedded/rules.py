"""The data files, and synchronous rules: a symbol is rewritten in both languages at once."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from demotic.corpus.embedded.splitmix import SplitMix

_BAR = re.compile(r"\s\|(?=\s|$)")
_SYMBOL = re.compile(r"\{([^}]+)\}")
_ANY: frozenset[str] = frozenset()


class Pair(NamedTuple):
    """Words that translate each other."""

    german: str
    english: str

    def behind(self, german: str, english: str) -> Pair:
        """These words with others in front of them."""
        return Pair(f"{german} {self.german}", f"{english} {self.english}")


NOTHING = Pair("", "")
Given = Mapping[str, Pair | Callable[..., Pair]]
_NOTHING_GIVEN: Given = {}


class Section(NamedTuple):
    """A table of the data files; if its rows are rules, `choice` says how one of them is drawn."""

    choice: str
    flatness: int  # of the choice by rank
    rows: list[list[str]]


class Rule(NamedTuple):
    """A synchronous rule; it fits if one feature of each set in `when` is given."""

    words: Pair
    when: list[set[str]]
    percent: int | None
    gives: str


@cache
def sections() -> dict[str, Section]:
    """The sections of the grammar and the lexicon by name. Short rules may share a line, with semicolons between."""
    found: dict[str, Section] = {}
    for name in ("grammar.txt", "lexicon.txt"):
        for line in files(__package__).joinpath(name).read_text("utf-8").splitlines():
            text = line.partition("#")[0].rstrip()
            if text.startswith("["):
                title, _, choice = text[1:].partition("]")
                how, _, flatness = choice.strip().partition(" ")
                section = found[title] = Section(how, int(flatness or 0), [])
            elif text:
                entries = text.split(";") if section.choice else [text]
                section.rows.extend([cell.strip() for cell in _BAR.split(entry)] for entry in entries)
    return found


def table(name: str) -> list[list[str]]:
    """The rows of a section."""
    return sections()[name].rows


def expand(
    rng: SplitMix, symbol: str, features: frozenset[str] = _ANY, given: Given = _NOTHING_GIVEN
) -> Pair:
    """Rewrite a symbol by one of its rules, and the symbols in this rule in turn.

    Args:
        rng: source of chance.
        symbol: the name of a section.
        features: what the rules may want, such as a tense.
        given: what no section describes, by symbol: words, or how to make them (further words of the symbol are arguments).
    """
    return rewrite(rng, draw(rng, symbol, features).words, features, given)


def rewrite(
    rng: SplitMix, words: Pair, features: frozenset[str] = _ANY, given: Given = _NOTHING_GIVEN
) -> Pair:
    """The words of a rule with its symbols expanded, from left to right."""
    german, english = words
    for name in dict.fromkeys(_SYMBOL.findall(german)):
        head, *arguments = (name,) if name in given else name.split()
        part = given[head] if head in given else expand(rng, name, features, given)
        part = part if isinstance(part, Pair) else part(*arguments)
        german = german.replace(f"{{{name}}}", part.german)
        english = english.replace(f"{{{name}}}", part.english)
    return Pair(german.replace(" ,", ","), english.replace(" ,", ","))


def draw(rng: SplitMix, symbol: str, features: frozenset[str] = _ANY) -> Rule:
    """A rule that fits: by rank (zipf), evenly (pick), by percentages (percent), or the first that chance admits (first)."""
    section, rules = sections()[symbol], fitting(symbol, features)
    if section.choice == "first":
        return next(rule for rule in rules if rule.percent is None or rng.chance(rule.percent))
    if section.choice == "percent":
        return rng.percent([(rule.percent or 0, rule) for rule in rules])
    return rng.pick(rules) if section.choice == "pick" else rng.zipf(rules, section.flatness)


@cache
def fitting(symbol: str, features: frozenset[str]) -> list[Rule]:
    """The rules of a symbol that the features allow."""
    read = (_rule(*row) for row in table(symbol))
    return [rule for rule in read if all(wanted & features for wanted in rule.when)]


def _rule(german: str, english: str = "", wanted: str = "", gives: str = "") -> Rule:
    when = wanted.split()
    percent = int(when.pop()) if when and when[-1].isdigit() else None
    words = Pair(german.strip("-"), (english or german).strip("-"))
    return Rule(words, [set(word.split("/")) for word in when], percent, gives)
