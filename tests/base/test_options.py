"""Options from TOML: unknown and ill-typed keys are named, with the nearest valid one."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demotic.base import DemoticError, load_toml, options_from, options_to_dict


@dataclass(frozen=True)
class Inner:
    rate: float = 0.5
    names: tuple[str, ...] = ("a",)


@dataclass(frozen=True)
class Outer:
    epochs: int = 10
    verbose: bool = False
    kind: Literal["slow", "fast"] = "slow"
    limit: int | None = None
    inner: Inner = field(default_factory=Inner)


def test_defaults_and_nested_tables():
    assert options_from(Outer, {}) == Outer()
    got = options_from(
        Outer, {"epochs": 3, "kind": "fast", "limit": 7, "inner": {"rate": 1, "names": ["x", "y"]}}
    )
    assert got == Outer(3, False, "fast", 7, Inner(1.0, ("x", "y")))


def test_a_table_keeps_the_defaults_of_the_class_around_it():
    @dataclass(frozen=True)
    class Other:
        inner: Inner = field(default_factory=lambda: Inner(rate=0.1))

    assert options_from(Other, {"inner": {"names": ["x"]}}) == Other(Inner(0.1, ("x",)))
    assert options_from(Other, {"inner": {"rate": 0.2}}) == Other(Inner(0.2))


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"epoch": 3}, "unknown option 'epoch'\n  hint: did you mean 'epochs'?"),
        ({"inner": {"rat": 3}}, "unknown option 'inner.rat'\n  hint: did you mean 'inner.rate'?"),
        ({"epochs": "3"}, "option 'epochs' must be a whole number (got '3')"),
        ({"epochs": 2.5}, "option 'epochs' must be a whole number (got 2.5)"),
        ({"epochs": True}, "option 'epochs' must be a whole number (got True)"),
        ({"verbose": 1}, "option 'verbose' must be true or false (got 1)"),
        ({"kind": "fats"}, "unknown value for 'kind': 'fats'\n  hint: did you mean 'fast'?"),
        ({"inner": 3}, "option 'inner' must be a table (got 3)"),
        ({"inner": {"rate": float("nan")}}, "option 'inner.rate' must be a finite number (got nan)"),
        ({"inner": {"names": [1]}}, "option 'inner.names[0]' must be a string (got 1)"),
    ],
)
def test_wrong_options_are_named(values, message):
    with pytest.raises(DemoticError) as caught:
        options_from(Outer, values)
    assert str(caught.value) == message


whole_numbers = st.integers(-(1 << 63) + 1, (1 << 63) - 1)  # what TOML has


@given(st.builds(Outer, epochs=whole_numbers, verbose=st.booleans(), limit=st.none() | whole_numbers))
def test_round_trip(options):
    assert options_from(Outer, options_to_dict(options)) == options


def test_toml_error_has_a_line(tmp_path: Path):
    path = tmp_path / "c.toml"
    path.write_text("[prepare]\ncase = lower\n")
    with pytest.raises(DemoticError) as caught:
        load_toml(path)
    assert caught.value.line == 2
