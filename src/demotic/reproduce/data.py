"""The sentences of an experiment: files of the corpus folder, cut to size by a seed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from demotic.base.digests import digest_of, file_digest
from demotic.base.errors import DemoticError
from demotic.base.files import atomic_write, read_lines
from demotic.base.run import Run
from demotic.corpus.splits import random_order
from demotic.reproduce.corpus_folder import CorpusFolder, LanguagePair, SetFiles

_ALIGNMENT = "text.align"
FEWEST = {"train": 50, "set": 4}  # sentences; less is no data


@dataclass(frozen=True)
class DataSet:
    """Raw text on disk, one sentence a line."""

    source: Path
    references: tuple[Path, ...]
    sentences: int
    key: str  # digest of the text
    alignment: Path | None = None  # of the words, from elsewhere


@dataclass(frozen=True)
class MonoText:
    """Raw monolingual text on disk."""

    file: Path
    lines: int
    key: str  # digest of the text


@dataclass(frozen=True)
class Data:
    """All text of an experiment in one language pair."""

    pair: LanguagePair
    train: DataSet
    sets: dict[str, DataSet]
    mono: MonoText | None = None  # in the target language, for the language model


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
    if files.alignment:
        names.append(_ALIGNMENT)
    inputs = dict(zip(names, _paths(files), strict=True))

    def work(folder: Path) -> None:
        _write(files, [folder / name for name in names], count, seed, FEWEST.get(role, FEWEST["set"]))

    options = {"lines": files.lines, "count": count, "seed": seed}
    size = count or "all"
    folder = run.stage(f"{role}-{pair}-{files.lines}-{size}", work, options=options, inputs=inputs)
    lines = sum(1 for _ in read_lines(folder / names[0]))
    key = digest_of("".join(file_digest(folder / name) for name in names).encode())[:12]
    references = tuple(folder / name for name in names[1:] if name != _ALIGNMENT)
    alignment = folder / _ALIGNMENT if files.alignment else None
    return DataSet(folder / names[0], references, lines, key, alignment)


def read_mono(run: Run, corpus: CorpusFolder, language: str, count: int, seed: int) -> MonoText | None:
    """Monolingual text of a language, `count` lines of it drawn at random; 0: all. None if the corpus has none."""
    files = corpus.mono(language)
    if not files:
        return None

    def lines() -> Iterator[str]:
        return (line for path in files for line in read_lines(path))

    def work(folder: Path) -> None:
        total = sum(1 for _ in lines()) if count else 0
        chosen = set(random_order(total, seed)[:count].tolist()) if count < total else None
        with atomic_write(folder / "text.mono") as file:
            file.writelines(line + "\n" for i, line in enumerate(lines()) if chosen is None or i in chosen)

    inputs = {f"mono{i}": path for i, path in enumerate(files)}
    options = {"count": count, "seed": seed}
    text = run.stage(f"mono-{language}-{count or 'all'}", work, options=options, inputs=inputs) / "text.mono"
    return MonoText(text, sum(1 for _ in read_lines(text)), file_digest(text)[:12])


def _write(files: SetFiles, out: Sequence[Path], count: int, seed: int, fewest: int) -> None:
    lines = list(_rows(files))
    first = {"all": 0, "odd": 0, "even": 1}[files.lines]
    lines = lines[first :: 1 if files.lines == "all" else 2]
    if len(lines) < fewest:
        raise DemoticError(
            f"too few sentences (got {len(lines)})",
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


def _paths(files: SetFiles) -> list[Path]:
    return [files.source, *files.references, *([files.alignment] if files.alignment else [])]


def _rows(files: SetFiles) -> Iterator[tuple[str, ...]]:
    paths = _paths(files)
    try:
        yield from zip(*(read_lines(path) for path in paths), strict=True)
    except ValueError as error:
        counts = ", ".join(f"{path.name} {sum(1 for _ in read_lines(path)):,}" for path in paths)
        raise DemoticError(
            f"files of one set have different numbers of lines ({counts})",
            files.source.parent,
            hint="line N of each file must be the same sentence",
        ) from error
