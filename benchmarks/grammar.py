"""Rule extraction: time and memory of the index and of queries, on Multi30k and Europarl, and how they grow.

Corpora are prepared and aligned (fast_align) once and kept in build/benchmarks; for Europarl this takes some minutes. Every
figure comes from a process of its own, so that peak memory is that of the work alone.
"""

from __future__ import annotations

import random
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks import measure
from demotic.align import align
from demotic.align.options import AlignOptions
from demotic.base import read_lines
from demotic.base.files import make_folder
from demotic.base.parallel import default_threads
from demotic.corpus import (
    Bitext,
    CleanOptions,
    PrepareOptions,
    build_bitext,
    prepare,
    prepare_lines,
    read_parallel,
)
from demotic.corpus.preprocess import Preprocessor
from demotic.grammar import ExtractOptions, GrammarIndex, build_index

CORPORA = {
    "multi30k": ("multi30k/train", "multi30k/test"),
    "europarl": ("europarl-de-en/train300k", "europarl-de-en/devtest"),
}
# Units of work per input word of cdec's extractor with 300 samples, one thread: 1,400 for 1,000 sentences of 13 words, and
# 227 ms (0.07 s a unit) for a sentence of 20 words.
CDEC = {"multi30k": 1.4 / 13, "europarl": 0.227 / 0.07 / 20}
GROWTH = (30_000, 100_000, 300_000)
SENTENCES = 200  # of the test set, per figure


def run(unit: float) -> None:
    """Print the tables. `unit`: CPU seconds of one unit of work."""
    console = Console(width=130)
    for name in CORPORA:
        console.print(query_table(name, index_of(measure.in_process(prepared, name).result), unit))
    console.print(growth_table())


def prepared(name: str, pairs: int = 0) -> Path:
    """The bitext of a corpus, or of some of its pairs drawn at random; run in a process of its own, as the rest."""
    folder = make_folder(measure.CACHE)
    out = folder / f"{name}{pairs or ''}.bitext"
    if out.exists():
        return out
    files = [folder / f"{name}.{side}" for side in ("de", "en", "al")]
    if not files[2].exists():
        train, test = (measure.shared() / "data" / part for part in CORPORA[name])
        options = PrepareOptions(clean=CleanOptions(deduplicate=False))
        prepare(read_parallel(f"{train}.de.xz", f"{train}.en.xz"), folder / name, options, default_threads())
        (folder / name / "train.src").rename(files[0])
        (folder / name / "train.tgt").rename(files[1])
        prepare_lines(f"{test}.de.xz", folder / f"{name}.test.de", Preprocessor(options), "source")
        align(files[0], files[1], files[2], AlignOptions("fast_align"), 1, default_threads())
    if pairs:
        files = subset(files, pairs)
    build_bitext(*files, out)
    return out


def subset(files: list[Path], pairs: int) -> list[Path]:
    """Some lines of parallel files, the same for all."""
    texts = [list(read_lines(file)) for file in files]
    chosen = sorted(random.Random(1).sample(range(len(texts[0])), min(pairs, len(texts[0]))))
    parts = [file.with_name(f"{file.stem}{pairs}{file.suffix}") for file in files]
    for part, lines in zip(parts, texts, strict=True):
        part.write_text("".join(f"{lines[i]}\n" for i in chosen), "utf-8")
    return parts


def test_sentences(name: str) -> list[str]:
    """The first sentences of the test set."""
    return list(read_lines(measure.CACHE / f"{name}.test.de"))[:SENTENCES]


# ---------------------------------------------------------------------------------------------------- measurements


def index_of(bitext: Path) -> dict[str, Any]:
    """Build the index: wall seconds with all cores, size, peak memory, wall seconds to open."""
    path = bitext.with_suffix(".index")
    cost = measure.in_process(_build, bitext, path)
    # Not here: a child would inherit the peak of a parent that has touched the index.
    return {"path": path, "peak": cost.peak, **measure.in_process(_open, path).result, **cost.result}


def _build(bitext: Path, path: Path) -> dict[str, Any]:
    opened = Bitext(str(bitext))
    started = time.perf_counter()
    build_index(opened, path)
    return {"seconds": time.perf_counter() - started}


def _open(path: Path) -> dict[str, Any]:
    started = time.perf_counter()
    index = GrammarIndex(path)
    return {"open": time.perf_counter() - started, **index.statistics()}


def query(
    path: Path, sentences: list[str], options: ExtractOptions, mode: str = "cold", threads: int = 1
) -> dict[str, Any]:
    """Milliseconds per sentence. Modes: cold (no cache), warm (second half, after the first), loo (own sentences)."""
    cost = measure.in_process(_query, path, sentences, options, mode, threads)
    return {"peak": cost.peak, **cost.result}


def _query(
    path: Path, sentences: list[str], options: ExtractOptions, mode: str, threads: int
) -> dict[str, float]:
    index = GrammarIndex(path, options)
    work: list[tuple[str, int | None]] = [(sentence, None) for sentence in sentences]
    if mode == "loo":
        chosen = random.Random(2).sample(range(len(index)), len(sentences))
        work = [(" ".join(index.source(i)), i) for i in chosen]
    first = len(work) // 2 if mode == "warm" else 20  # at least, the pages of the file are touched
    for sentence, excluded in work[:first]:
        index.grammar(sentence, excluded)
    wall, cpu = time.perf_counter(), time.process_time()
    with ThreadPoolExecutor(threads) as pool:
        rules = sum(pool.map(lambda item: len(index.grammar(*item)), work[first:]))
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    count = len(work) - first
    words = sum(len(sentence.split()) for sentence, _ in work[first:])
    return {
        "cpu": cpu / count * 1e3,
        "wall": wall / count * 1e3,
        "rules": rules / count,
        "words": words / count,
    }


# ----------------------------------------------------------------------------------------------------------- tables


def query_table(name: str, built: dict[str, Any], unit: float) -> Table:
    """One corpus: the index and all kinds of queries."""
    sentences = test_sentences(name)
    table = Table(
        title=f"{name}: {built['pairs']:,} pairs, {built['source_tokens']:,} source words; index in {built['seconds']:.1f} s, "
        f"{built['bytes'] / 1e6:.0f} MB ({built['bytes_per_source_token']} per word), peak {built['peak']:.0f} MB; opened and "
        f"checked in {built['open']:.2f} s",
        title_justify="left",
    )
    for column in ("query", "words", "CPU ms", "wall ms", "sentences/s", "rules", "peak MB", "cdec / this"):
        table.add_column(column, justify="left" if column == "query" else "right")
    cold, warm = ExtractOptions(cache_mb=0), ExtractOptions()
    hiero = ExtractOptions(features="hiero8", max_targets=15, cache_mb=0)
    for label, options, mode, threads in (
        ("cold, no cache", cold, "cold", 1),
        ("warm cache", warm, "warm", 1),
        ("cold, 2 threads", cold, "cold", 2),
        ("warm cache, 2 threads", warm, "warm", 2),
        ("leave-one-out", warm, "loo", 1),
        ("hiero8, 15 targets, cold", hiero, "cold", 1),
    ):
        result = query(built["path"], sentences, options, mode, threads)
        table.add_row(
            label,
            f"{result['words']:.1f}",
            f"{result['cpu']:.2f}",
            f"{result['wall']:.2f}",
            f"{1e3 / result['wall']:,.0f}",
            f"{result['rules']:,.0f}",
            f"{result['peak']:,.0f}",
            f"{CDEC[name] * result['words'] * unit * 1e3 / result['cpu']:.0f}x",
        )
    return table


def growth_table() -> Table:
    """How index and queries grow with the corpus."""
    table = Table(title="growth (europarl)", title_justify="left")
    for column in (
        "pairs",
        "source words",
        "index s",
        "index MB",
        "build peak MB",
        "cold ms",
        "warm ms",
        "rules",
        "query peak MB",
    ):
        table.add_column(column, justify="right")
    for pairs in GROWTH:
        built = index_of(measure.in_process(prepared, "europarl", pairs).result)
        sentences = test_sentences("europarl")
        cold = query(built["path"], sentences, ExtractOptions(cache_mb=0))
        warm = query(built["path"], sentences, ExtractOptions(), "warm")
        table.add_row(
            f"{built['pairs']:,}",
            f"{built['source_tokens']:,}",
            f"{built['seconds']:.1f}",
            f"{built['bytes'] / 1e6:.0f}",
            f"{built['peak']:.0f}",
            f"{cold['cpu']:.1f}",
            f"{warm['cpu']:.1f}",
            f"{cold['rules']:,.0f}",
            f"{warm['peak']:.0f}",
        )
    return table
