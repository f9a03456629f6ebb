"""Language models: estimation, loading, queries, folds; beside KenLM."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

from rich.console import Console

from benchmarks import measure
from demotic.base.parallel import default_threads
from demotic.cli.common import table

# KenLM's costs in units (shared/golden/README.md): Europarl, 300k lines, to ARPA; and query of the same text, order 5.
LMPLZ = {("europarl", 3): 110.0, ("europarl", 5): 250.0}
KENLM_QUERY = 57.0

Row = tuple[Any, ...]


def run(unit: float) -> None:
    """Print the tables."""
    corpora = {
        "multi30k": measure.tokenized("multi30k.en", "multi30k/train.en.xz"),
        "europarl": measure.tokenized("europarl.en", "europarl-de-en/train300k.en.xz"),
    }
    console = Console()
    with tempfile.TemporaryDirectory(dir=measure.CACHE) as name:
        folder = Path(name)
        columns = ["", "order", "to", "CPU s", "wall s", "units", "lmplz units", "peak MB"]
        console.print(table("Estimation", columns, _estimation(corpora, folder, unit)))
        columns = ["", "words/s", "units", "KenLM units", "log10"]
        console.print(table("Query, Europarl, order 5", columns, _queries(corpora["europarl"], folder, unit)))
        console.print(table("Loading, order 5", ["", "ms"], _loading(folder)))
        console.print(
            table(
                "Five folds, Europarl, order 5",
                ["", "CPU s", "wall s", "ratio CPU", "ratio wall"],
                _folds(corpora["europarl"], folder),
            )
        )


def _estimation(corpora: dict[str, Path], folder: Path, unit: float) -> list[Row]:
    rows = []
    for corpus, text in corpora.items():
        for order in (3, 5):
            for kind in ("arpa", "bin"):
                cost = measure.in_process(_train, text, order, folder / f"{corpus}.{order}.{kind}", 1)
                peer = f"{LMPLZ[corpus, order]:.0f}" if (corpus, order) in LMPLZ and kind == "arpa" else ""
                rows.append(
                    (corpus, order, kind, cost.cpu, cost.wall, round(cost.cpu / unit), peer, round(cost.peak))
                )
    return rows


def _queries(text: Path, folder: Path, unit: float) -> list[Row]:
    lines = text.read_bytes().count(b"\n")
    words = len(text.read_bytes().split()) + lines
    costs = {
        "demotic, native, one thread": measure.in_process(_score_text, folder / "europarl.5.bin", text),
        "demotic, sentence by sentence": measure.in_process(
            _score_sentences, folder / "europarl.5.bin", text
        ),
        "kenlm package, sentence by sentence": measure.in_process(_kenlm, folder / "europarl.5.arpa", text),
    }
    rows: list[Row] = [
        (name, round(words / cost.result[1]), round(cost.result[1] / unit), "", f"{cost.result[0]:.1f}")
        for name, cost in costs.items()
    ]
    rows.append(
        (
            "KenLM's query, native (from its units)",
            round(words / (KENLM_QUERY * unit)),
            "",
            round(KENLM_QUERY),
            "",
        )
    )
    return rows


def _loading(folder: Path) -> list[Row]:
    rows = []
    for name in ("multi30k.5.bin", "europarl.5.bin", "multi30k.5.arpa"):
        cost = measure.in_process(_load, folder / name)
        rows.append((name, f"{1000 * cost.result:.1f}"))
    return rows


def _folds(text: Path, folder: Path) -> list[Row]:
    threads = default_threads()
    one = measure.in_process(_train, text, 5, folder / "one.bin", threads)
    five = measure.in_process(_train_folds, text, 5, folder / "folds", threads)
    return [
        ("one model", one.cpu, one.wall, "", ""),
        ("five fold models", five.cpu, five.wall, five.cpu / one.cpu, five.wall / one.wall),
    ]


def _train(text: Path, order: int, out: Path, threads: int) -> None:
    from demotic.lm import LmOptions, train

    train([text], LmOptions(order=order), out, threads=threads)


def _train_folds(text: Path, order: int, out: Path, threads: int) -> None:
    from demotic.corpus.splits import folds
    from demotic.lm import LmOptions, train_folds

    lines = text.read_bytes().count(b"\n")
    train_folds(text, folds(lines, 5, seed=1), LmOptions(order=order), out, threads=threads)


def _load(model: Path) -> float:
    from demotic.lm import LanguageModel

    started = time.perf_counter()
    LanguageModel.load(model)
    return time.perf_counter() - started


def _score_text(model: Path, text: Path) -> tuple[float, float]:
    """Score and CPU seconds, reading text and looking words up included."""
    from demotic.lm import LanguageModel

    lm = LanguageModel.load(model)
    lm.score_text(text, threads=1)  # as for KenLM, the model is in memory when the clock starts
    started = time.process_time()
    return lm.score_text(text, threads=1).total_log10, time.process_time() - started


def _score_sentences(model: Path, text: Path) -> tuple[float, float]:
    from demotic.lm import LanguageModel

    lm = LanguageModel.load(model)
    lines = text.read_text("utf-8").splitlines()
    started = time.process_time()
    return sum(map(lm.score, lines)), time.process_time() - started


def _kenlm(model: Path, text: Path) -> tuple[float, float]:
    import kenlm

    lm = kenlm.Model(str(model))
    lines = text.read_text("utf-8").splitlines()
    started = time.process_time()
    return sum(map(lm.score, lines)), time.process_time() - started
