"""`demotic align run|score|show`."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import asdict
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from demotic.align.options import AlignOptions, Heuristic, ModelName
from demotic.base.errors import DemoticError
from demotic.base.files import read_lines
from demotic.cli.common import Json, Seed, Threads, emit, table, threads
from demotic.corpus.text import split_words

if TYPE_CHECKING:
    from rich.console import RenderableType

    from demotic.align.pharaoh import Link

app = typer.Typer(no_args_is_help=True, help="Align words; score and draw alignments.")

Symmetrize = Annotated[
    Heuristic, typer.Option("--symmetrize", help="Heuristic that combines the two directions.")
]


@app.command()
def run(
    src: Annotated[Path, typer.Option("--src", help="Tokenised source text.")],
    tgt: Annotated[
        Path, typer.Option("--tgt", help="Tokenised target text; line N translates line N of --src.")
    ],
    out: Annotated[Path, typer.Option("--out", help="Output file, in Pharaoh format: 0-0 1-2.")],
    model: Annotated[
        ModelName | None,
        typer.Option(
            "--model",
            help="Alignment model to train; all but `gibbs` need the extra `aligners`.",
            show_default=AlignOptions.model,
        ),
    ] = None,
    symmetrize: Symmetrize = AlignOptions.symmetrize,
    model_file: Annotated[
        Path | None,
        typer.Option(
            "--model-file",
            help="Align with this saved model (align.bin or a model folder) instead of training one.",
        ),
    ] = None,
    save_model: Annotated[
        Path | None,
        typer.Option("--save-model", help="Save the trained model in this file, for --model-file."),
    ] = None,
    probabilities: Annotated[
        Path | None,
        typer.Option("--probabilities", help="File for the posterior probabilities of the links."),
    ] = None,
    seed: Seed = 1,
    threads_: Threads = 0,
    json: Json = False,
) -> None:
    """Align the words of two tokenised files."""
    from demotic.align import AlignmentModel, align, align_with

    if model_file and (model or save_model):
        raise typer.BadParameter("--model-file trains nothing: leave --model and --save-model out")
    started = time.perf_counter()
    if model_file:
        saved = AlignmentModel(model_file)
        links = align_with(saved, src, tgt, out, symmetrize, probabilities)
    else:
        options = AlignOptions(model or AlignOptions.model, symmetrize)
        links = align(
            src, tgt, out, options, seed, threads(threads_), model=save_model, probabilities=probabilities
        )
    result = {
        "model": str(model_file) if model_file else options.model,
        "symmetrize": symmetrize,
        "links": links,
        "seconds": round(time.perf_counter() - started, 2),
        "out": str(out),
    }
    emit(result, [table("Alignment", ["", ""], result.items())], json)


@app.command()
def score(
    gold: Annotated[
        Path, typer.Option("--gold", help="Gold alignment: 0-0 is a sure link, 0?1 a possible one.")
    ],
    align: Annotated[Path, typer.Option("--align", help="Alignment to score, one line per pair.")],
    src: Annotated[
        Path | None, typer.Option("--src", help="Tokenised source text, to draw the worst pairs.")
    ] = None,
    tgt: Annotated[Path | None, typer.Option("--tgt", help="Tokenised target text.")] = None,
    worst: Annotated[int, typer.Option("--worst", min=0, help="Number of the worst pairs to draw.")] = 3,
    json: Json = False,
) -> None:
    """Compute precision, recall and alignment error rate against gold links."""
    from demotic.align import score_alignment

    if (src is None) != (tgt is None):
        raise typer.BadParameter("--src and --tgt must be given together")
    result = asdict(score_alignment(gold, align))
    rows = [
        (name, f"{100 * value:.2f}%" if isinstance(value, float) else value) for name, value in result.items()
    ]
    tables: list[RenderableType] = [table("Alignment", ["", ""], rows)]
    if src and tgt and not json:
        tables += _worst(gold, align, src, tgt, worst)
    emit(result, tables, json)


def _worst(gold: Path, align: Path, src: Path, tgt: Path, count: int) -> Iterator[RenderableType]:
    """Pictures of the worst pairs."""
    from demotic.align.score import worst_pairs
    from demotic.cli.alignment_grid import compared_grid

    pairs = worst_pairs(gold, align, count)
    text = {line: words for line, *words in _lines(src, tgt, {pair.line for pair in pairs})}
    for pair in pairs:
        source, target = text[pair.line]
        _check(pair.found | pair.possible, source, target, align, pair.line)
        yield f"\nline {pair.line}: AER {100 * pair.aer:.1f}% (x wrong, o missing)"
        yield compared_grid(source, target, pair.found, pair.sure, pair.possible)


@app.command()
def show(
    src: Annotated[Path, typer.Option("--src", help="Tokenised source text.")],
    tgt: Annotated[
        Path, typer.Option("--tgt", help="Tokenised target text; line N translates line N of --src.")
    ],
    align: Annotated[
        Path | None, typer.Option("--align", help="Alignment in Pharaoh format, one line per pair.")
    ] = None,
    model_file: Annotated[
        Path | None,
        typer.Option("--model-file", help="Align the pair with this saved model, instead of --align."),
    ] = None,
    line: Annotated[int, typer.Option("--line", min=1, help="Line of the pair to draw.")] = 1,
) -> None:
    """Draw the word alignment of a sentence pair."""
    from demotic.align import AlignmentModel
    from demotic.align.pharaoh import read_links
    from demotic.cli.alignment_grid import alignment_grid

    if (align is None) == (model_file is None):
        raise typer.BadParameter("give either --align or --model-file")
    _, source, target = next(_lines(src, tgt, {line}))
    if align:
        links = read_links(align)
        if len(links) < line:
            raise DemoticError(f"there is no line {line}: the file has {len(links):,}", align)
        found = frozenset(links[line - 1][0])
        _check(found, source, target, align, line)
    else:
        assert model_file is not None
        found = frozenset(AlignmentModel(model_file).align(" ".join(source), " ".join(target)).links)
    emit({}, [alignment_grid(source, target, found)], as_json=False)


def _lines(src: Path, tgt: Path, wanted: set[int]) -> Iterator[tuple[int, list[str], list[str]]]:
    """Words of some lines of two files."""
    left = set(wanted)
    for number, (source, target) in enumerate(zip_longest(read_lines(src), read_lines(tgt)), start=1):
        if number in left and source is not None and target is not None:
            left.remove(number)
            yield number, split_words(source), split_words(target)
    if left:
        raise DemoticError(f"there is no line {min(left)} in both {src.name} and {tgt.name}", src)


def _check(links: frozenset[Link], source: list[str], target: list[str], align: Path, line: int) -> None:
    """Refuse links to words that are not there."""
    for i, j in sorted(links):
        if i >= len(source) or j >= len(target):
            raise DemoticError(
                f"link {i}-{j} is out of range: the pair has {len(source)} source and {len(target)} target words",
                align,
                line,
                "are text and alignment of the same version and in the same direction?",
            )
