"""The result of an experiment as a page: the table or figure first, then what some of its systems have learnt and how they translate."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from demotic.base.files import atomic_write
from demotic.base.options import options_to_dict
from demotic.report import (
    FigurePart,
    Report,
    RunFolder,
    Section,
    Table,
    TestFiles,
    report_of_runs,
    write_report,
)
from demotic.reproduce.context import Context
from demotic.reproduce.experiment import Column, Experiment, Row
from demotic.reproduce.result import Result, result_json
from demotic.reproduce.scores import Scores
from demotic.reproduce.workspace import key_of

SYSTEMS_SHOWN = 3  # the baseline and the best of the others


def write_page(result: Result, context: Context, scores: Scores, path: Path) -> list[Path]:
    """Write the page and its figures, unless it is there already; the files written now, or the page."""
    key = key_of(result_json(result))
    kept = path.with_suffix(".key")
    if path.exists() and kept.exists() and kept.read_text("utf-8") == key:
        return [path]
    files = write_report(_report(result, context, scores), path)
    with atomic_write(kept) as file:
        file.write(key)
    return files


def _report(result: Result, context: Context, scores: Scores) -> Report:
    lead = [_sentence(line) for line in result.about]
    runs = _runs(context, scores)
    test = context.data[0].sets.get("test")
    if runs:
        files = TestFiles(test.source, test.references, "test") if test else None
        page = report_of_runs(runs, title=result.title(), lead=lead, test=files, threads=context.threads)
    else:
        page = Report(result.title(), lead)
    return replace(page, sections=[_section(result)], configuration=_configuration(context))


def _section(result: Result) -> Section:
    rows = [[cell.text for cell in row] for row in result.table.rows]
    note = " ".join(map(_sentence, result.notes))
    table = Table(result.experiment.title, result.table.header(), rows, note)
    figures = [FigurePart(each.name, each.caption, each.description, each.draw) for each in result.figures]
    return Section(result.experiment.paper, (), [table], figures)


def _sentence(line: str) -> str:
    return f"{line[0].upper()}{line[1:].rstrip('.')}."


def _runs(context: Context, scores: Scores) -> list[RunFolder]:
    """The baseline and the best others, of the first language pair; one replica of each."""
    shown_bleu = (each for each in context.experiment.columns if each.value == "bleu" and each.set == "test")
    column = next(shown_bleu, Column(value="bleu", set="test"))
    rows = [row for row in context.rows() if not row.difference and context.system(row, column)[1] == 1]
    shown = [row for row in rows if context.system(row, column) in scores.outcomes]
    if not shown:
        return []

    def quality(row: Row) -> float:
        found = scores.bleu(context.system(row, column), column.translations)
        return sum(found) / len(found) if found else 0.0

    baseline = _baseline(context.experiment, shown)
    others = [row for row in shown if row != baseline]
    best = sorted(others, key=lambda row: (-quality(row), row.id))[: SYSTEMS_SHOWN - 1]
    names = [row.name() for row in [baseline, *best]]
    runs = []
    for row, name in zip([baseline, *best], names, strict=True):
        folder = scores.outcomes[context.system(row, column)][0].model
        runs.append(RunFolder(name if names.count(name) == 1 else f"{name} ({row.id})", folder, (folder,)))
    return runs


def _baseline(experiment: Experiment, rows: Sequence[Row]) -> Row:
    """What the marks of the table compare with; without such a mark the first system."""
    against = [mark.against.removeprefix("row:") for mark in experiment.marks]
    return next((row for id_ in against for row in rows if row.id == id_), rows[0])


def _configuration(context: Context) -> dict[str, Any]:
    experiment = context.experiment
    plain: dict[str, Any] = json.loads(
        json.dumps(
            {**options_to_dict(experiment), "rows": [options_to_dict(row) for row in experiment.rows]},
            default=str,
        )
    )
    plain.pop("columns"), plain.pop("marks")
    rows = {row["id"]: {key: value for key, value in row.items() if value} for row in plain.pop("rows")}
    return {**plain, "seed": context.seed, "rows": rows}
