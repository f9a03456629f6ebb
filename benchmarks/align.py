"""Word alignment: error rate, CPU and wall time, memory and growth, beside the aligners of sil-thot where it is installed.

Text is Europarl, prepared once and kept in build/benchmarks, some pairs drawn at random with 100 gold sentences behind them.
Every figure comes from a process of its own.
"""

from __future__ import annotations

import importlib.util
import random
import resource
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks import measure
from demotic.align import AlignmentModel, AlignOptions, align, align_with, score_alignment
from demotic.align.options import ModelName
from demotic.base.files import atomic_write, make_folder, read_lines
from demotic.base.parallel import default_threads
from demotic.cli.common import table
from demotic.corpus import PrepareOptions, prepare, read_parallel
from demotic.corpus.preparation import SOURCE, TARGET

SIZES = (5_000, 50_000)  # pairs, for error rates
SEEDS = (1, 2, 3)
GROWTH = (30_000, 100_000, 300_000)
THREADS = (1, 2, 4)


def run(unit: float) -> None:
    """Print the tables. `unit`: CPU seconds of one unit of work; other aligners run here, so that none is needed."""
    console = Console(width=130)
    console.print(error_table())
    console.print(growth_table())
    console.print(new_pairs_table())


def error_table() -> Table:
    """AER and CPU time by aligner; ours with three seeds."""
    jobs: list[tuple[int, ModelName, int]] = [(pairs, "gibbs", seed) for pairs in SIZES for seed in SEEDS]
    if importlib.util.find_spec("thot"):
        others: tuple[ModelName, ...] = ("eflomal", "fast_align")
        jobs += [(pairs, model, 1) for pairs in SIZES for model in others]
    rows = []
    for pairs, model, seed in jobs:
        source, target = text(pairs)
        out = measure.CACHE / f"align.{pairs}.{model}.{seed}.links"
        cost = measure.in_process(_align, source, target, out, model, seed, 1)
        score = score_alignment(_gold("gold"), _last(out, 100))
        precision, recall, aer = (f"{100 * x:.1f}%" for x in (score.precision, score.recall, score.aer))
        rows.append((pairs, model, seed, precision, recall, aer, f"{cost.cpu + cost.result:.1f} s"))
    header = ["pairs", "aligner", "seed", "precision", "recall", "AER", "CPU"]
    return table("Against 100 gold sentences", header, rows)


def growth_table() -> Table:
    """CPU, wall time and memory with all cores, and whether threads change a byte."""
    rows = []
    for pairs in GROWTH:
        source, target = text(pairs)
        links = set()
        for threads in sorted({*THREADS, default_threads()} if pairs == GROWTH[0] else {default_threads()}):
            out = measure.CACHE / f"align.{pairs}.threads{threads}.links"
            cost = measure.in_process(_align, source, target, out, "gibbs", 1, threads)
            links.add(out.read_bytes())
            rows.append(
                (
                    pairs,
                    threads,
                    f"{cost.cpu:.1f} s",
                    f"{cost.wall:.1f} s",
                    f"{cost.peak:.0f} MB",
                    len(links) == 1,
                )
            )
    return table("gibbs by size", ["pairs", "threads", "CPU", "wall", "peak", "same bytes"], rows)


def new_pairs_table() -> Table:
    """The gold sentences aligned with a model whose training text did not have them."""
    gold = {line for side in ("de", "en") for line in read_lines(_gold(side))}
    pairs = [pair for pair in _read(text(SIZES[-1])) if not gold & set(pair)]
    files = _write("align.new", pairs)
    model, out = measure.CACHE / "align.new.model", measure.CACHE / "align.new.links"
    align(*files, measure.CACHE / "align.new.train", AlignOptions(), workers=default_threads(), model=model)
    saved = AlignmentModel(model)
    align_with(saved, _gold("de"), _gold("en"), out)
    sentences = list(zip(read_lines(_gold("de")), read_lines(_gold("en")), strict=True))
    started = time.process_time()
    for pair in sentences:
        saved.align(*pair)
    seconds = time.process_time() - started
    score = score_alignment(_gold("gold"), out)
    rows = [(len(pairs), f"{100 * score.aer:.1f}%", f"{1000 * seconds / len(sentences):.2f} ms")]
    return table("New pairs with a saved model", ["training pairs", "AER", "CPU a pair"], rows)


def text(pairs: int) -> tuple[Path, Path]:
    """Some pairs of Europarl, and the gold sentences behind them."""
    prepared = measure.CACHE / "align.europarl"
    if not prepared.exists():
        stem = measure.shared() / "data" / "europarl-de-en" / "train300k"
        raw = read_parallel(f"{stem}.de.xz", f"{stem}.en.xz")
        prepare(raw, prepared, PrepareOptions(), default_threads())
    every = _read((prepared / SOURCE, prepared / TARGET))
    chosen = sorted(random.Random(1).sample(range(len(every)), min(pairs, len(every))))
    return _write(f"align.{pairs}", [every[i] for i in chosen] + _read((_gold("de"), _gold("en"))))


def _align(source: Path, target: Path, out: Path, model: ModelName, seed: int, threads: int) -> float:
    """CPU seconds of child processes: the directions of other aligners are trained there."""
    align(source, target, out, AlignOptions(model), seed, threads)
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _gold(part: str) -> Path:
    return measure.shared() / "data" / "gold-align" / f"de-en.bicici.{part}"


def _read(files: tuple[Path, Path]) -> list[tuple[str, str]]:
    return list(zip(read_lines(files[0]), read_lines(files[1]), strict=True))


def _write(name: str, pairs: list[tuple[str, str]]) -> tuple[Path, Path]:
    files = tuple(make_folder(measure.CACHE) / f"{name}.{side}" for side in ("de", "en"))
    for side, path in enumerate(files):
        with atomic_write(path) as file:
            file.writelines(pair[side] + "\n" for pair in pairs)
    return files[0], files[1]


def _last(path: Path, count: int) -> Path:
    out = path.with_suffix(".gold")
    with atomic_write(out) as file:
        file.writelines(line + "\n" for line in list(read_lines(path))[-count:])
    return out
