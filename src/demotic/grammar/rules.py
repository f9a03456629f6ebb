"""Rules for people and tests; the decoder uses the native arrays below them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from demotic import _core
from demotic.base.errors import DemoticError
from demotic.base.lazy import LazyModule

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
else:
    np = LazyModule("numpy")

_SEPARATOR = re.compile(r"[ \t\r\n]|\|\|\|")
_SEPARATOR_HINT = "words have no white space and no '|||' inside; a side is a tuple of words"


@dataclass(frozen=True)
class Rule:
    """A synchronous rule `X -> source / target`. Nonterminals are `[X,1]` and `[X,2]`, numbered on the source side."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    alignment: tuple[tuple[int, int], ...] = ()  # links between symbols, counted from 0 with nonterminals
    features: dict[str, float] = field(default_factory=dict)
    label: str = "X"  # left-hand side

    def __str__(self) -> str:
        """The line in cdec's format, with rounded values."""
        return self._line("{:.7g}".format)

    def _line(self, number: Callable[[float], str]) -> str:
        features = " ".join(f"{name}={number(value)}" for name, value in self.features.items())
        links = " ".join(f"{i}-{j}" for i, j in self.alignment)
        source, target = " ".join(self.source), " ".join(self.target)
        return f"[{self.label}] ||| {source} ||| {target} ||| {features} ||| {links}"


@dataclass(frozen=True)
class RuleCounts:
    """What extraction counted, one value per rule. All zero for rules that were read from a file."""

    samples: NDArray[np.float32]  # n(f): occurrences of the source pattern that were looked at
    occurrences_f: NDArray[np.float32]  # of the source pattern in the corpus; estimated if it was sampled
    count_f: NDArray[np.float32]  # c(f): occurrences that gave a rule with this source side
    count_fe: NDArray[np.float32]  # c(f, e)
    occurrences_e: NDArray[np.float32]  # of the target side; 0 where the feature set has no use for it


class Grammar:
    """Rules, immutable: those of one sentence, or of many. Iterate over it, or take `features` as a matrix.

    Args:
        native: the result of native extraction or reading.
    """

    def __init__(self, native: _core.Grammar) -> None:
        self.native = native

    @classmethod
    def from_rules(cls, rules: Iterable[Rule]) -> Grammar:
        """A grammar from a list of rules; rules with the same source side come together.

        Example:
            ```python
            Grammar.from_rules([
                Rule(("das", "[X,1]"), ("the", "[X,1]"), features={"P": 0.5}),
                Rule(("haus",), ("house",), features={"P": 0.7}),
            ])
            ```

        Raises:
            DemoticError: for a rule that no grammar can have, with its number, counted from 1.
        """
        reader = _core.CdecReader("rules")
        for number, rule in enumerate(rules, start=1):
            for text in (*rule.source, *rule.target, *rule.features, rule.label):
                if not text or _SEPARATOR.search(text):
                    raise DemoticError(
                        f"{text!r} cannot be a word, a label or a feature", "rules", number, _SEPARATOR_HINT
                    )
            reader.add(rule._line(lambda value: repr(float(value))).encode())
        return cls(reader.finish())

    def matching(self, sentence: Sequence[str]) -> Grammar:
        """The rules that can apply to a sentence: those whose source words all occur in it."""
        return Grammar(self._filter.matching(list(sentence)))

    @cached_property
    def _filter(self) -> _core.SentenceFilter:
        return _core.SentenceFilter(self.native)

    def __len__(self) -> int:
        return len(self.native)

    def __iter__(self) -> Iterator[Rule]:
        names = self.feature_names
        for (source, target, alignment, label), values in zip(
            self.native.rules(), self.features, strict=True
        ):
            yield Rule(source, target, alignment, dict(zip(names, map(float, values), strict=True)), label)

    @property
    def feature_names(self) -> tuple[str, ...]:
        """Columns of `features`."""
        return tuple(self.native.feature_names)

    @cached_property
    def features(self) -> NDArray[np.float32]:
        """Feature values, one row per rule, in the order of iteration."""
        return np.asarray(self.native.features())

    @cached_property
    def counts(self) -> RuleCounts:
        """Counts behind the features, in the order of iteration."""
        return RuleCounts(*np.asarray(self.native.counts()).T)
