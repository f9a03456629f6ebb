"""A service around a small model, in this process or in one of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from demotic.decode import TranslationModel
from demotic.serve import ServeOptions, Service, load_service
from demotic.serve.request_log import RequestLog

HOST = "http://localhost"
SMALL = ServeOptions(max_lines=4, max_words=30, max_request_words=80, max_kbest=5, max_bytes=20_000)


def service_of(
    *folders: Path,
    options: ServeOptions = SMALL,
    threads: int = 2,
    open_model: Callable[[Path], TranslationModel] = TranslationModel,
) -> Service:
    """A service that logs nothing."""
    service = load_service(folders, options, threads, open_model)
    service.log = RequestLog(None)
    return service


@contextmanager
def served(*arguments: object) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """`demotic serve` on a free port: the process and the port."""
    command = [sys.executable, "-m", "demotic", "serve", *map(str, arguments), "--port", "0"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env={**os.environ})
    try:
        assert process.stderr is not None
        first = process.stderr.readline()
        assert '"listening"' in first, first + process.stderr.read()
        yield process, int(json.loads(first)["port"])
    finally:
        process.kill()
        process.wait()
        process.stderr.close()
