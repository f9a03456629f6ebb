"""`demotic compare`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from demotic.base.tables import TABLE_FORMATS
from demotic.cli.common import Json, Seed, Threads, threads
from demotic.cli.evaluate import (
    METRIC_HELP,
    Language,
    Model,
    Source,
    Tokenized,
    leak_line,
    search_leaks,
    text_kind,
)

if TYPE_CHECKING:
    from demotic.evaluate import LeakReport, TextKind
    from demotic.evaluate.comparison import Comparison
    from demotic.pipeline.compare_models import TestSet

Systems = Annotated[
    list[str],
    typer.Option(
        "--system",
        help="NAME=F1,F2,...: the translations of each optimiser run of a system, or with --test its model; repeatable. The first system is the baseline.",
    ),
]
ComparedReferences = Annotated[
    list[Path] | None,
    typer.Option("--ref", help="Reference translation; repeat for several references."),
]
TestSets = Annotated[
    list[str] | None,
    typer.Option(
        "--test",
        help="NAME=SRC,REF\\[,REF...]: translate this test set with the models given as systems; repeatable. Several sets are also pooled.",
    ),
]
ComparedMetrics = Annotated[
    list[str] | None,
    typer.Option("--metric", help=METRIC_HELP, show_default="bleu; with --tokenized bleu-tokens"),
]
Shuffles = Annotated[
    int,
    typer.Option(
        "--shuffles", min=1, help="Number of shuffles of approximate randomisation, and of bootstrap samples."
    ),
]
Format = Annotated[str, typer.Option("--format", help="Output format: table, markdown or latex.")]
Plot = Annotated[
    Path | None,
    typer.Option(
        "--plot", help="Draw a box plot of each system's runs: FILE.png, FILE.svg, or FILE for both."
    ),
]


def compare(
    system: Systems,
    ref: ComparedReferences = None,
    test: TestSets = None,
    metric: ComparedMetrics = None,
    tokenized: Tokenized = False,
    lang: Language = None,
    shuffles: Shuffles = 10_000,
    format: Format = "table",
    plot: Plot = None,
    model: Model = None,
    src: Source = None,
    seed: Seed = 1,
    threads_: Threads = 0,
    json: Json = False,
) -> None:
    """Compare systems: means, standard deviations, and p-values against the first system."""
    if format not in TABLE_FORMATS:
        raise typer.BadParameter(f"choose one of {', '.join(TABLE_FORMATS)}", param_hint="--format")
    if bool(ref) == bool(test):
        raise typer.BadParameter("give either --ref, to compare translations, or --test, to compare models")
    if plot is not None:
        from demotic.report.figures import need_matplotlib

        need_matplotlib()
    files = _system_files(system)
    names = metric or ["bleu-tokens" if tokenized else "bleu"]
    leaks = None
    if test:
        from demotic.pipeline.compare_models import runs_of

        if tokenized or model or src:
            raise typer.BadParameter("--test cannot be combined with --tokenized, --model or --src")
        sets = _test_sets(test)
        kind = text_kind(False, lang, runs_of(next(iter(files.values()))[0])[0])
        comparisons = _Measure(names, shuffles, seed, kind, threads(threads_)).models(files, sets)
    else:
        from demotic.evaluate import read_hypotheses, read_references

        references = read_references(ref or [])
        systems = {
            name: [read_hypotheses(path, references, (ref or [])[0]) for path in paths]
            for name, paths in files.items()
        }
        leaks = search_leaks(model, src, references, tokenized)
        kind = text_kind(tokenized, lang, model)
        measure = _Measure(names, shuffles, seed, kind, threads(threads_))
        comparisons = {"": measure.texts(systems, references)}
    if plot is not None:
        from demotic.report.box_plot import box_plot

        first = list(comparisons.values())[-1][0]  # of all test sets together
        box_plot({system.name: system.scores for system in first.systems}, plot, first.title)
    _print_comparisons(comparisons, format, leaks, bool(test), json)


@dataclass(frozen=True)
class _Measure:
    """How systems are compared."""

    metrics: list[str]
    shuffles: int
    seed: int
    kind: TextKind
    threads: int

    def texts(
        self, systems: Mapping[str, Sequence[list[str]]], references: list[list[str]]
    ) -> list[Comparison]:
        from demotic.evaluate import compare

        return [
            compare(systems, references, name, self.shuffles, self.seed, self.kind, self.threads)
            for name in self.metrics
        ]

    def models(self, systems: Mapping[str, list[Path]], sets: list[TestSet]) -> dict[str, list[Comparison]]:
        """By test set; of several sets, all together come last."""
        from demotic.pipeline.compare_models import POOLED, pooled_references, pooled_translations, translated

        together = pooled_references(sets)
        found = translated(systems, sets, self.threads)
        result = {each.name: self.texts(found[each.name], each.references) for each in sets}
        if len(sets) > 1:
            result[POOLED] = self.texts(pooled_translations(found), together)
        return result


def _test_sets(texts: list[str]) -> list[TestSet]:
    from demotic.pipeline.compare_models import POOLED, pooled_references, read_test_set

    sets: dict[str, TestSet] = {}
    for text in texts:
        name, _, files = text.partition("=")
        source, *references = files.split(",")
        if not name or not source or not references or not all(references):
            raise typer.BadParameter(f"'{text}' is not NAME=SRC,REF", param_hint="--test")
        if name in sets or name == POOLED:
            raise typer.BadParameter(f"choose another name for '{name}': it is taken", param_hint="--test")
        sets[name] = read_test_set(name, source, references)
    pooled_references(list(sets.values()))  # told before any work is done
    return list(sets.values())


def _print_comparisons(
    comparisons: Mapping[str, list[Comparison]],
    format: str,
    leaks: LeakReport | None,
    of_models: bool,
    json: bool,
) -> None:
    if json:
        import json as json_module

        result: dict[str, Any] = {
            "comparisons": [
                comparison.to_json() | ({"test": name} if name else {})
                for name, found in comparisons.items()
                for comparison in found
            ]
        }
        if leaks:
            result["leaks"] = leaks.to_json()
        typer.echo(json_module.dumps(result, ensure_ascii=False))
        return
    texts = [
        (f"{name}\n" if name else "") + getattr(comparison, f"to_{format}")()
        for name, found in comparisons.items()
        for comparison in found
    ]
    typer.echo("\n\n".join(texts))
    if format == "table" and not of_models:
        typer.echo(leak_line(leaks))


def _system_files(systems: list[str]) -> dict[str, list[Path]]:
    files: dict[str, list[Path]] = {}
    for text in systems:
        name, _, paths = text.partition("=")
        if not name or not paths:
            raise typer.BadParameter(f"'{text}' is not NAME=F1,F2,...", param_hint="--system")
        if name in files:
            raise typer.BadParameter(
                f"'{name}' is given twice; list all its files in one --system", param_hint="--system"
            )
        files[name] = [Path(path) for path in paths.split(",") if path]
    return files
