"""`demotic lm train|score`."""

from __future__ import annotations

import re
import time
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from demotic.cli.common import Json, Threads, emit, table, threads

app = typer.Typer(no_args_is_help=True, help="Train language models, and score text with them.")

_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def _bytes(text: str) -> int:
    """A size such as 500M or 2G."""
    found = re.fullmatch(r"([0-9]{1,15})([KMG]?)B?", text.strip().upper())
    if not found:
        raise typer.BadParameter(f"{text[:40]!r} is not a size, such as 500M or 2G")
    return int(found[1]) * _UNITS[found[2]]


def _thresholds(text: str) -> tuple[int, ...]:
    """Whole numbers separated by commas or spaces."""
    try:
        return tuple(int(value) for value in re.split(r"[ ,]+", text.strip()) if value)
    except ValueError:
        raise typer.BadParameter(f"{text[:40]!r} is not a list of whole numbers, such as 0,0,1") from None


@app.command()
def train(
    text: Annotated[
        list[Path], typer.Argument(help="Tokenised text, one sentence per line (plain, .gz, .xz).")
    ],
    out: Annotated[
        Path,
        typer.Option(
            "--out", help="Output file; the ending chooses the format: .bin, .arpa, .arpa.gz or .arpa.xz."
        ),
    ],
    order: Annotated[
        int, typer.Option("--order", min=1, help="Order of the model: length of the longest n-grams.")
    ] = 5,
    prune: Annotated[
        str,
        typer.Option(
            "--prune", help="Drop n-grams that occur at most N times, one number per order, e.g. 0,0,1."
        ),
    ] = "",
    vocab_size: Annotated[
        int,
        typer.Option(
            "--vocab-size", min=0, help="Keep the N most frequent words; others become <unk>. 0 keeps all."
        ),
    ] = 0,
    vocab_from: Annotated[
        list[Path] | None,
        typer.Option(
            "--vocab-from",
            help="Text or word list that defines the vocabulary; other words become <unk>. Repeatable.",
        ),
    ] = None,
    memory: Annotated[
        str, typer.Option("--memory", help="Memory for sorting, e.g. 500M; larger data are sorted on disk.")
    ] = "2G",
    temporary: Annotated[
        Path | None,
        typer.Option("--temporary", help="Folder for temporary files.", show_default="the system's"),
    ] = None,
    threads_: Threads = 0,
    json: Json = False,
) -> None:
    """Train a modified Kneser-Ney model on one or more texts."""
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
    lm: Annotated[Path, typer.Argument(help="Language model: binary, or ARPA (plain, .gz, .xz).")],
    text: Annotated[Path, typer.Argument(help="Tokenised text, one sentence per line (plain, .gz, .xz).")],
    threads_: Threads = 0,
    json: Json = False,
) -> None:
    """Print the log10 probability of every sentence and of the text, perplexity and unknown words."""
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
