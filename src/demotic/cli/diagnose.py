"""`demotic diagnose`: where a model loses BLEU."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from demotic.cli.common import Json, Threads, emit, table, threads


def diagnose(
    model: Annotated[Path, typer.Argument(help="Model folder.")],
    src: Annotated[Path, typer.Option("--src", help="Raw source text, one sentence per line.")],
    ref: Annotated[list[Path], typer.Option("--ref", help="Raw reference; repeat for more.")],
    pop_limit: Annotated[
        int, typer.Option("--pop-limit", min=1, help="Pop limit of the larger search.")
    ] = 2000,
    kbest: Annotated[int, typer.Option("--kbest", min=1, help="Length of the lists.")] = 100,
    threads_: Threads = 0,
    json: Json = False,
) -> None:
    """Show how much BLEU a model loses to search, to ranking and to missing rules."""
    from demotic.adapt.diagnosing import BudgetOptions, error_budget
    from demotic.base.files import read_lines
    from demotic.decode import TranslationModel
    from demotic.evaluate import read_references

    found = error_budget(
        TranslationModel(model),
        list(read_lines(src)),
        read_references(ref),
        BudgetOptions(pop_limit, kbest),
        threads(threads_),
    )
    rows = [
        ("the model", f"{found.model:.2f}", ""),
        (f"with pop limit {pop_limit:,}", f"{found.larger_search:.2f}", f"search {found.search:+.2f}"),
        (
            f"best of {kbest:,} translations",
            f"{found.list_oracle:.2f}",
            f"ranking, in the list {found.ranking_list:+.2f}",
        ),
        (
            "best of the hypergraph",
            f"{found.forest_oracle:.2f}",
            f"ranking, beyond the list {found.ranking_forest:+.2f}",
        ),
        ("the references", "100.00", f"missing or pruned rules {found.missing:+.2f}"),
    ]
    title = f"BLEU of {found.sentences:,} sentences, on prepared words"
    note = (
        f"The larger search finds a better score for {found.search_errors:.1%} of the sentences; "
        f"a reference is in the hypergraph of {found.reachable:.1%}."
    )
    emit(found.to_json(), [table(title, ["translation", "BLEU", "lost to"], rows), note], json)
