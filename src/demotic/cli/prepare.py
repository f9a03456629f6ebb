"""`demotic prepare`, `tokenize`, `detokenize`."""

from __future__ import annotations

import sys
import time
from contextlib import nullcontext
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from demotic.base.files import atomic_write, read_lines
from demotic.base.options import load_toml, options_from
from demotic.cli.common import Config, Json, SourceLanguage, TargetLanguage, Threads, emit, table, threads

if TYPE_CHECKING:
    from rich.table import Table

    from demotic.corpus import PrepareSummary

Input = Annotated[Path, typer.Option("--input", help="Text file.", show_default="standard input")]
Output = Annotated[Path | None, typer.Option("--output", help="Output file.", show_default="standard output")]
Prepared = Annotated[Path, typer.Argument(help="Folder from `demotic prepare`, or a model.")]


def prepare(
    out: Annotated[
        Path, typer.Option("--out", help="Output folder for train.src, train.tgt and the summary.")
    ],
    src: Annotated[
        Path | None, typer.Option("--src", help="Source text, one sentence per line (plain, .gz, .xz).")
    ] = None,
    tgt: Annotated[
        Path | None, typer.Option("--tgt", help="Target text; line N translates line N of --src.")
    ] = None,
    input: Annotated[
        Path | None, typer.Option("--input", help="One .tsv, .tmx or .po file, instead of --src and --tgt.")
    ] = None,
    src_lang: SourceLanguage = None,
    tgt_lang: TargetLanguage = None,
    case: Annotated[
        Literal["lower", "true", "keep"] | None,
        typer.Option(
            "--case",
            help="lower: lowercase everything; true: give words at the beginning of a sentence their usual form; keep: change nothing.",
            show_default="lower",
        ),
    ] = None,
    compounds: Annotated[
        bool | None, typer.Option("--compounds", help="Split compounds on the source side.")
    ] = None,
    tokenized: Annotated[
        bool | None, typer.Option("--tokenized", help="The text is already tokenised; only clean it.")
    ] = None,
    config: Config = None,
    threads_: Threads = 0,
    json: Json = False,
) -> None:
    """Tokenise, normalise case, split compounds and clean a parallel corpus."""
    from demotic import corpus

    options = options_from(
        corpus.PrepareOptions,
        load_toml(config).get("prepare", {}) if config else {},
        file=config,
        prefix="prepare.",
    )
    given = {
        "source_language": src_lang,
        "target_language": tgt_lang,
        "case": case,
        "compounds": compounds,
        "tokenized": tokenized,
    }
    options = replace(options, **{name: value for name, value in given.items() if value is not None})  # type: ignore[arg-type]
    if input is not None and src is None and tgt is None:
        pairs = corpus.read_pairs(input, options.source_language, options.target_language)
    elif input is None and src is not None and tgt is not None:
        pairs = corpus.read_parallel(src, tgt, tokenized=options.tokenized)
    else:
        raise typer.BadParameter("give either --src and --tgt, or --input")
    started = time.perf_counter()
    summary = corpus.prepare(pairs, out, options, threads(threads_))
    seconds = time.perf_counter() - started
    emit(asdict(summary) | {"seconds": round(seconds, 2)}, summary_tables(summary, seconds), json)


def summary_tables(summary: PrepareSummary, seconds: float) -> list[Table]:
    """Counts of pairs read, removed and kept, and of words."""
    pairs = [
        ("read", summary.read),
        *((f"removed: {reason}", count) for reason, count in summary.removed.items()),
        ("kept", summary.kept),
    ]
    words = [
        ("source", summary.source_words, summary.source_types, summary.source_words / summary.kept),
        ("target", summary.target_words, summary.target_types, summary.target_words / summary.kept),
    ]
    rate = f"{seconds:.1f} s, {summary.read / max(seconds, 1e-9):,.0f} pairs/s"
    return [table("Pairs", [rate, ""], pairs), table("Text", ["", "words", "distinct", "words/line"], words)]


def tokenize(
    prepared: Prepared,
    side: Annotated[
        Literal["source", "target"],
        typer.Option("--side", help="Side of the corpus whose language the text is in."),
    ] = "source",
    input: Input = Path("/dev/stdin"),
    output: Output = None,
) -> None:
    """Tokenise raw text exactly as the training text was, line by line."""
    from demotic.corpus import Preprocessor

    preprocessor = Preprocessor.load(prepared)
    with atomic_write(output) if output else nullcontext(sys.stdout) as file:
        for line in read_lines(input):
            file.write(" ".join(preprocessor.words(line, side)) + "\n")


def detokenize(prepared: Prepared, input: Input = Path("/dev/stdin"), output: Output = None) -> None:
    """Undo `tokenize`: restore case and detokenise translations."""
    from demotic.corpus import Preprocessor
    from demotic.corpus.text import split_words

    preprocessor = Preprocessor.load(prepared)
    with atomic_write(output) if output else nullcontext(sys.stdout) as file:
        for line in read_lines(input):
            file.write(preprocessor.restore(split_words(line)) + "\n")
