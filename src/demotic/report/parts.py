"""What a report is made of: plain values, every part optional."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from demotic.adapt.evidence import Example
from demotic.decode import FeaturePart
from demotic.evaluate.comparison import Comparison
from demotic.report.weight_plot import WeightCurve

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Bar:
    """A bar in a cell, to the right (positive) or left of its middle; an ornament beside the figure that says the same."""

    share: float  # of half the cell, -1 to 1

    @property
    def side(self) -> str:
        """`positive` or `negative`."""
        return "positive" if self.share >= 0 else "negative"

    @property
    def width(self) -> str:
        """In percent of the cell."""
        return f"{50 * abs(self.share):.1f}%"


Cell = str | int | float | Bar | None  # None: nothing to say


@dataclass(frozen=True)
class Table:
    """A table. Columns of figures are right-aligned; a reader can sort by any column.

    Attributes:
        caption: what it shows.
        header: names of the columns.
        rows: as many cells each; texts such as `27.3*` or `0.31 ±0.02` sort by the number they begin with.
        note: below the table: what marks mean, what differs from the paper.
        spans: a line above the header, text and number of columns each, such as ("", 1), ("dev", 2), ("test", 2).
        rules: rows, counted from 0, above which a line separates blocks of the table.
        collapsed: shown only when the reader opens it; for what is long and seldom read.
    """

    caption: str
    header: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    note: str = ""
    spans: Sequence[tuple[str, int]] = ()
    rules: Sequence[int] = ()
    collapsed: bool = False


@dataclass(frozen=True)
class FigurePart:
    """A figure, in the page and as files beside it.

    Attributes:
        name: of the files, without ending: letters, digits, `-`.
        caption: what it shows.
        description: what can be seen, in words, for those who cannot see it.
        draw: makes the figure; called anew for each file. Use the colours of `demotic.report.figures`, which follow the
            page's light or dark colours.
    """

    name: str
    caption: str
    description: str
    draw: Callable[[], Figure]


@dataclass(frozen=True)
class Section:
    """Text, tables and figures under a heading of their own."""

    title: str
    paragraphs: Sequence[str] = ()
    tables: Sequence[Table] = ()
    figures: Sequence[FigurePart] = ()


@dataclass(frozen=True)
class FeatureGroup:
    """Features that share a weight."""

    weight: float
    features: Sequence[str]


@dataclass(frozen=True)
class SystemPart:
    """One system: how it was learnt and what it learnt.

    Attributes:
        name: as in the comparison and the examples.
        learner: such as `mert`.
        history: a row per epoch, as learners report them and `metrics.jsonl` has them.
        epoch: the one whose weights were kept, from 1.
        weights: by feature name; those that are not 0.
        fired: in how many translations of the test set a feature took part; None if unknown.
        minutes: that learning took; None: the sum of the seconds in `history`.
        bins: weights over bins, for features that were discretised.
        groups: of features, if the learner makes any.
    """

    name: str
    learner: str = ""
    history: Sequence[Mapping[str, Any]] = ()
    epoch: int | None = None
    weights: Mapping[str, float] = field(default_factory=dict)
    fired: Mapping[str, int] | None = None
    minutes: float | None = None
    bins: Sequence[WeightCurve] = ()
    groups: Sequence[FeatureGroup] = ()


@dataclass(frozen=True)
class RuleNode:
    """A rule of a derivation, what it adds to the score, and the rules that fill its gaps.

    Symbols are words, or the numbers 1 and 2 for gaps.
    """

    kind: str  # translation, pass-through, forced, glue-start, glue, goal
    source: Sequence[str | int]
    target: Sequence[str | int]
    span: Sequence[str]  # the source words it covers
    features: Sequence[FeaturePart]
    children: Sequence[RuleNode] = ()
    places: int = 0  # of the training text that gave the rule
    examples: Sequence[Example] = ()  # the first of them

    @property
    def score(self) -> float:
        """Of this rule alone."""
        return sum(part.product for part in self.features)

    def total(self) -> float:
        """Of the rule and everything in its gaps."""
        return self.score + sum(child.total() for child in self.children)


@dataclass(frozen=True)
class SystemOutput:
    """What one system made of one sentence."""

    text: str
    score: float  # sentence-level metric, 0 to 100
    derivation: RuleNode | None = None


@dataclass(frozen=True)
class ExamplePart:
    """A test sentence, its references, and its translation by each system, by name."""

    line: int  # of the test set, from 1
    source: str
    references: Sequence[str]
    outputs: Mapping[str, SystemOutput]


@dataclass(frozen=True)
class TestSet:
    """A test set: scores with significance, and sentences to look at.

    Attributes:
        name: such as `test` or `news`.
        comparison: of the systems, the baseline first.
        examples: in the order of the test set; the page shows some of them and says how many there are.
        warnings: such as those of the leak check.
    """

    __test__ = False  # no test case for pytest, whatever the name

    name: str
    comparison: Comparison | None = None
    examples: Sequence[ExamplePart] = ()
    warnings: Sequence[str] = ()


@dataclass(frozen=True)
class Report:
    """A report: one page.

    Attributes:
        title: of the page.
        lead: paragraphs below it: what was done, what came out.
        sections: the author's own, shown first: the tables and figures of a paper, say.
        test_sets: scores and examples.
        systems: in the order of the comparison.
        corpus: statistics of the training corpus and the like.
        configuration: plain values, nested as in TOML.
        warnings: what the reader should know before trusting the figures.
        languages: of source and target, ISO 639-1, so that a browser pronounces and hyphenates them well.
        examples_shown: of each test set, at most.
    """

    title: str
    lead: Sequence[str] = ()
    sections: Sequence[Section] = ()
    test_sets: Sequence[TestSet] = ()
    systems: Sequence[SystemPart] = ()
    corpus: Sequence[Table] = ()
    configuration: Mapping[str, Any] = field(default_factory=dict)
    warnings: Sequence[str] = ()
    languages: tuple[str | None, str | None] = (None, None)
    examples_shown: int = 60
