"""The page of `demotic --help`. Typer's own loads a Markdown parser and a syntax highlighter, which cost more than all the rest."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Console, Group
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text  # not strings, which are searched for markup and emoji


def front_page(
    usage: str, about: str, tables: Sequence[tuple[str, Iterable[tuple[str, str]]]], epilog: str
) -> str:
    """Usage, what the program is, a framed table of names and their help under each title, and the last line.

    Returns:
        text as wide as the terminal, with colours if there is one.
    """
    console = Console(highlight=False, emoji=False)
    parts: list[Any] = [Padding(Text(line), (1, 1, 0, 1)) for line in (usage, about)]
    parts.append(Text())
    parts += [_framed(title, rows) for title, rows in tables]
    parts.append(Padding(Text(epilog), (1, 1)))
    with console.capture() as page:
        console.print(Group(*parts))
    return page.get()


def _framed(title: str, rows: Iterable[tuple[str, str]]) -> Panel:
    table = Table(box=None, show_header=False, pad_edge=False, expand=True)
    table.add_column(no_wrap=True, style="bold cyan")
    table.add_column(ratio=1)
    for name, help in rows:
        table.add_row(Text(name), Text(help))
    return Panel(table, title=Text(title), title_align="left", border_style="dim")
