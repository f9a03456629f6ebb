"""Checks of numbers, and options with their help."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

import pytest

from demotic.base import DemoticError
from demotic.base.checks import at_least, between, positive
from demotic.base.option_help import OptionHelp, option_help


def refused(check: Callable[[float], None], values: list[float]) -> list[bool]:
    """Which of the values a check refuses."""
    found = []
    for value in values:
        try:
            check(value)
        except DemoticError:
            found.append(True)
        else:
            found.append(False)
    return found


def test_the_ends_of_a_range_belong_to_it():
    assert refused(lambda k: at_least(1, k=k), [0.99, 1, 10, math.inf]) == [True, False, False, True]
    assert refused(lambda rate: positive(rate=rate), [0, 1e-9, 1]) == [True, False, False]
    assert refused(lambda x: between(0, 1, x=x), [-0.01, 0, 1.0, 1.01]) == [True, False, False, True]


@pytest.mark.parametrize(
    ("check", "message"),
    [
        (lambda: at_least(1, epochs=1, k=0), "k must be at least 1 (got 0)"),
        (lambda: at_least(0, beta=math.nan), "beta must be at least 0 (got nan)"),
        (lambda: at_least(0, beta=math.inf), "beta must be at least 0 (got inf)"),
        (lambda: positive(temperature=-1.0), "temperature must be positive (got -1.0)"),
        (lambda: positive(temperature=0), "temperature must be positive (got 0)"),
        (lambda: positive(temperature=math.nan), "temperature must be positive (got nan)"),
        (lambda: between(0, 1, decay=1.5), "decay must be between 0 and 1 (got 1.5)"),
        (lambda: between(0, 1, decay=math.nan), "decay must be between 0 and 1 (got nan)"),
    ],
)
def test_others_are_named(check, message: str):
    with pytest.raises(DemoticError) as caught:
        check()
    assert str(caught.value) == message


@dataclass(frozen=True)
class Base:
    k: int = 100  # size of a list
    long: str = "a"  # on a line of its own
    bare: bool = False


@dataclass(frozen=True)
class Derived(Base):
    k: int = 250
    bare: bool = True  # now with help
    many: tuple[int, ...] = field(default_factory=lambda: (1, 2))  # a list # with a hash
    way: Literal["long", "short"] = "long"  # how


def test_comments_are_help():
    assert option_help(Derived) == [
        OptionHelp("k", "int", 250, (), "size of a list"),
        OptionHelp("long", "str", "a", (), "on a line of its own"),
        OptionHelp("bare", "bool", True, (), "now with help"),
        OptionHelp("many", "tuple[int, ...]", (1, 2), (), "a list # with a hash"),
        OptionHelp("way", "Literal['long', 'short']", "long", ("long", "short"), "how"),
    ]
