"""The result of an experiment, and the files it is written to."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from demotic.base.files import atomic_write
from demotic.report.figures import Draw, save_figure
from demotic.reproduce.experiment import Experiment
from demotic.reproduce.layout import PaperTable


@dataclass(frozen=True)
class FigureResult:
    """A figure: how it is drawn, and what it shows in words."""

    name: str
    caption: str
    description: str
    draw: Draw


@dataclass(frozen=True)
class Result:
    """What an experiment found.

    Attributes:
        experiment: that was run.
        table: in the paper's layout, or the figures behind the figures.
        figures: if the paper has one.
        data: everything, for programs.
        about: what the figures are of: the corpora.
        notes: below the table.
    """

    experiment: Experiment
    table: PaperTable
    figures: Sequence[FigureResult] = ()
    data: Mapping[str, Any] = field(default_factory=dict)
    notes: Sequence[str] = ()
    about: Sequence[str] = ()

    def title(self) -> str:
        """Of the table."""
        return f"{self.experiment.paper}: {self.experiment.title}"

    def remarks(self) -> list[str]:
        """Everything that stands below the table on paper."""
        return [*self.about, *self.notes]


def write_result(result: Result, folder: Path) -> list[Path]:
    """Write `table.txt`, `table.md`, `table.tex`, `result.json` and the figures; the files written."""
    texts = {
        "table.txt": "\n".join([result.title(), "", result.table.to_text(), "", *result.remarks()]),
        "table.md": "\n".join(
            [
                f"# {result.title()}",
                "",
                result.table.to_markdown(),
                "",
                *(f"- {note}" for note in result.remarks()),
            ]
        ),
        "table.tex": "\n".join([*(f"% {note}" for note in result.remarks()), result.table.to_latex()]),
        "result.json": json.dumps(result_json(result), ensure_ascii=False, indent=1),
    }
    files = []
    for name, text in texts.items():
        with atomic_write(folder / name) as file:
            file.write(text + "\n")
        files.append(folder / name)
    for figure in result.figures:
        files += save_figure(figure.draw, folder / figure.name)
    return files


def result_json(result: Result) -> dict[str, Any]:
    """Plain values."""
    experiment = result.experiment
    return {
        "name": experiment.name,
        "paper": experiment.paper,
        "title": experiment.title,
        "sizes": vars(experiment.sizes),
        "table": result.table.to_json(),
        "notes": result.remarks(),
        **result.data,
    }
