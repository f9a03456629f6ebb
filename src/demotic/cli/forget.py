"""`demotic forget`: a model without some of its training pairs."""

from __future__ import annotations

import re
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from demotic.base.errors import DemoticError
from demotic.base.files import read_lines
from demotic.cli.common import Json, Threads, emit, table, threads


def forget(
    model: Annotated[Path, typer.Argument(help="Model folder; it is not changed.")],
    out: Annotated[Path, typer.Option("--out", help="Folder of the new model.")],
    lines: Annotated[
        Path | None,
        typer.Option("--lines", help="File with the numbers of the pairs to forget, one per line, from 1."),
    ] = None,
    matching: Annotated[
        str | None,
        typer.Option(
            "--matching",
            help="Forget pairs in which the prepared text of a side matches this regular expression.",
        ),
    ] = None,
    json: Json = False,
    threads_: Threads = 0,
) -> None:
    """Write a model without some training pairs: its rules and language model are built from the others."""
    from demotic.adapt import forget as forget_pairs
    from demotic.adapt import matching_pairs
    from demotic.decode import TranslationModel

    if (lines is None) == (matching is None):
        raise typer.BadParameter("give either --lines or --matching")
    loaded = TranslationModel(model)
    numbers = _numbers(lines) if lines else matching_pairs(loaded, matching or "")
    done = forget_pairs(loaded, numbers, out, threads(threads_))
    shown = table(f"{out}", ["forgotten", "left"], [[done.pairs, done.left]])
    emit(asdict(done), [shown, "\nStill depends on the forgotten pairs:", *done.not_exact], json)


def _numbers(file: Path) -> list[int]:
    """Line numbers of the file, from 0."""
    numbers = []
    for line, text in enumerate(read_lines(file), start=1):
        if not re.fullmatch("[0-9]{1,12}", text.strip()) or int(text) < 1:
            raise DemoticError(f"'{text[:40]}' is not a line number", file, line, "lines are counted from 1")
        numbers.append(int(text) - 1)
    return numbers
