"""Splitting of compound words by the frequency of their parts: Koehn and Knight (2003), section 3.

A word is split into the known parts with the highest geometric mean of their corpus frequencies,
`(prod_i count(p_i)) ** (1/n)`; the word itself competes as a split into one part. Between parts a linking element may
be dropped (German: s, es; `Aktionsplan` = `Aktion` + s + `Plan`).

Simianer et al. (2012) used the model of Dyer (2009) instead, a maximum-entropy model over segmentation lattices that
needs hand-annotated splits; this one needs nothing but the corpus.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from demotic.base.checks import whole_number
from demotic.base.errors import DemoticError
from demotic.base.files import Pathish, atomic_write, read_lines

_KEPT = (
    100_000  # words whose parts are remembered; then all are forgotten: a service meets new words for ever
)


@dataclass(frozen=True)
class CompoundOptions:
    """Options of the splitter; defaults follow Koehn and Knight (2003)."""

    min_length: int = 4  # letters of a part; the paper has 3, which splits more suffixes than words
    min_count: int = 3  # a part must occur at least so often
    max_parts: int = 4
    links: tuple[str, ...] = ("s", "es")  # linking elements, dropped between parts


class CompoundSplitter:
    """Splits words with the counts of a corpus.

    Args:
        counts: how often each lower-cased word occurs.
        options: see `CompoundOptions`.
    """

    def __init__(self, counts: Mapping[str, int], options: CompoundOptions) -> None:
        self.options = options
        # Words with digits or punctuation are no parts: "2-3" would split every range.
        self._counts = {w: c for w, c in counts.items() if c >= options.min_count and w.isalpha()}
        self._cache: dict[str, list[str]] = {}

    def split(self, word: str) -> list[str]:
        """The parts of a word, or the word alone. A capital on the word goes to every part (German nouns)."""
        lower = word.lower()
        if len(lower) < 2 * self.options.min_length or not lower.isalpha():
            return [word]
        parts = self._cache.get(lower)
        if parts is None:
            parts = self._best(lower)
            if len(self._cache) >= _KEPT:
                self._cache.clear()
            self._cache[lower] = parts
        if len(parts) == 1:
            return [word]
        return [part.capitalize() for part in parts] if word[0].isupper() else parts

    def _best(self, word: str) -> list[str]:
        """Dynamic programme: the best sum of log counts for each end position and number of parts."""
        options, size = self.options, len(word)
        # best[n][end] = (sum of logs, parts) with n parts covering word[:end], a trailing link included
        best: list[dict[int, tuple[float, list[str]]]] = [{0: (0.0, [])}]
        for _ in range(options.max_parts):
            layer: dict[int, tuple[float, list[str]]] = {}
            for begin, (score, parts) in best[-1].items():
                for end in range(begin + options.min_length, size + 1):
                    count = self._counts.get(word[begin:end])
                    if count is None:
                        continue
                    candidate = (score + math.log(count), [*parts, word[begin:end]])
                    for stop in self._stops(word, end):
                        if stop not in layer or candidate > layer[stop]:
                            layer[stop] = candidate
            best.append(layer)
        whole = math.log(self._counts[word]) if word in self._counts else -math.inf
        winner, mean = [word], whole
        for number in range(2, options.max_parts + 1):
            if size in best[number] and best[number][size][0] / number > mean:
                winner, mean = best[number][size][1], best[number][size][0] / number
        return winner

    def _stops(self, word: str, end: int) -> list[int]:
        """Where the next part may begin: right here, or behind a linking element; a word does not end in one."""
        links = [
            end + len(link)
            for link in self.options.links
            if word.startswith(link, end) and end + len(link) < len(word)
        ]
        return [end, *links]

    def save(self, path: Pathish) -> None:
        """`word count` a line, sorted."""
        with atomic_write(path) as file:
            file.writelines(f"{word} {count}\n" for word, count in sorted(self._counts.items()))

    @classmethod
    def load(cls, path: Pathish, options: CompoundOptions) -> CompoundSplitter:
        """Read what `save` wrote."""
        counts = {}
        for number, line in enumerate(read_lines(path), start=1):
            word, _, text = line.partition(" ")
            count = whole_number(text)
            if count is None:
                raise DemoticError(
                    "expected `word count`", path, number, "is this a compound table of demotic?"
                )
            counts[word] = count
        return cls(counts, options)
