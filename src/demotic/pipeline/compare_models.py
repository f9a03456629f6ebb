"""Models compared on test sets: each set by itself, and all sets pooled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from demotic.base.errors import DemoticError
from demotic.base.files import Pathish, read_lines
from demotic.base.progress import Progress
from demotic.decode import TranslationModel
from demotic.evaluate import read_references
from demotic.pipeline.replicas import FOLDER

POOLED = "pooled"


@dataclass(frozen=True)
class TestSet:
    """Raw text to translate, with its references.

    Attributes:
        name: for tables.
        source: lines.
        references: one list of lines for each set of references.
    """

    __test__ = False  # not a class of tests

    name: str
    source: list[str]
    references: list[list[str]]


def read_test_set(name: str, source: Pathish, references: Sequence[Pathish]) -> TestSet:
    """A test set from files.

    Raises:
        DemoticError: if the files differ in length.
    """
    lines, translations = list(read_lines(source)), read_references(references)
    if len(lines) != len(translations[0]):
        raise DemoticError(
            f"{len(lines)} lines, but {references[0]} has {len(translations[0])}",
            source,
            hint="line N of each reference must translate line N of the source",
        )
    return TestSet(name, lines, translations)


def pooled_references(sets: Sequence[TestSet]) -> list[list[str]]:
    """The references of all test sets as those of one: with more sentences, a smaller difference is significant.

    Raises:
        DemoticError: if the sets differ in the number of references.
    """
    counts = {len(each.references) for each in sets}
    if len(counts) > 1:
        raise DemoticError(
            f"test sets with {' and '.join(map(str, sorted(counts)))} references cannot be pooled",
            hint="compare them one by one, or give each the same number of references",
        )
    return [[line for each in sets for line in each.references[i]] for i in range(counts.pop())]


def runs_of(folder: Path) -> list[Path]:
    """The models of a system: its replicas or draws, or itself if it has none."""
    replicas = folder / FOLDER
    if not replicas.is_dir():
        return [folder]
    return sorted((path for path in replicas.iterdir() if path.is_dir()), key=lambda path: int(path.name))


def translated(
    systems: Mapping[str, Sequence[Path]], sets: Sequence[TestSet], threads: int = 0
) -> dict[str, dict[str, list[list[str]]]]:
    """The translations of every test set by every run of every system: by set, by system, a list of lines for each run.

    Args:
        systems: by name, folders of models; one that has replicas stands for these.
        sets: what to translate.
        threads: 0: all cores. The result does not depend on it.
    """
    runs = {name: [run for folder in folders for run in runs_of(folder)] for name, folders in systems.items()}
    lines = sum(len(each.source) for each in sets)
    result: dict[str, dict[str, list[list[str]]]] = {each.name: {name: [] for name in runs} for each in sets}
    with Progress("translate", total=lines * sum(map(len, runs.values())), unit="lines") as bar:
        for name, folders in runs.items():
            for folder in folders:
                model = TranslationModel(folder)
                for each in sets:
                    found = []
                    for line in model.translate(each.source, threads):
                        found.append(line)
                        bar.advance()
                    result[each.name][name].append(found)
    return result


def pooled_translations(
    by_set: Mapping[str, Mapping[str, Sequence[list[str]]]],
) -> dict[str, list[list[str]]]:
    """The same of all sets together: run r of a system has translated each of them."""
    first, *others = by_set.values()
    return {
        name: [
            [*lines, *(line for other in others for line in other[name][run])]
            for run, lines in enumerate(runs)
        ]
        for name, runs in first.items()
    }
