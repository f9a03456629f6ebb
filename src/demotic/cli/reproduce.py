"""`demotic reproduce`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from demotic.base.errors import DemoticError
from demotic.base.extras import need_extra
from demotic.cli.common import (
    Cluster,
    Json,
    Seed,
    StageLog,
    TargetLanguage,
    Threads,
    emit,
    error_console,
    table,
    threads,
)

if TYPE_CHECKING:
    from rich.table import Table

    from demotic.reproduce import Experiment, Result


Name = Annotated[
    str | None, typer.Argument(help="Experiment, e.g. simianer2012-table2, or your own TOML file.")
]
Corpus = Annotated[
    Path | None,
    typer.Option("--corpus", help="Corpus folder with train.de, train.en, dev.de, dev.en, devtest.de, ..."),
]
Scale = Annotated[
    str,
    typer.Option(
        "--scale",
        help="Size of the experiment: small, medium, corpus (all training pairs, the shape of the paper) or full (the paper's setting).",
    ),
]
Budget = Annotated[
    str | None,
    typer.Option("--budget", help="Time limit, e.g. 45m; the number of sentences is reduced to meet it."),
]
Out = Annotated[
    Path, typer.Option("--out", help="Output folder; experiments in the same folder share models.")
]
CorpusSourceLanguage = Annotated[
    str | None,
    typer.Option(
        "--src-lang",
        help="Source language as an ISO 639-1 code.",
        show_default="de, or the language of the corpus",
    ),
]
List = Annotated[
    bool, typer.Option("--list", help="List the experiments with the data and the time that they need.")
]


def reproduce(
    name: Name = None,
    corpus: Corpus = None,
    scale: Scale = "small",
    budget: Budget = None,
    out: Out = Path("reproduce"),
    src_lang: CorpusSourceLanguage = None,
    tgt_lang: TargetLanguage = None,
    cluster: Cluster = "local",
    list_: List = False,
    seed: Seed = 1,
    threads_: Threads = 0,
    json: Json = False,
) -> None:
    """Reproduce a table or figure of a paper on a corpus. An interrupted run resumes when the command is repeated."""
    need_extra("report")
    from demotic.pipeline.budget import parse_budget
    from demotic.reproduce import (
        CorpusFolder,
        ReproduceOptions,
        load_experiment,
        result_json,
    )
    from demotic.reproduce import reproduce as run_experiment

    if list_:
        _print_list(json)
        return
    if name is None:
        raise typer.BadParameter(
            "missing; `demotic reproduce --list` shows all experiments", param_hint="NAME"
        )
    experiment = load_experiment(name, scale)  # type: ignore[arg-type]
    if corpus is None:
        raise DemoticError(
            "--corpus is missing", hint="give a folder with train.de, train.en, dev.de, dev.en, ..."
        )
    options = ReproduceOptions(
        scale, parse_budget(budget) if budget else 0.0, seed, threads(threads_), cluster
    )
    console = error_console(json)

    def say(line: str) -> None:
        console.print(f" [green]✓[/green] {line}", highlight=False)

    folder = CorpusFolder(corpus, src_lang, tgt_lang)
    log = StageLog(quiet=json)
    result, files = run_experiment(experiment, folder, out, options, say=say, on_stage=log)
    plain = {**result_json(result), "files": [str(file) for file in files]}
    emit(plain, [_table(result)], json)
    if not json:
        for line in result.remarks():
            typer.echo(line)
        typer.echo(f"Files: {files[0].parent}")


def _table(result: Result) -> Table:
    """The table as printed in the paper: best results in bold, published figures dim."""
    from rich.table import Table
    from rich.text import Text

    shown = Table(title=result.title(), title_justify="left", title_style="bold", box=None, pad_edge=False)
    for heading, side in zip(result.table.headings, result.table.alignments(), strict=True):
        style = "dim" if heading.is_published else None
        shown.add_column(str(heading), justify=side, header_style="dim", style=style)
    for row in result.table.rows:
        shown.add_row(*(Text(cell.text, style="bold" if cell.is_bold else "") for cell in row))
    return shown


def _print_list(as_json: bool) -> None:
    """Print the data and the minutes that every experiment needs."""
    from demotic.reproduce import SCALES, experiment_names, load_experiment, nominal_minutes

    rows: list[tuple[object, ...]] = []
    plain: list[dict[str, Any]] = []
    for name in experiment_names():
        scales = {scale: load_experiment(name, scale) for scale in SCALES}  # type: ignore[arg-type]
        minutes = {scale: nominal_minutes(experiment) for scale, experiment in scales.items()}
        experiment = scales["full"]
        needs = _needs(experiment)
        plain.append(
            {
                "name": name,
                "paper": experiment.paper,
                "title": experiment.title,
                "needs": needs,
                "minutes": minutes,
            }
        )
        rows.append(
            (name, experiment.title, ", ".join(needs), *(_minutes(each) for each in minutes.values()))
        )
    emit(
        {"experiments": plain},
        [table("Tables and figures", ["name", "what", "needs", *SCALES], rows)],
        as_json,
    )
    if not as_json:
        typer.echo(
            "\nTimes are for two cores and a corpus like Multi30k (29,000 short sentences); each run starts with a forecast for your corpus."
        )
        typer.echo(
            "`full` is the paper's setting. news-dev, news-test and a second source language are optional."
        )


def _needs(experiment: Experiment) -> list[str]:
    names = {"select": "devtest"}
    sets = [names.get(name, name) for name in experiment.sets]
    more = [f"{experiment.pairs} languages"] if experiment.pairs > 1 else []
    return ["train", *dict.fromkeys(sets), *more]


def _minutes(value: float) -> str:
    return f"{value:.0f} min" if value < 120 else f"{value / 60:.0f} h"
