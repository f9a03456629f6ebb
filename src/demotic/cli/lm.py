"""`demotic lm train|score`."""

from __future__ import annotations

import re
import time
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from demotic.cli.common import Json, Threads, emit, table, threads

app = typer.Typer(no_args_is_help=True, help="Language models: training and scores.")

_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def _bytes(text: str) -> int:
    """A size such as 500M or 2G."""
    found = re.fullmatch(r"(\d+)([KMG]?)B?", text.strip().upper())
    if not found:
        raise typer.BadParameter(f"{text!r} is not a size: write 500M or 2G")
    return int(found[1]) * _UNITS[found[2]]


def _thresholds(text: str) -> tuple[int, ...]:
    """Whole numbers separated by commas or spaces."""
    try:
        return tuple(int(value) for value in re.split(r"[ ,]+", text.strip()) if value)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is not a list of whole numbers: write 0,0,1") from None


@app.command()
def train(
    text: Annotated[
        list[Path], typer.Argument(help="Tokenised text, one sentence a line (plain, .gz, .xz).")
    ],
    out: Annotated[Path, typer.Option("--out", help="lm.bin, lm.arpa, lm.arpa.gz or lm.arpa.xz.")],
    order: Annotated[int, typer.Option("--order", min=1, help="Length of the longest n-grams.")] = 5,
    prune: Annotated[
        str,
        typer.Option("--prune", help="Leave n-grams out that occur at most so often: one number per order."),
    ] = "",
    vocab_size: Annotated[
        int,
        typer.Option("--vocab-size", min=0, help="Most frequent words to keep; others become <unk>. 0: all."),
    ] = 0,
    vocab_from: Annotated[
        list[Path] | None,
        typer.Option("--vocab-from", help="Words outside this text or list of words become <unk>."),
    ] = None,
    memory: Annotated[
        str, typer.Option("--memory", help="For sorting; beyond it the disk is used. Such as 500M, 2G.")
    ] = "2G",
    temporary: Annotated[
        Path | None,
        typer.Option("--temporary", help="Folder for what goes to disk.", show_default="the system's"),
    ] = None,
    threads_: Threads = 0,
    json: Json = False,
) -> None:
    """Train a modified Kneser-Ney model. Several texts count as one."""
    from demotic import lm

    options = lm.LmOptions(order, _thresholds(prune), vocab_size, tuple(vocab_from or ()))
    limit = _bytes(memory)
    started = time.perf_counter()
    summary = lm.train(text, options, out, threads=threads(threads_), memory=limit, temporary=temporary)
    seconds = round(time.perf_counter() - started, 2)
    result = asdict(summary) | {"seconds": seconds, "out": str(out)}
    rows = [
        (n, count, *(f"{amount:.4f}" for amount in discounts))
        for n, (count, discounts) in enumerate(zip(summary.ngrams, summary.discounts, strict=True), start=1)
    ]
    title = f"{summary.sentences:,} sentences, {summary.words:,} words, {seconds:.1f} s"
    emit(result, [table(title, ["order", "n-grams", "D1", "D2", "D3+"], rows)], json)


@app.command()
def score(
    lm: Annotated[Path, typer.Argument(help="Model: binary, or ARPA (plain, .gz, .xz).")],
    text: Annotated[Path, typer.Argument(help="Tokenised text, one sentence a line (plain, .gz, .xz).")],
    threads_: Threads = 0,
    json: Json = False,
) -> None:
    """Log10 probability of every sentence and of the text, perplexity, unknown words."""
    from demotic.lm import LanguageModel

    scores = LanguageModel.load(lm).score_text(text, threads(threads_))
    totals = {
        "total_log10": scores.total_log10,
        "perplexity": scores.perplexity,
        "perplexity_without_oov": scores.perplexity_without_oov,
        "words": int(scores.words.sum()),
        "oov": int(scores.oov.sum()),
    }
    if not json:
        typer.echo("\n".join(f"{value:.6f}" for value in scores.log10.tolist()))
    rows = [(name.replace("_", " "), value) for name, value in totals.items()]
    title = f"{len(scores.log10):,} sentences"
    emit(totals | {"sentences": scores.log10.tolist()}, [table(title, ["", ""], rows)], json)
