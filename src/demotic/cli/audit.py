"""`demotic audit`: training pairs that look wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from demotic.cli.common import Json, Threads, emit, table, threads

_SHOWN = 20  # pairs on the terminal


def audit(
    model: Annotated[Path, typer.Argument(help="Model folder.")],
    top: Annotated[
        int | None,
        typer.Option("--top", min=1, help="Number of pairs to list.", show_default="1% of all pairs"),
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", help="TSV file for the list.")] = None,
    page: Annotated[Path | None, typer.Option("--page", help="HTML file for the list.")] = None,
    threads_: Threads = 0,
    json: Json = False,
) -> None:
    """List the training pairs that are most likely wrong, judged by the rest of the corpus."""
    from dataclasses import asdict

    from demotic.adapt.auditing import audit as find
    from demotic.adapt.auditing import write_audit
    from demotic.decode import TranslationModel

    found = find(TranslationModel(model), top=top, threads=threads(threads_))
    if out is not None:
        write_audit(found, out)
    if page is not None:
        from demotic.report.audit_page import write_audit_page

        write_audit_page(found, model.resolve().name, page)
    rows = [
        (each.line, f"{each.score:.2f}", each.reasons[0], each.source, each.target) for each in found[:_SHOWN]
    ]
    title = f"The {len(rows):,} most suspicious of {len(found):,} listed pairs"
    columns = ["line", "score", "reason", "source", "target"]
    emit({"pairs": [asdict(each) for each in found]}, [table(title, columns, rows)], json)
