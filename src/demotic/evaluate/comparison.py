"""What a comparison of systems found, for people, papers and programs."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from demotic.base.tables import latex_table, markdown_table, plain_table


@dataclass(frozen=True)
class SystemResult:
    """One system: scores, and how they compare with the baseline."""

    name: str
    scores: tuple[float, ...]  # of each replica
    mean: float
    s_sel: (
        float | None
    )  # standard deviation over replicas: what the optimiser's chance does; None for one replica
    s_test: float  # bootstrap deviation, mean over replicas: what the choice of test sentences does
    p_randomization: float | None = None  # against the baseline; None for the baseline itself
    p_bootstrap: float | None = None
    interval: tuple[float, float] | None = (
        None  # 95%, of the bootstrap: percentiles of the mean over replicas
    )
    length: float | None = None  # words divided by those of the references, mean over replicas; BLEU only


@dataclass(frozen=True)
class Comparison:
    """Systems in the order given, the baseline first."""

    metric: str
    title: str  # of the metric
    higher_is_better: bool
    signature: str
    sentences: int
    references: int
    shuffles: int  # of the randomisation test, and samples of the bootstrap
    seed: int
    systems: tuple[SystemResult, ...]

    def rows(self) -> list[tuple[str, ...]]:
        """The cells of a table, under `header()`."""
        return [
            (
                system.name,
                str(len(system.scores)),
                f"{system.mean:.2f}",
                *([_figure(system.length, 3)] if self.has_lengths else []),
                _figure(system.s_sel, 2),
                _figure(system.s_test, 2),
                _figure(system.p_randomization, 4),
                _figure(system.p_bootstrap, 4),
            )
            for system in self.systems
        ]

    @property
    def has_lengths(self) -> bool:
        """Whether it is known how long translations are."""
        return any(system.length is not None for system in self.systems)

    def header(self) -> tuple[str, ...]:
        """Column names; an arrow says which direction is better."""
        score = f"{self.title} {'↑' if self.higher_is_better else '↓'}"
        length = ["length"] if self.has_lengths else []
        return ("system", "runs", score, *length, "s_sel", "s_test", "p (AR)", "p (bootstrap)")

    def caption(self) -> str:
        """What the figures are."""
        return (
            f"{self.sentences} sentences, {self.references} reference{'s' if self.references > 1 else ''}, "
            f"{self.shuffles:,} shuffles, seed {self.seed}; {self.signature}"
        )

    def to_table(self) -> str:
        """Plain text."""
        return plain_table(self.header(), self.rows()) + "\n" + self.caption()

    def to_markdown(self) -> str:
        """A Markdown table and its caption."""
        return markdown_table(self.header(), self.rows()) + "\n\n" + self.caption()

    def to_latex(self) -> str:
        """A LaTeX tabular; the caption as a comment."""
        return f"% {self.caption()}\n" + latex_table(self.header(), self.rows())

    def to_json(self) -> dict[str, Any]:
        """Plain values for `json.dumps`."""
        return asdict(self)


def _figure(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{value:.{digits}f}"
