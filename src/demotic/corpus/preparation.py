"""`demotic prepare`: a raw parallel corpus to tokenised, cleaned training text, in parallel and as a stream.

Two passes, because case and compounds are decided with counts of the whole corpus: the first tokenises (in worker
processes) into a temporary file while counting; the second applies case and compounds, cleans and writes.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from itertools import islice
from pathlib import Path

from demotic.base.errors import DemoticError
from demotic.base.files import Pathish, atomic_write, read_lines, staging
from demotic.base.parallel import parallel_map
from demotic.base.progress import Progress
from demotic.corpus.casing import CaseCounter
from demotic.corpus.clean import Cleaner
from demotic.corpus.compounds import CompoundSplitter
from demotic.corpus.preprocess import PrepareOptions, Preprocessor, Side
from demotic.corpus.readers import Pair
from demotic.corpus.text import check_tokenized, split_words

SOURCE, TARGET, SUMMARY = "train.src", "train.tgt", "summary.json"
LINES = "train.lines"  # which pairs of the input these are, from 1
_TOKENIZED = "tokenized"
_BLOCK = 1000  # pairs sent to a worker at a time


@dataclass(frozen=True)
class PrepareSummary:
    """What happened to a corpus."""

    read: int  # pairs
    removed: dict[str, int]  # reason -> pairs
    kept: int
    source_words: int
    target_words: int
    source_types: int
    target_types: int
    compounds_split: int  # words gained by splitting


def prepare(pairs: Iterable[Pair], out: Pathish, options: PrepareOptions, workers: int = 1) -> PrepareSummary:
    """Prepare training pairs; writes train.src, train.tgt, train.lines, summary.json and the preprocessor into `out`.

    Args:
        pairs: raw text, from one of the readers.
        out: folder, created if absent.
        options: steps and limits.
        workers: processes that tokenise; the result does not depend on it.
    """
    with staging(out) as folder:
        counters = _Counters(options)
        read = _tokenize(pairs, folder / _TOKENIZED, options, counters, workers)
        preprocessor = counters.preprocessor()
        summary = _finish(folder / _TOKENIZED, read, folder, preprocessor)
        (folder / _TOKENIZED).unlink()
        preprocessor.save(folder)
        with atomic_write(folder / SUMMARY) as file:
            json.dump(asdict(summary), file, indent=1)
    return summary


def prepare_lines(path: Pathish, out: Pathish, preprocessor: Preprocessor, side: Side) -> int:
    """Prepare a held-out file: every line is kept, so that it stays parallel to its references. Returns the lines."""
    count = 0
    with atomic_write(out) as file:
        for count, line in enumerate(read_lines(path), start=1):
            if preprocessor.options.tokenized:
                check_tokenized(line, path, count)
            file.write(" ".join(preprocessor.words(line, side)) + "\n")
    return count


class _Counters:
    """The corpus statistics that case and compounds need."""

    def __init__(self, options: PrepareOptions) -> None:
        self.options = options
        cased = options.case != "keep" and not options.tokenized
        self.source_case = CaseCounter() if cased and options.case == "true" else None
        self.target_case = CaseCounter() if cased else None  # with case "lower": to recase translations
        self.words: Counter[str] | None = Counter() if options.compounds and not options.tokenized else None

    def add(self, source: list[str], target: list[str]) -> None:
        if self.source_case:
            self.source_case.add(source)
        if self.target_case:
            self.target_case.add(target)
        if self.words is not None:
            self.words.update(word.lower() for word in source)

    def preprocessor(self) -> Preprocessor:
        counters: dict[Side, CaseCounter | None] = {"source": self.source_case, "target": self.target_case}
        casing = {side: counter.model() for side, counter in counters.items() if counter}
        splitter = CompoundSplitter(self.words, self.options.compound) if self.words is not None else None
        return Preprocessor(self.options, casing, splitter)


def _tokenize(
    pairs: Iterable[Pair], temporary: Path, options: PrepareOptions, counters: _Counters, workers: int
) -> int:
    """First pass: writes `source TAB target` per pair; returns the number of pairs."""
    work = partial(_tokenize_block, options=options)
    read = 0
    with Progress("prepare: tokenise", unit="pairs") as bar, atomic_write(temporary) as file:
        for block in parallel_map(work, _blocks(pairs), 1 if options.tokenized else workers):
            for source, target in block:
                counters.add(split_words(source), split_words(target))
                file.write(f"{source}\t{target}\n")
            read += len(block)
            bar.advance(len(block))
    return read


def _tokenize_block(block: list[Pair], options: PrepareOptions) -> list[tuple[str, str]]:
    if options.tokenized:
        return [(pair.source, pair.target) for pair in block]
    source, target = options.tokenizer("source"), options.tokenizer("target")
    return [
        (" ".join(source.tokenize(pair.source)), " ".join(target.tokenize(pair.target))) for pair in block
    ]


def _finish(temporary: Path, read: int, folder: Path, preprocessor: Preprocessor) -> PrepareSummary:
    """Second pass: case, compounds, cleaning."""
    cleaner = Cleaner(preprocessor.options.clean)
    types: tuple[set[str], set[str]] = (set(), set())
    words = [0, 0]
    split = 0
    with (
        Progress("prepare: clean", total=read, unit="pairs") as bar,
        atomic_write(folder / SOURCE) as source_file,
        atomic_write(folder / TARGET) as target_file,
        atomic_write(folder / LINES) as lines_file,
    ):
        for number, line in enumerate(read_lines(temporary), start=1):
            before, target = (split_words(side) for side in line.split("\t"))
            source, target = preprocessor.finish(before, "source"), preprocessor.finish(target, "target")
            if cleaner.keeps(source, target):
                source_file.write(" ".join(source) + "\n")
                target_file.write(" ".join(target) + "\n")
                lines_file.write(f"{number}\n")
                split += len(source) - len(before)
                for side, sentence in enumerate((source, target)):
                    words[side] += len(sentence)
                    types[side].update(sentence)
            if number % _BLOCK == 0:
                bar.advance(_BLOCK)
        _check_not_empty(cleaner)
    removed = {reason: cleaner.counts[reason] for reason in Cleaner.REASONS}
    return PrepareSummary(
        read=read,
        removed=removed,
        kept=cleaner.counts["kept"],
        source_words=words[0],
        target_words=words[1],
        source_types=len(types[0]),
        target_types=len(types[1]),
        compounds_split=split,
    )


def _check_not_empty(cleaner: Cleaner) -> None:
    if cleaner.counts["kept"] == 0:
        reasons = ", ".join(f"{count:,} {reason}" for reason, count in cleaner.counts.items() if count)
        raise DemoticError(
            f"no sentence pair is left ({reasons or 'the input is empty'})",
            hint="check the files and the limits in [prepare.clean]",
        )


def _blocks(pairs: Iterable[Pair]) -> Iterator[list[Pair]]:
    stream = iter(pairs)
    while block := list(islice(stream, _BLOCK)):
        yield block
