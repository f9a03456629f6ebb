"""`demotic report`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from demotic.base.extras import need_extra
from demotic.cli.common import Json, Threads, emit, table, threads


def report(
    runs: Annotated[
        list[str],
        typer.Argument(
            metavar="RUN...",
            help="Folders from `demotic train`, `tune` or `demo`, or NAME=FOLDER; the baseline first.",
        ),
    ],
    out: Annotated[Path, typer.Option("--out", help="Output page; figures go to a folder beside it.")] = Path(
        "report.html"
    ),
    test_src: Annotated[
        Path | None, typer.Option("--test-src", help="Source side of a test set, which every run translates.")
    ] = None,
    test_ref: Annotated[
        list[Path] | None,
        typer.Option(
            "--test-ref", help="Reference translation of the test set; repeat for several references."
        ),
    ] = None,
    title: Annotated[str, typer.Option("--title", help="Title of the page.")] = "",
    examples: Annotated[
        int, typer.Option("--examples", min=1, help="Maximum number of example translations.")
    ] = 60,
    threads_: Threads = 0,
    json: Json = False,
) -> None:
    """Write an HTML report: scores with significance, learning curves, features, translations, derivations."""
    need_extra("report")
    from demotic.report import RunFolder, TestFiles, report_of_runs, write_report

    if (test_src is None) != (not test_ref):
        raise typer.BadParameter("--test-src and --test-ref must be given together")
    folders = [_folder(run) for run in runs]
    found = [RunFolder.find(path, name) for name, path in folders]
    test = TestFiles(test_src, test_ref or [], test_src.stem, examples) if test_src else None
    page, *figures = write_report(
        report_of_runs(found, title=title, test=test, threads=threads(threads_)), out
    )
    rows = [(str(page), f"{page.stat().st_size:,} bytes"), *((str(figure), "") for figure in figures)]
    plain = {"report": str(page), "figures": [str(figure) for figure in figures]}
    emit(plain, [table("Report", ["file", "size"], rows)], json)


def _folder(run: str) -> tuple[str | None, Path]:
    """`NAME=FOLDER`, unless a folder of that name exists."""
    name, equals, path = run.partition("=")
    return (name, Path(path)) if equals and name and not Path(run).exists() else (None, Path(run))
