"""Rule extraction: time and memory of the index and of queries, on Multi30k and Europarl, and how they grow.

`python -m benchmarks.grammar [--sentences N] [--growth] [corpus ...]`. Corpora are taken from `$DEMOTIC_SHARED/data`, prepared
and aligned once into `$DEMOTIC_BENCH` (default: build/bench). Times are CPU milliseconds per sentence unless said otherwise;
every figure comes from a process of its own, so that peak memory is that of the work alone.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from demotic.align import align
from demotic.align.options import AlignOptions
from demotic.base import read_lines
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

SHARED = Path(os.environ.get("DEMOTIC_SHARED", Path(__file__).parents[2] / "shared")) / "data"
BENCH = Path(os.environ.get("DEMOTIC_BENCH", Path(__file__).parents[1] / "build" / "bench"))
CORPORA = {
    "multi30k": ("multi30k/train", "multi30k/test"),
    "europarl": ("europarl-de-en/train300k", "europarl-de-en/devtest"),
}
# Milliseconds per sentence of cdec's extractor, 300 samples (golden/README.md and the feasibility study).
CDEC = {"multi30k": 113.0, "europarl": 227.0}
GROWTH = (30_000, 100_000, 300_000)


def run(unit: float) -> None:
    """All tables but that of growth; cdec's costs are known in seconds, so the unit is only for readers."""
    main([])


def main(arguments: list[str] | None = None) -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpora", nargs="*", choices=[*CORPORA, []], default=[])
    parser.add_argument("--sentences", type=int, default=400, help="test sentences per figure")
    parser.add_argument("--growth", action="store_true", help="also 30k, 100k and 300k pairs of europarl")
    parsed = parser.parse_args(arguments)
    console = Console(width=130)
    for name in parsed.corpora or CORPORA:
        if not (SHARED / f"{CORPORA[name][0]}.de.xz").exists():
            console.print(f"{name}: no data in {SHARED}")
            continue
        bitext = prepared(name)
        console.print(query_table(name, build(name, bitext), parsed.sentences))
    if parsed.growth and (SHARED / f"{CORPORA['europarl'][0]}.de.xz").exists():
        console.print(growth_table(parsed.sentences))


def prepared(name: str, pairs: int = 0) -> Path:
    """The bitext of a corpus (or of some of its pairs, drawn at random), made once."""
    out = BENCH / f"{name}{pairs or ''}.bitext"
    if out.exists():
        return out
    BENCH.mkdir(parents=True, exist_ok=True)
    source, target, links = (BENCH / f"{name}.{side}" for side in ("de", "en", "al"))
    if not links.exists():
        train, test = (SHARED / part for part in CORPORA[name])
        options = PrepareOptions(clean=CleanOptions(deduplicate=False))
        prepare(read_parallel(f"{train}.de.xz", f"{train}.en.xz"), BENCH / name, options, default_threads())
        (BENCH / name / "train.src").rename(source)
        (BENCH / name / "train.tgt").rename(target)
        prepare_lines(f"{test}.de.xz", BENCH / f"{name}.test.de", Preprocessor(options), "source")
        align(source, target, links, AlignOptions("fast_align"), 1, default_threads())
    if pairs:
        source, target, links = subset(name, [source, target, links], pairs)
    build_bitext(source, target, links, out)
    return out


def subset(name: str, files: list[Path], pairs: int) -> list[Path]:
    """Some lines of parallel files, the same for all."""
    chosen: set[int] | None = None
    result = []
    for file in files:
        lines = list(read_lines(file))
        chosen = chosen or set(random.Random(1).sample(range(len(lines)), min(pairs, len(lines))))
        part = BENCH / f"{name}{pairs}{file.suffix}"
        part.write_text("".join(f"{lines[i]}\n" for i in sorted(chosen)), "utf-8")
        result.append(part)
    return result


def test_sentences(name: str, count: int) -> list[str]:
    """The first sentences of the test set."""
    return list(read_lines(BENCH / f"{name}.test.de"))[:count]


# ---------------------------------------------------------------------------------------------------- measurements


def apart(function: Callable[..., dict[str, Any]], *arguments: Any) -> dict[str, Any]:
    """Run in a fresh process; adds its peak memory in MB."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return pool.submit(_with_peak, function, *arguments).result()


def _with_peak(function: Callable[..., dict[str, Any]], *arguments: Any) -> dict[str, Any]:
    result = function(*arguments)
    result["peak"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return result


def build(name: str, bitext: Path) -> dict[str, Any]:
    """Build the index: wall seconds with all cores, size, peak memory."""
    return apart(_build, name, bitext)


def _build(name: str, bitext: Path) -> dict[str, Any]:
    path = bitext.with_suffix(".index")
    opened = Bitext(str(bitext))
    started = time.perf_counter()
    index = build_index(opened, path)
    seconds = time.perf_counter() - started
    started = time.perf_counter()
    GrammarIndex(path)
    statistics = index.statistics()
    return {
        "name": name,
        "path": path,
        "seconds": seconds,
        "open": time.perf_counter() - started,
        **statistics,
    }


def query(
    path: Path, sentences: list[str], options: ExtractOptions, mode: str, threads: int = 1
) -> dict[str, Any]:
    """Milliseconds per sentence. Modes: cold (no cache), warm (second half, after the first), loo (own sentences)."""
    index = GrammarIndex(path, options)
    if mode == "loo":
        chosen = random.Random(2).sample(range(len(index)), len(sentences))
        work: list[tuple[str, int | None]] = [(" ".join(index.source(i)), i) for i in chosen]
    else:
        work = [(sentence, None) for sentence in sentences]
    half = (
        len(work) // 2 if mode == "warm" else min(20, len(work) // 2)
    )  # pages of the file are touched first
    rules = 0
    for sentence, excluded in work[:half]:
        index.grammar(sentence, excluded)
    wall, cpu = time.perf_counter(), time.process_time()
    with ThreadPoolExecutor(threads) as pool:
        rules = sum(pool.map(lambda item: len(index.grammar(*item)), work[half:]))
    count = len(work) - half
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return {"cpu": cpu / count * 1e3, "wall": wall / count * 1e3, "rules": rules / count}


# ----------------------------------------------------------------------------------------------------------- tables


def query_table(name: str, built: dict[str, Any], count: int) -> Table:
    """One corpus: the index and all kinds of queries."""
    sentences = test_sentences(name, count)
    words = sum(len(sentence.split()) for sentence in sentences) / len(sentences)
    table = Table(
        title=f"{name}: {built['pairs']:,} pairs, {built['source_tokens']:,} source words; index in {built['seconds']:.1f} s, "
        f"{built['bytes'] / 1e6:.0f} MB ({built['bytes_per_source_token']} per word), peak {built['peak']:.0f} MB; opened and "
        f"checked in {built['open']:.2f} s; queries of {words:.1f} words",
        title_justify="left",
    )
    for column in ("query", "CPU ms", "wall ms", "sentences/s", "rules", "peak MB", "cdec / this"):
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
        result = apart(query, built["path"], sentences, options, mode, threads)
        table.add_row(
            label,
            f"{result['cpu']:.2f}",
            f"{result['wall']:.2f}",
            f"{1e3 / result['wall']:,.0f}",
            f"{result['rules']:,.0f}",
            f"{result['peak']:,.0f}",
            f"{CDEC[name] / result['cpu']:.0f}x",
        )
    return table


def growth_table(count: int) -> Table:
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
        built = build("europarl", prepared("europarl", pairs))
        sentences = test_sentences("europarl", count)
        cold = apart(query, built["path"], sentences, ExtractOptions(cache_mb=0), "cold")
        warm = apart(query, built["path"], sentences, ExtractOptions(), "warm")
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


if __name__ == "__main__":
    main()
