"""Alignments as text: Pharaoh format, `i-j` per link, source position first, from 0. `i?j` marks a possible link."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from demotic.base.checks import whole_number
from demotic.base.errors import DemoticError
from demotic.base.files import Pathish, read_lines

Link = tuple[int, int]
_LINK = re.compile(r"(\d+)([-?p])(\d+)$")


def format_links(links: Iterable[Sequence[int]]) -> str:
    """`0-0 1-2`, sorted."""
    return " ".join(f"{i}-{j}" for i, j in sorted((i, j) for i, j in links))


def format_probabilities(values: Iterable[float]) -> str:
    """`0.998 0.51`, one value a link."""
    return " ".join(f"{value:.3g}" for value in values)


def read_links(path: Pathish) -> list[tuple[set[Link], set[Link]]]:
    """Per line the sure links and all links (sure and possible). `i?j` and `ipj` are possible only."""
    result = []
    for number, line in enumerate(read_lines(path), start=1):
        sure: set[Link] = set()
        possible: set[Link] = set()
        for word in line.split():
            match = _LINK.match(word)
            i, j = (whole_number(match[1]), whole_number(match[3])) if match else (None, None)
            if match is None or i is None or j is None:
                raise DemoticError(
                    f"'{word}' is not an alignment link",
                    path,
                    number,
                    "expected 0-0 1-2 (possible links: 1?2)",
                )
            link = i, j
            possible.add(link)
            if match[2] == "-":
                sure.add(link)
        result.append((sure, possible))
    return result
