"""`demotic translate`: raw text in, text out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from demotic.base.files import read_lines
from demotic.cli.common import Threads, threads
from demotic.cli.translate_text import translate_text


def translate(
    model: Annotated[Path, typer.Argument(help="Model folder, from `demotic train` or `demotic tune`.")],
    input: Annotated[
        Path, typer.Option("--input", help="Raw text, one sentence per line.", show_default="standard input")
    ] = Path("/dev/stdin"),
    output: Annotated[
        Path | None, typer.Option("--output", help="Output file.", show_default="standard output")
    ] = None,
    kbest: Annotated[
        int, typer.Option("--kbest", min=1, help="Number of distinct translations per sentence.")
    ] = 1,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show the derivation and the score of each rule.")
    ] = False,
    strict: Annotated[
        bool,
        typer.Option("--strict", help="Stop at a line that cannot be translated, instead of copying it."),
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object per line.")] = False,
    threads_: Threads = 0,
) -> None:
    """Translate raw text with a trained model."""
    from demotic.decode import TranslationModel

    loaded = TranslationModel(model)
    if explain:
        from demotic.cli.explain import explain_lines

        explain_lines(loaded, read_lines(input))
        return
    translate_text(loaded, input, output, kbest, json, strict, threads(threads_))
