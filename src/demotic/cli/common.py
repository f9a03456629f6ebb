"""Shared by the verbs: option types, tables, JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from demotic.base.parallel import default_threads
from demotic.base.tables import alignments, figure

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table

_PIPE_WIDTH = 200

Threads = Annotated[
    int, typer.Option("--threads", min=0, help="Number of parallel workers.", show_default="all cores")
]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Random seed; the output is reproducible.")]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
SourceLanguage = Annotated[
    str | None, typer.Option("--src-lang", help="Source language as an ISO 639-1 code.", show_default="de")
]
TargetLanguage = Annotated[
    str | None, typer.Option("--tgt-lang", help="Target language as an ISO 639-1 code.", show_default="en")
]
Tokenized = Annotated[bool, typer.Option("--tokenized", help="The text is already tokenised.")]
Config = Annotated[Path | None, typer.Option("--config", help="TOML file with further options.")]
Cluster = Annotated[
    str, typer.Option("--cluster", help="Where workers run: `local` (this machine) or `ray` (a Ray cluster).")
]


def threads(given: int) -> int:
    """The number of workers to use."""
    return given or default_threads()


def emit(result: Mapping[str, Any], tables: Iterable[RenderableType], as_json: bool) -> None:
    """Print a result: tables for people, or one JSON object for programs."""
    if as_json:
        typer.echo(json.dumps(result, ensure_ascii=False))
        return
    from rich.console import Console
    from rich.table import Table

    # In a file or a pipe nothing needs to fit a screen; figures that are cut off help nobody.
    console = Console(width=None if sys.stdout.isatty() else _PIPE_WIDTH)
    for each in tables:
        if isinstance(each, Table) and each.title:
            # A table folds its own title at its width, which is a word's where cells are short.
            console.print(each.title, style="bold", soft_wrap=True)
            each.title = None
        console.print(each)


def error_console(quiet: bool = False) -> Console:
    """Standard error, for what is said on the way; lines are as long as they are."""
    from rich.console import Console

    return Console(stderr=True, quiet=quiet, soft_wrap=True)


def table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Table:
    """A plain table, figures right-aligned; words may be wrapped. Text stays as it is: brackets in words are not markup."""
    from rich.table import Table
    from rich.text import Text

    cells = [[cell if isinstance(cell, Text) else Text(figure(cell)) for cell in row] for row in rows]
    sides = alignments([[cell.plain for cell in row] for row in cells], len(columns))
    result = Table(title=Text(title) if title else None, box=None, pad_edge=False, header_style="dim")
    for column, side in zip(columns, sides, strict=True):
        result.add_column(column, justify=side, no_wrap=side == "right")
    for row in cells:
        result.add_row(*row)
    return result


class StageLog:
    """Print a line per stage as it ends: its time, or that its result was reused."""

    def __init__(self, quiet: bool = False) -> None:
        self._console = error_console(quiet)

    def __call__(self, name: str, seconds: float | None) -> None:
        """A stage has ended."""
        if seconds is None:
            self._console.print(f" [green]=[/green] {name:<12} [dim]unchanged[/dim]")
        else:
            self._console.print(f" [green]✓[/green] {name:<12} {seconds:6.1f} s")


class EpochLog:
    """A line on the terminal for each epoch as it ends."""

    def __init__(self, quiet: bool = False) -> None:
        self._console = error_console(quiet)

    def __call__(self, row: Mapping[str, Any]) -> None:
        """An epoch has ended."""
        from rich.markup import escape

        from demotic.report.epoch_table import epoch_columns, epoch_part

        parts = [epoch_part(key, name, row[key]) for key, name in epoch_columns([row]).items()]
        self._console.print(" [green]✓[/green] " + escape(", ".join(parts)))
