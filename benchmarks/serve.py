"""The service under load on loopback: sentences a second against `demotic translate`, waiting times, memory, failed requests, restarts.

`python -m benchmarks.serve MODEL --src F --seconds 60` does it with any model, `python -m benchmarks.serve --seconds 60` and `python -m benchmarks serve` with a
sparse model of Multi30k, which they make. `demotic serve` is asked with LibreTranslate's call, one sentence a request. The cache of patterns is bounded, but grows up
to its bound: it is small here, and filled before anything is measured. What `translate` needs to start and to load the model is not counted.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
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
SENTENCES = 2_000
CLIENTS = (1, 8, 64)
SECONDS = 15.0  # for each number of clients
THREADS = 2
BATCH = 64  # sentences that are translated at once, where the service is compared with that
CACHE_MB = 32
RESTARTS = 3


def run(unit: float) -> None:
    """Print the tables."""
    folder = measure.in_process(sparse_model).result
    print_tables(folder, own_lines(), SECONDS)


def own_lines() -> list[str]:
    """Sentences whose features the model of `sparse_model` does not know."""
    lines = [line for line in dict.fromkeys(read_lines(measure.CACHE / "multi30k.de")) if line]
    return lines[WEIGHTED : WEIGHTED + SENTENCES]


def print_tables(folder: Path, lines: Sequence[str], seconds: float) -> None:
    """Load, then restarts under load; `seconds` for each number of clients and each way to restart."""
    console = Console(width=130)
    console.print(load_table(folder, lines, seconds))
    console.print(restart_table(folder, lines, seconds))


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


def load_table(folder: Path, lines: Sequence[str], seconds: float = SECONDS) -> object:
    """Each number of clients in turn, with `translate` on the same text before and after: the machine may be busy."""
    model = TranslationModel(folder)
    expected = dict(zip(lines, model.translate(lines, THREADS), strict=True))  # all patterns are known now
    rows = []
    with _server(folder) as (process, port):
        _load(port, expected, 2, seconds)
        before = _resident(process)
        for clients in CLIENTS:
            first = _translate_rate(model, lines, seconds / 2)
            cpu = _cpu(process)
            result = _load(port, expected, clients, seconds)
            cpu = 1000 * (_cpu(process) - cpu) / len(result.milliseconds)
            rate = len(result.milliseconds) / seconds
            second = _translate_rate(model, lines, seconds / 2)
            alone, alone_cpu = ((one + other) / 2 for one, other in zip(first, second, strict=True))
            waits = [f"{wait:.0f}" for wait in np.percentile(result.milliseconds, [50, 95, 99])]
            bad = (result.failed + result.refused, result.wrong)
            costs = (f"{rate / alone:.0%}", f"{cpu:.1f}", f"{cpu / alone_cpu:.0%}")
            rows.append((clients, f"{rate:.0f}", *costs, *waits, *bad, f"{_resident(process):.0f}"))
    header = ["clients", "sentences/s", "of `translate`", "CPU ms a sentence", "of `translate`"]
    return table(
        f"serve: one sentence a request, {THREADS} threads that decode; {before:.0f} MB before",
        [*header, "p50 ms", "p95 ms", "p99 ms", "failed", "wrong", "MB after"],
        rows,
    )


def restart_table(folder: Path, lines: Sequence[str], seconds: float = SECONDS) -> object:
    """Eight clients while the service is told to end or killed, and started anew: with a socket of its own, or one of the parent process."""
    expected = dict(zip(lines, TranslationModel(folder).translate(lines, THREADS), strict=True))
    rows = []
    for number in (signal.SIGTERM, signal.SIGKILL):
        for is_handed_over in (False, True):
            found = _restarted(folder, expected, number, is_handed_over, seconds)
            counts = (len(found.milliseconds), found.wrong, found.failed, found.refused)
            rows.append((number.name, "the parent's" if is_handed_over else "its own", RESTARTS, *counts))
    return table(
        "serve: stopped and started under load",
        ["signal", "socket", "times", "answered", "wrong answers", "failed", "tries while it was away"],
        rows,
    )


def _restarted(
    folder: Path, expected: Mapping[str, str], number: signal.Signals, is_handed_over: bool, seconds: float
) -> _Result:
    """What clients saw; they stop before the last service does."""
    port = 0
    result, stop = _Result(), threading.Event()
    clients: list[threading.Thread] = []
    with socket.create_server(("127.0.0.1", 0), backlog=128) as listener:
        for left in reversed(range(RESTARTS + 1)):
            with _server(folder, port, listener if is_handed_over else None) as (process, port):
                clients = clients or _clients(port, expected, 8, result, stop)
                time.sleep(seconds / (RESTARTS + 1))
                if left:
                    process.send_signal(number)
                    process.wait()
                    continue
                stop.set()
                for client in clients:
                    client.join()
    return result


@dataclass
class _Result:
    """What clients saw."""

    milliseconds: list[float] = field(default_factory=list)
    failed: int = 0  # no answer, or another than 200
    refused: int = 0  # nobody was listening
    wrong: int = 0  # another translation than that of `translate`


def _load(port: int, expected: Mapping[str, str], clients: int, seconds: float) -> _Result:
    result, stop = _Result(), threading.Event()
    threads = _clients(port, expected, clients, result, stop)
    time.sleep(seconds)
    stop.set()
    for thread in threads:
        thread.join()
    return result


def _clients(
    port: int, expected: Mapping[str, str], clients: int, result: _Result, stop: threading.Event
) -> list[threading.Thread]:
    lines = list(expected)

    def work(seed: int) -> None:
        choose = random.Random(seed)
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        while not stop.is_set():
            line = choose.choice(lines)
            body = json.dumps({"q": line, "source": "de", "target": "en"})
            started = time.perf_counter()
            try:
                connection.request("POST", "/translate", body, {"content-type": "application/json"})
                answer = connection.getresponse()
                content = answer.read()
            except (OSError, http.client.HTTPException) as error:
                result.refused += isinstance(error, ConnectionRefusedError)
                result.failed += not isinstance(error, ConnectionRefusedError)
                connection.close()
                time.sleep(0.05)
                continue
            result.failed += answer.status != 200
            if answer.status == 200:
                result.wrong += json.loads(content)["translatedText"] != expected[line]
                result.milliseconds.append(1000 * (time.perf_counter() - started))
        connection.close()

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(clients)]
    for thread in threads:
        thread.start()
    return threads


def _translate_rate(model: TranslationModel, lines: Sequence[str], seconds: float) -> tuple[float, float]:
    """Sentences a second of `demotic translate`, whose work this is, and CPU milliseconds a sentence: of whole batches."""
    started, cpu, done = time.perf_counter(), time.process_time(), 0
    while (passed := time.perf_counter() - started) < seconds:
        begin = done % len(lines)
        done += len(list(model.translate(lines[begin : begin + BATCH], THREADS)))
    return done / passed, 1000 * (time.process_time() - cpu) / done


@contextmanager
def _server(
    folder: Path, port: int = 0, listener: socket.socket | None = None
) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A service; with a socket that is handed over as systemd does it."""
    command = [sys.executable, "-m", "demotic", "serve", folder, "--port", port, "--threads", THREADS]
    inherited = [] if listener is None else [listener.fileno()]
    if inherited:
        command = ["bash", "-c", 'exec 3<&"$0"; LISTEN_FDS=1 LISTEN_PID=$$ exec "$@"', *inherited, *command]
    process = subprocess.Popen(list(map(str, command)), stderr=subprocess.PIPE, text=True, pass_fds=inherited)
    assert process.stderr is not None
    first = process.stderr.readline()
    if '"listening"' not in first:
        sys.exit(f"demotic serve did not start: {first}")
    log = process.stderr
    threading.Thread(
        target=lambda: [None for _ in log], daemon=True
    ).start()  # nobody reads it, but it must go somewhere
    try:
        yield process, int(json.loads(first)["port"])
    finally:
        process.terminate()
        process.wait()


def _resident(process: subprocess.Popen[str]) -> float:
    """MB of its own: those of mapped files come in as they are read."""
    status = Path(f"/proc/{process.pid}/status").read_text("utf-8").splitlines()
    return int(next(line for line in status if line.startswith("RssAnon")).split()[1]) / 1000


def _cpu(process: subprocess.Popen[str]) -> float:
    """Seconds, user and system."""
    fields = Path(f"/proc/{process.pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Any model, or the one that `run` uses."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.serve", description=__doc__)
    parser.add_argument("model", type=Path, nargs="?", help="default: a sparse model of Multi30k, made once")
    parser.add_argument("--src", type=Path, help="source sentences for MODEL")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="for each number of clients")
    parser.add_argument("--lines", type=int, default=SENTENCES)
    given = parser.parse_args()
    if (given.model is None) != (given.src is None):
        parser.error("a model and --src belong together")
    if given.model is None:
        folder, lines = measure.in_process(sparse_model).result, own_lines()
    else:
        folder, lines = given.model, [line for line in dict.fromkeys(read_lines(given.src)) if line]
    if not lines:
        parser.error(f"{given.src} has no sentences")
    with measure.OtherWork() as others:
        print_tables(folder, lines[: given.lines], given.seconds)
    print(f"other processes used {others.share:.0%} of this machine meanwhile")


if __name__ == "__main__":
    main()
