"""Checks of numbers that users give: the error names the option, its range and the value."""

from __future__ import annotations

import math

from demotic.base.errors import DemoticError


def at_least(least: float, /, **values: float) -> None:
    """Refuse values below `least`, and infinite ones, by the name of the option: `at_least(1, k=self.k)`."""
    for name, value in values.items():
        if not least <= value < math.inf:
            raise DemoticError(f"{name} must be at least {least:g} (got {value})")


def positive(**values: float) -> None:
    """Refuse values that are not finite and above 0."""
    for name, value in values.items():
        if not 0 < value < math.inf:
            raise DemoticError(f"{name} must be positive (got {value})")


def whole_number(text: str) -> int | None:
    """A count or position that a file gives; None for anything else, and for numbers that nothing here can have."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 15 else None


def between(low: float, high: float, /, **values: float) -> None:
    """Refuse values below `low` or above `high`."""
    for name, value in values.items():
        if not low <= value <= high:
            raise DemoticError(f"{name} must be between {low:.10g} and {high:.10g} (got {value})")
