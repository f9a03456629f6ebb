"""A service that learns, killed at random: what it acknowledged is never lost, and the log of additions has the same bytes."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import shutil
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from chaos.child import start_child
from chaos.disturb import Tally
from chaos.jobs import Workshop
from demotic.base import read_lines
from demotic.decode.additions import ADDITIONS

KEY = "a key of the tests"
_SERVED = "served"  # the model folder
_PATIENCE = 300  # seconds, on a machine that may be busy


@contextmanager
def service(model: Path, folder: Path) -> Iterator[tuple[int, int]]:
    """`demotic serve --learn` in a process of its own: its number and its port."""
    keys, log = folder / "keys.toml", folder / "serve.txt"
    keys.write_text(f'[keys.chaos]\nkey = "{KEY}"\nrequests_per_minute = 100000\nlearn = true\n')
    arguments = ["serve", str(model), "--port", "0", "--learn", "--keys", str(keys), "--threads", "1"]
    child = start_child(arguments, log)
    try:
        yield child, _port(log)
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def _port(log: Path) -> int:
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        for line in log.read_text("utf-8").splitlines() if log.exists() else []:
            if '"listening"' in line:
                return int(json.loads(line)["port"])
        time.sleep(0.02)
    raise TimeoutError(log.read_text("utf-8"))


def suggest(port: int, source: str, target: str) -> bool:
    """Whether the service acknowledged a correction; False if it died."""
    body = {"q": source, "s": target, "source": "de", "target": "en", "api_key": KEY}
    try:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=_PATIENCE)
        connection.request("POST", "/suggest", json.dumps(body), {"content-type": "application/json"})
        return connection.getresponse().status in (200, 201)
    except (OSError, http.client.HTTPException):
        return False


def kill_service(shop: Workshop, folder: Path, times: int, random: Random) -> Tally:
    """Corrections are sent one after the other, and again where no answer came."""
    tally = Tally("serve, killed while it learns")
    pairs = list(
        zip(read_lines(shop.corpus / "devtest.de"), read_lines(shop.corpus / "devtest.en"), strict=True)
    )
    expected, seconds = _learnt(shop, folder, pairs, [])
    for _ in range(times):
        moments = sorted(random.random() * seconds for _ in range(2))
        found, _ = _learnt(shop, folder, pairs, moments)
        tally.done += 1
        tally.identical += found == expected
        if found != expected:
            kept = folder / f"served-{tally.done}"
            shutil.move(folder / _SERVED, kept)
            tally.findings.append(f"killed after {moments} s: another log of additions (see {kept})")
    return tally


def _learnt(
    shop: Workshop, folder: Path, pairs: list[tuple[str, str]], moments: list[float]
) -> tuple[bytes, float]:
    """The log when all pairs are acknowledged, and the seconds between first and last; killed at these moments of it."""
    model = folder / _SERVED
    shutil.rmtree(model, ignore_errors=True)
    shutil.copytree(shop.model, model, ignore=shutil.ignore_patterns("run"))
    left, seconds = list(pairs), 0.0
    for moment in [*moments, None]:
        with service(model, folder) as (child, port):
            started = time.monotonic()
            if moment is not None:
                threading.Timer(moment / (len(moments) or 1), _kill, [child]).start()
            while left and suggest(port, *left[0]):
                del left[0]
            seconds += time.monotonic() - started
    if left:
        raise RuntimeError("the service refuses a correction")
    return (model / ADDITIONS).read_bytes(), seconds


def _kill(child: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)
