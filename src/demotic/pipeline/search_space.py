"""What `demotic tune --search F.toml` tries: settings of options, by grid or at random."""

from __future__ import annotations

import itertools
import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Literal

import numpy as np

from demotic.base.checks import at_least
from demotic.base.errors import DemoticError
from demotic.base.files import Pathish
from demotic.base.options import load_toml, options_from
from demotic.features import DiscretizeOptions

Setting = dict[str, Any]
_DISCRETIZE = {option.name for option in fields(DiscretizeOptions)} - {"start"}


@dataclass(frozen=True)
class Range:
    """Values between two ends, drawn at random; whole numbers if both ends are."""

    low: float
    high: float
    scale: Literal["linear", "log"] = "linear"

    def __post_init__(self) -> None:
        if not self.low <= self.high or (self.scale == "log" and self.low <= 0):
            raise DemoticError(
                f"low must be at most high, and above 0 on a log scale (got {self.low} and {self.high})"
            )

    def draw(self, random: np.random.Generator) -> float:
        """A value."""
        if self.scale == "log":
            return math.exp(random.uniform(math.log(self.low), math.log(self.high)))
        return float(random.uniform(self.low, self.high))


@dataclass(frozen=True)
class SearchOptions:
    """How options are searched."""

    method: Literal["grid", "random"] = "grid"
    trials: int = 20  # of random search
    decodes: int = 3  # of the sentences, for the frozen lists: with the start, then with what was learnt from the lists so far
    rounds: int = 5  # optimisations in a row on the frozen lists
    confirm: int = 2  # best settings on each set of lists, whose weights also translate the held-out lines

    def __post_init__(self) -> None:
        at_least(1, trials=self.trials, decodes=self.decodes, rounds=self.rounds, confirm=self.confirm)


@dataclass(frozen=True)
class SearchSpace:
    """Options by name, with the values that each may take.

    Attributes:
        choices: a list of values or, at random, a range.
        options: how they are searched.
    """

    choices: Mapping[str, Sequence[Any] | Range]
    options: SearchOptions = field(default_factory=SearchOptions)

    def settings(self, seed: int) -> list[Setting]:
        """What is tried, in order, nothing twice."""
        names = sorted(self.choices)
        if self.options.method == "grid":
            values = [self.choices[name] for name in names]
            return [dict(zip(names, row, strict=True)) for row in itertools.product(*values)]  # type: ignore[arg-type]
        random = np.random.default_rng(seed)
        drawn = (
            {name: _draw(self.choices[name], random) for name in names} for _ in range(self.options.trials)
        )
        distinct = {repr(setting): setting for setting in drawn}
        return list(distinct.values())


def read_space(path: Pathish) -> SearchSpace:
    """A TOML file: `method`, `trials`, `decodes`, `rounds`, `confirm`, and a table `options` of lists or `{low, high, scale}`.

    Raises:
        DemoticError: with the file, for anything else.
    """
    values = load_toml(path)
    table = values.pop("options", {})
    options = options_from(SearchOptions, values, file=path)
    if not isinstance(table, dict) or not table:
        raise DemoticError(
            "no options to search",
            path,
            hint="add [options] with lists of values, e.g.  beta = [0.0005, 0.005, 0.05]",
        )
    choices: dict[str, Sequence[Any] | Range] = {}
    for name, value in table.items():
        if isinstance(value, dict) and options.method == "random":
            choices[name] = _range(name, value, path)
        elif isinstance(value, list) and value:
            choices[name] = value
        else:
            raise DemoticError(
                f"options.{name} must be a list of values",
                path,
                hint='e.g.  [1, 2, 4]; with method = "random" also  {low = 0.1, high = 10, scale = "log"}',
            )
    return SearchSpace(choices, options)


def split_setting(setting: Setting) -> tuple[Setting, Setting]:
    """Options of discretisation, and those of the learner."""
    own = {name: value for name, value in setting.items() if name in _DISCRETIZE}
    return own, {name: value for name, value in setting.items() if name not in _DISCRETIZE}


def _draw(choice: Sequence[Any] | Range, random: np.random.Generator) -> Any:
    if not isinstance(choice, Range):
        return choice[int(random.integers(len(choice)))]
    whole = isinstance(choice.low, int) and isinstance(choice.high, int)
    return round(choice.draw(random)) if whole else choice.draw(random)


def _range(name: str, value: Mapping[str, Any], path: Pathish) -> Range:
    known = {"low", "high", "scale"}
    numbers = [value.get(end) for end in ("low", "high")]
    good = all(
        isinstance(n, int | float) and not isinstance(n, bool) and abs(n) <= sys.float_info.max
        for n in numbers
    )
    if set(value) - known or not good or value.get("scale", "linear") not in ("linear", "log"):
        raise DemoticError(
            f"options.{name} must be a range", path, hint='e.g.  {low = 0.1, high = 10, scale = "log"}'
        )
    try:
        return Range(**value)
    except DemoticError as error:
        raise DemoticError(f"options.{name}: {error.message}", path, hint=error.hint) from error
