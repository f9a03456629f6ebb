"""The service: resident memory before and after 5,000 different sentences, and throughput with one and two clients at once.

A sparse model of Multi30k behind `demotic serve`, asked over HTTP. The cache of patterns is bounded, but grows up to its bound:
it is small here, and full before memory is first measured.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import tomli_w
from rich.console import Console

from benchmarks import measure
from benchmarks.learn import model as dense_model
from demotic.base import read_lines
from demotic.base.options import load_toml
from demotic.cli.common import table
from demotic.decode import TranslationModel
from demotic.decode.model_folder import MODEL_TOML, WEIGHTS
from demotic.features import TemplateSet

TEMPLATES = ("id", "src_ngram", "shape")
WEIGHTED = 500  # training sentences whose features have weights
WARM, SENTENCES, TIMED = 3_000, 5_000, 500
LINES = 10  # of a request, where memory is measured; one where requests are timed
CACHE_MB = 32


def run(unit: float) -> None:
    """Print the tables."""
    console = Console(width=130)
    folder = measure.in_process(sparse_model).result
    lines = [line for line in dict.fromkeys(read_lines(measure.CACHE / "multi30k.de")) if line]
    lines = lines[WEIGHTED : WEIGHTED + WARM + SENTENCES]
    console.print(_memory(folder, lines[:WARM], lines[WARM:]))
    console.print(_throughput(folder, lines[:TIMED]))


def sparse_model() -> Path:
    """The model of `benchmarks.learn` with weights for the features of some sentences, made once."""
    folder = measure.CACHE / "multi30k.sparse.model"
    if (folder / MODEL_TOML).exists():
        return folder
    shutil.copytree(dense_model(), folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns(MODEL_TOML))
    values = {**load_toml(dense_model() / MODEL_TOML), "features": {"templates": list(TEMPLATES)}}
    model = TranslationModel(dense_model())
    decoder = model.decoder.with_weights(model.weights)
    decoder.templates = TemplateSet(TEMPLATES)
    sources = [" ".join(model.index.source(i)) for i in range(WEIGHTED)]
    for _ in decoder.kbest(sources, 100):
        pass
    decoder.weights.grow()
    fresh = decoder.weights.values == 0
    decoder.weights.values[fresh] = np.random.default_rng(1).normal(0, 0.01, int(fresh.sum()))
    decoder.weights.save(folder / WEIGHTS)
    values["grammar"] = {"cache_mb": CACHE_MB}
    (folder / MODEL_TOML).write_text(tomli_w.dumps(values), "utf-8")
    return folder


def _memory(folder: Path, warm: Sequence[str], lines: Sequence[str]) -> object:
    with _server(folder, threads=2) as (process, address):
        _ask_all(address, warm, LINES, clients=2)
        before = _resident(process)
        _ask_all(address, lines, LINES, clients=2)
        after = _resident(process)
    features = len(TranslationModel(folder).weights)
    return table(
        f"serve: resident MB, {features:,} features, {CACHE_MB} MB for patterns",
        ["", f"after {len(warm):,} sentences", f"after {len(lines):,} others", "growth"],
        [
            (what, f"{old:.1f}", f"{new:.1f}", f"{new / old - 1:+.1%}")
            for what, old, new in zip(("all", "its own", "of mapped files"), before, after, strict=True)
        ],
    )


def _throughput(folder: Path, lines: Sequence[str]) -> object:
    rows = []
    with _server(folder, threads=2) as (process, address):
        _ask_all(address, lines, 1, clients=1)  # all patterns are known from here on
        for clients in (1, 2):
            cpu, started = _cpu(process), time.perf_counter()
            _ask_all(address, lines, 1, clients)
            wall = time.perf_counter() - started
            rows.append(
                (clients, f"{len(lines) / wall:.0f}", f"{1000 * (_cpu(process) - cpu) / len(lines):.1f}")
            )
    return table(
        "serve: requests of one sentence, two threads that decode",
        ["clients at once", "sentences/s", "CPU ms of the server a sentence"],
        rows,
    )


@contextmanager
def _server(folder: Path, threads: int) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "demotic", "serve", folder, "--port", port, "--threads", threads]
    process = subprocess.Popen(list(map(str, command)), stderr=subprocess.DEVNULL)
    try:
        while True:
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except OSError:
                if process.poll() is not None:
                    sys.exit("demotic serve did not start")
                time.sleep(0.1)
        yield process, f"http://127.0.0.1:{port}/translate"
    finally:
        process.terminate()
        process.wait()


def _ask_all(address: str, lines: Sequence[str], size: int, clients: int) -> None:
    """Requests of so many lines, so many at once."""
    requests = [lines[begin : begin + size] for begin in range(0, len(lines), size)]
    with ThreadPoolExecutor(clients) as pool:
        for asked, answered in pool.map(lambda each: (len(each), _ask(address, each)), requests):
            assert asked == answered


def _ask(address: str, lines: Sequence[str]) -> int:
    """How many translations came back."""
    body = json.dumps({"lines": list(lines)}).encode()
    request = urllib.request.Request(address, body, {"content-type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        return len(json.load(answer)["translations"])


def _resident(process: subprocess.Popen[bytes]) -> tuple[float, float, float]:
    """MB: all, its own, and those of files that are mapped, which come in as they are read."""
    status = dict(
        line.split(":", 1) for line in Path(f"/proc/{process.pid}/status").read_text("utf-8").splitlines()
    )
    all_, own = (int(status[name].split()[0]) / 1000 for name in ("VmRSS", "RssAnon"))
    return all_, own, all_ - own


def _cpu(process: subprocess.Popen[bytes]) -> float:
    """Seconds, user and system."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
