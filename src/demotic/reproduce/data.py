"""The sentences of an experiment: files of the corpus folder, cut to size by a seed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from demotic.base.errors import DemoticError
from demotic.base.files import atomic_write, read_lines
from demotic.base.run import Run, file_digest
from demotic.corpus.splits import random_order
from demotic.learn.fitting.keys import digest
from demotic.reproduce.corpus_folder import CorpusFolder, LanguagePair, SetFiles

FEWEST = {"train": 50, "set": 4}  # sentences; less is no data


@dataclass(frozen=True)
class DataSet:
    """Raw text on disk, one sentence a line."""

    source: Path
    references: tuple[Path, ...]
    sentences: int
    key: str  # digest of the text


@dataclass(frozen=True)
class Data:
    """All text of an experiment in one language pair."""

    pair: LanguagePair
    train: DataSet
    sets: dict[str, DataSet]


def read_set(run: Run, corpus: CorpusFolder, role: str, pair: LanguagePair, count: int, seed: int) -> DataSet:
    """A set of sentences, `count` of them drawn at random; 0: all.

    Args:
        run: where the text is kept.
        corpus: where it comes from.
        role: `train`, or a name that `CorpusFolder.role` knows.
        pair: of languages.
        count: how many.
        seed: of the draw.
    """
    files = corpus.train(pair) if role == "train" else corpus.role(role, pair)
    names = ["text.src", *(f"text.ref{i}" for i in range(len(files.references)))]
    inputs = dict(zip(names, [files.source, *files.references], strict=True))

    def work(folder: Path) -> None:
        _write(files, [folder / name for name in names], count, seed, FEWEST.get(role, FEWEST["set"]))

    options = {"lines": files.lines, "count": count, "seed": seed}
    size = count or "all"
    folder = run.stage(f"{role}-{pair}-{files.lines}-{size}", work, options=options, inputs=inputs)
    lines = sum(1 for _ in read_lines(folder / names[0]))
    key = digest("".join(file_digest(folder / name) for name in names).encode())[:12]
    return DataSet(folder / names[0], tuple(folder / name for name in names[1:]), lines, key)


def _write(files: SetFiles, out: Sequence[Path], count: int, seed: int, fewest: int) -> None:
    lines = list(_rows(files))
    first = {"all": 0, "odd": 0, "even": 1}[files.lines]
    lines = lines[first :: 1 if files.lines == "all" else 2]
    if len(lines) < fewest:
        raise DemoticError(
            f"{len(lines)} sentences are too few to learn or to measure anything",
            files.source,
            hint=f"at least {fewest} are needed",
        )
    if count and count < len(lines):
        lines = [lines[i] for i in np.sort(random_order(len(lines), seed)[:count])]
    with ExitStack() as stack:
        writers = [stack.enter_context(atomic_write(path)) for path in out]
        for row in lines:
            for writer, line in zip(writers, row, strict=True):
                writer.write(line + "\n")


def _rows(files: SetFiles) -> Iterator[tuple[str, ...]]:
    paths = [files.source, *files.references]
    try:
        yield from zip(*(read_lines(path) for path in paths), strict=True)
    except ValueError as error:
        counts = ", ".join(f"{path.name} {sum(1 for _ in read_lines(path)):,}" for path in paths)
        raise DemoticError(
            f"files of one set have different numbers of lines ({counts})",
            files.source.parent,
            hint="line n of each must be the same sentence",
        ) from error
