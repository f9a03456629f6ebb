"""`demotic align run|score`."""

from __future__ import annotations

import time
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from demotic.align.options import AlignOptions, Heuristic, ModelName
from demotic.cli.common import Json, Seed, Threads, emit, table, threads

app = typer.Typer(no_args_is_help=True, help="Align words, and score alignments.")


@app.command()
def run(
    src: Annotated[Path, typer.Option("--src", help="Tokenised source text.")],
    tgt: Annotated[Path, typer.Option("--tgt", help="Tokenised target text, line by line.")],
    out: Annotated[Path, typer.Option("--out", help="Output file, in Pharaoh format: 0-0 1-2.")],
    model: Annotated[ModelName, typer.Option("--model", help="Alignment model.")] = AlignOptions.model,
    symmetrize: Annotated[
        Heuristic, typer.Option("--symmetrize", help="Heuristic that combines the two directions.")
    ] = AlignOptions.symmetrize,
    seed: Seed = 1,
    threads_: Threads = 0,
    json: Json = False,
) -> None:
    """Align the words of two tokenised files."""
    from demotic.align import align

    started = time.perf_counter()
    links = align(src, tgt, out, AlignOptions(model, symmetrize), seed, threads(threads_))
    seconds = time.perf_counter() - started
    result = {
        "model": model,
        "symmetrize": symmetrize,
        "links": links,
        "seconds": round(seconds, 2),
        "out": str(out),
    }
    emit(result, [table("Alignment", ["", ""], result.items())], json)


@app.command()
def score(
    gold: Annotated[
        Path, typer.Option("--gold", help="Gold alignment: 0-0 is a sure link, 0?1 a possible one.")
    ],
    align: Annotated[Path, typer.Option("--align", help="Alignment to score, line by line.")],
    json: Json = False,
) -> None:
    """Compute precision, recall and alignment error rate against gold links."""
    from demotic.align import score_alignment

    result = asdict(score_alignment(gold, align))
    rows = [
        (name, f"{100 * value:.2f}%" if isinstance(value, float) else value) for name, value in result.items()
    ]
    emit(result, [table("Alignment", ["", ""], rows)], json)
