"""`demotic reproduce`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from demotic.base.errors import DemoticError
from demotic.cli.common import Json, Seed, StageLog, Threads, emit, error_console, table, threads

if TYPE_CHECKING:
    from rich.table import Table

    from demotic.reproduce import Experiment, Result


def reproduce(
    name: Annotated[
        str | None, typer.Argument(help="Such as simianer2012-table2; or a TOML file of your own.")
    ] = None,
    corpus: Annotated[
        Path | None,
        typer.Option("--corpus", help="Folder with train.de, train.en, dev.de, dev.en, devtest.de, ..."),
    ] = None,
    scale: Annotated[str, typer.Option("--scale", help="small, medium or full.")] = "small",
    budget: Annotated[
        str | None, typer.Option("--budget", help="Such as 45m: fewer sentences, so that it ends in time.")
    ] = None,
    out: Annotated[
        Path, typer.Option("--out", help="Folder for everything; experiments share what they can.")
    ] = Path("reproduce"),
    src_lang: Annotated[
        str | None, typer.Option("--src-lang", help="ISO 639-1 code.", show_default="de, or what there is")
    ] = None,
    tgt_lang: Annotated[
        str | None, typer.Option("--tgt-lang", help="ISO 639-1 code.", show_default="en")
    ] = None,
    cluster: Annotated[str, typer.Option("--cluster", help="local, or ray.")] = "local",
    list_: Annotated[
        bool, typer.Option("--list", help="What there is, what it needs, how long it takes.")
    ] = False,
    seed: Seed = 1,
    threads_: Threads = 0,
    json: Json = False,
) -> None:
    """Run a table or figure of a paper on a corpus. Run the same command again to go on after an interruption."""
    from demotic.reproduce import (
        CorpusFolder,
        ReproduceOptions,
        load_experiment,
        parse_budget,
        result_json,
    )
    from demotic.reproduce import reproduce as run_experiment

    if list_:
        _print_list(json)
        return
    if name is None:
        raise typer.BadParameter("which one? `demotic reproduce --list` names all", param_hint="NAME")
    experiment = load_experiment(name, scale)  # type: ignore[arg-type]
    if corpus is None:
        raise DemoticError(
            "no corpus", hint="--corpus DIR, a folder with train.de, train.en, dev.de, dev.en, ..."
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
    """As on paper: what is best is bold, and published figures are dim."""
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
    """Needs and minutes of every experiment."""
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
            "\nMinutes on two cores with a corpus like Multi30k (29,000 short sentences); a run begins with a forecast for yours."
        )
        typer.echo(
            "`full` is the paper's setting. news-dev and news-test are optional, a second source language as well."
        )


def _needs(experiment: Experiment) -> list[str]:
    names = {"select": "devtest"}
    sets = [names.get(name, name) for name in experiment.sets]
    more = [f"{experiment.pairs} languages"] if experiment.pairs > 1 else []
    return ["train", *dict.fromkeys(sets), *more]


def _minutes(value: float) -> str:
    return f"{value:.0f} min" if value < 120 else f"{value / 60:.0f} h"
