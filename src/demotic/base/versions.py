"""Version numbers, as far as model folders need them."""

from __future__ import annotations

import re


def is_newer(version: str, than: str) -> bool:
    """Whether a release is later than another: numbers are compared, what follows them (`rc1`, `.dev0`) is not."""
    return _numbers(version) > _numbers(than)


def _numbers(version: str) -> tuple[int, ...]:
    found = re.match(r"\d+(\.\d+)*", version)
    numbers = [int(part) for part in found[0].split(".")] if found else []
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)
