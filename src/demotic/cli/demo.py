"""`demotic demo`."""

from __future__ import annotations

import json as json_module
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from demotic.base.extras import need_extra
from demotic.cli.alignment_grid import alignment_grid
from demotic.cli.common import EpochLog, Seed, StageLog, Threads, table, threads

if TYPE_CHECKING:
    from demotic.reproduce.demo import DemoResult


def demo(
    out: Annotated[Path, typer.Option("--out", help="Output folder for corpus, models and report.")] = Path(
        "demo"
    ),
    seed: Seed = 1,
    threads_: Threads = 0,
) -> None:
    """Train, tune, test and report on the embedded German-English corpus."""
    need_extra("report")
    from demotic.reproduce.demo import demo as run_demo

    console = Console()
    console.print(
        "[bold]Demotic demo[/bold]: a small German-English corpus, generated from a hand-written grammar\n"
    )

    def begin(system: str) -> None:
        console.print(f"\n[bold]{system}[/bold]: sparse features, tuned on the training set")

    result = run_demo(
        out, seed=seed, workers=threads(threads_), on_stage=StageLog(), on_epoch=EpochLog(), on_system=begin
    )
    summary = json_module.loads((result.training.prepared / "summary.json").read_text("utf-8"))
    console.print()
    console.print(_corpus_table(result, summary))
    console.print()
    example = result.example
    console.print("[bold]Word alignment of one pair[/bold]")
    console.print(alignment_grid(example.source, example.target, example.links))
    console.print()
    console.print(_translation_table(result))
    console.print()
    console.print("[bold]Results on the test set[/bold]")
    console.print(result.comparison.to_table(), soft_wrap=True)
    console.print()
    console.print(f"Model: {result.model}   Corpus: {result.corpus}")
    console.print(f"Report: [bold]{result.report}[/bold]   open it in a browser")
    command = "demotic" if shutil.which("demotic") else sys.argv[0]
    last = [result.model, *result.sparse][-1]
    console.print(
        f"Try:  echo 'Der Mann sitzt auf der Bank.' | {command} translate {last} --explain", soft_wrap=True
    )
    console.print(f"or:   {command} serve {last}", soft_wrap=True)


def _corpus_table(result: DemoResult, summary: dict[str, int]) -> Table:
    rows: list[tuple[str, object, object]] = [
        ("training pairs", summary["kept"], ""),
        ("words German / English", summary["source_words"], summary["target_words"]),
        ("distinct words", summary["source_types"], summary["target_types"]),
    ]
    return table("The corpus", ["", "", ""], rows)


def _translation_table(result: DemoResult) -> Table:
    """The first test sentences."""
    shown = Table(
        title="Translations of the test set",
        title_justify="left",
        title_style="bold",
        box=None,
        pad_edge=False,
    )
    shown.add_column("", style="dim")
    shown.add_column("")
    for item in result.translations[:5]:
        shown.add_row("de", item.source)
        shown.add_row("Demotic", f"[green]{item.translation}[/green]")
        shown.add_row("reference", "the same" if item.translation == item.reference else item.reference)
        shown.add_row()
    return shown
