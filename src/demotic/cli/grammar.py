"""`demotic grammar index|extract|stats|show`."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from demotic.base.tables import figure
from demotic.cli.common import Json, Threads, emit, table, threads
from demotic.grammar.options import ExtractOptions

if TYPE_CHECKING:
    from demotic.grammar import Grammar, GrammarIndex

app = typer.Typer(
    no_args_is_help=True, help="Index a word-aligned corpus, and extract translation rules from it."
)

_DEFAULT = ExtractOptions()
Index = Annotated[Path, typer.Argument(help="Index file, from `demotic grammar index`.")]
Samples = Annotated[
    int, typer.Option("--samples", min=0, help="Occurrences sampled per source pattern; 0 uses all.")
]
Features = Annotated[
    str, typer.Option("--features", help="Dense feature set: cdec12, hiero8, clark8 or raw.")
]
Targets = Annotated[
    int,
    typer.Option("--max-targets", min=0, help="Target sides kept per source side, by p(e|f); 0 keeps all."),
]


@app.command()
def index(
    src: Annotated[Path, typer.Option("--src", help="Tokenised source text.")],
    tgt: Annotated[
        Path, typer.Option("--tgt", help="Tokenised target text; line N translates line N of --src.")
    ],
    align: Annotated[Path, typer.Option("--align", help="Word alignment in Pharaoh format: 0-0 1-2.")],
    out: Annotated[Path, typer.Option("--out", help="Output file.")],
    threads_: Threads = 0,
    json: Json = False,
) -> None:
    """Index a word-aligned corpus for rule extraction."""
    from demotic.grammar import index_files

    started = time.perf_counter()
    built = index_files(src, tgt, align, out, threads(threads_))
    _emit_statistics(built, {"seconds": round(time.perf_counter() - started, 2), "out": str(out)}, json)


@app.command()
def extract(
    index: Index,
    input_: Annotated[
        Path,
        typer.Option(
            "--input", help="Tokenised sentences, one per line; ` ||| reference` is passed through."
        ),
    ],
    out: Annotated[Path, typer.Option("--out", help="Output folder for grammar.0.gz, grammar.1.gz, ...")],
    samples: Samples = _DEFAULT.max_samples,
    leave_one_out: Annotated[
        bool,
        typer.Option(
            "--leave-one-out", help="Line N is pair N of the corpus; extract its grammar without that pair."
        ),
    ] = False,
    no_lexical_mask: Annotated[
        bool,
        typer.Option(
            "--no-lexical-mask", help="Left-out pairs still count in the lexical tables, as in cdec."
        ),
    ] = False,
    features: Features = _DEFAULT.features,
    max_targets: Targets = _DEFAULT.max_targets,
    threads_: Threads = 0,
) -> None:
    """Write one grammar per sentence in cdec's format, and print the <seg> lines that refer to them."""
    from demotic.grammar import GrammarIndex, extract_files

    options = ExtractOptions(
        features=features, max_samples=samples, max_targets=max_targets, lexical_mask=not no_lexical_mask
    )
    opened = GrammarIndex(index, options, threads(threads_))
    for segment, _ in extract_files(opened, input_, out, leave_one_out, threads(threads_)):
        typer.echo(segment)


@app.command()
def stats(index: Index, threads_: Threads = 0, json: Json = False) -> None:
    """Print the size of an index in pairs, words and bytes."""
    from demotic.grammar import GrammarIndex

    _emit_statistics(GrammarIndex(index, threads=threads(threads_)), {}, json)


@app.command()
def show(
    index: Index,
    phrase: Annotated[str, typer.Argument(help="Tokenised phrase, e.g. 'das haus'.")],
    limit: Annotated[
        int, typer.Option("--limit", min=1, help="Number of rules to show per source side.")
    ] = 5,
    sides: Annotated[int, typer.Option("--sides", min=1, help="Number of source sides to show.")] = 20,
    samples: Samples = _DEFAULT.max_samples,
    json: Json = False,
) -> None:
    """Show the rules for a phrase with their counts, the longest source sides first."""
    from rich.text import Text

    from demotic.grammar import GrammarIndex

    grammar = GrammarIndex(index, ExtractOptions(features="raw", max_samples=samples)).grammar(phrase)
    groups = _by_source(grammar, limit)[:sides]
    columns = ["rules", "c(f,e)", "p(e|f)", "lex p(e|f)", "lex p(f|e)"]
    rows: list[tuple[object, ...]] = []
    for group in groups:
        sampled = f"  ({figure(group['samples'])} of {figure(group['occurrences'])} sampled)"
        rows.append((Text.assemble((group["source"], "bold"), (sampled, "dim")), "", "", "", ""))
        rows += [
            (f"  {target}", count, *(f"{p:.2g}" for p in probabilities))
            for target, count, *probabilities in group["targets"]
        ]
    title = f"{figure(len(grammar))} rules for '{phrase}'"
    result = {"phrase": phrase, "rules": len(grammar), "sides": groups}
    emit(result, [table(title, columns, rows)], json)


def _by_source(grammar: Grammar, limit: int) -> list[dict[str, Any]]:
    """Source sides with their best targets as (words, c(f,e), p(e|f), lexical p(e|f), p(f|e)); most words first."""
    groups: dict[tuple[str, ...], dict[str, Any]] = {}
    for rule, occurrences in zip(grammar, grammar.counts.occurrences_f, strict=True):
        new = {
            "source": " ".join(rule.source),
            "samples": round(rule.features["CountF"]),
            "occurrences": round(float(occurrences)),
            "targets": [],
        }
        targets = groups.setdefault(rule.source, new)["targets"]
        if len(targets) < limit:
            probabilities = (rule.features[f"Prob{name}"] for name in ("EgivenF", "LexEgivenF", "LexFgivenE"))
            targets.append((" ".join(rule.target), round(rule.features["CountFE"]), *probabilities))

    def size(source: tuple[str, ...]) -> tuple[int, int]:
        return -sum(not word.startswith("[X,") for word in source), len(source)

    return [groups[source] for source in sorted(groups, key=size)]


def _emit_statistics(index: GrammarIndex, more: dict[str, Any], json: bool) -> None:
    result = index.statistics() | more
    emit(
        result,
        [table("Grammar index", ["", ""], [(k.replace("_", " "), v) for k, v in result.items()])],
        json,
    )
