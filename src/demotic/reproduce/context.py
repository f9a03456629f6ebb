"""What the parts of a running experiment share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from demotic.reproduce.data import Data
from demotic.reproduce.experiment import Column, Experiment, Row
from demotic.reproduce.workspace import Workspace

SystemId = tuple[str, int]  # row or ROW.VARIANT, and language pair from 1


@dataclass
class Context:
    """An experiment with its text and its models.

    Attributes:
        experiment: at its scale.
        workspace: where everything is kept.
        data: text of each language pair; fewer pairs than the experiment has use for are no error.
        models: untuned, by name, for each of `data`; the base is called "".
        seed: of everything random; replica r has seed + r.
        threads: of this machine.
        cluster: where shards run.
        say: told lines for people.
        notes: what readers of the result should know.
    """

    experiment: Experiment
    workspace: Workspace
    data: list[Data]
    models: list[dict[str, Path]]
    seed: int = 1
    threads: int = 1
    cluster: str = "local"
    say: Callable[[str], None] = lambda line: None
    notes: list[str] = field(default_factory=list)

    def has_pair(self, pair: int) -> bool:
        """Whether the corpus has so many language pairs."""
        return pair <= len(self.data)

    def has_sets(self, row: Row) -> bool:
        """Whether the corpus has what a row is tuned on."""
        return self.has_pair(row.pair) and (
            row.on.startswith("train") or row.on in self.data[row.pair - 1].sets
        )

    def rows(self) -> list[Row]:
        """Rows of the table that this corpus can fill."""
        return [
            row
            for row in self.experiment.rows
            if not row.hidden and self.has_pair(row.pair) and (row.difference or self.has_sets(row))
        ]

    def is_measured(self, column: Column) -> bool:
        """Whether this corpus can fill a column."""
        if not self.has_pair(column.pair):
            return False
        needs_set = column.is_score and column.set not in ("tune", "seen")
        return not needs_set or any(column.set in data.sets for data in self.data)

    def system(self, row: Row, column: Column) -> SystemId:
        """The system that a column looks at in a row."""
        variant = self.experiment.variant(row, column.system)
        return (variant if self.has_sets(variant) else row).id, column.pair or row.pair

    def pairs_of(self, row: Row) -> list[int]:
        """Language pairs that a row is run for: those of the columns or, where these name none, its own."""
        named = sorted({column.pair for column in self.experiment.columns if column.pair})
        return [pair for pair in named or [row.pair] if self.has_pair(pair)]
