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
from dataclasses import dataclass
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


@dataclass(frozen=True)
class Learnt:
    """The log of additions when all pairs were acknowledged, the seconds between the first and the last, and the kills meanwhile."""

    log: bytes
    seconds: float
    kills: int


def kill_service(shop: Workshop, folder: Path, times: int, random: Random) -> Tally:
    """Corrections are sent one after the other, and again where no answer came; two kills in each attempt, if they come in time."""
    tally = Tally("serve, killed while it learns")
    pairs = list(
        zip(read_lines(shop.corpus / "devtest.de"), read_lines(shop.corpus / "devtest.en"), strict=True)
    )
    calm = _learnt(shop, folder, pairs, [])
    while tally.done < times and tally.missed < 3 * times:
        moments = sorted(random.random() * calm.seconds for _ in range(2))
        found = _learnt(shop, folder, pairs, moments[: times - tally.done])
        tally.done += found.kills
        tally.missed += not found.kills
        if found.log == calm.log:
            tally.identical += found.kills
        else:
            kept = folder / f"served-{tally.done}"
            shutil.move(folder / _SERVED, kept)
            tally.findings.append(f"killed after {moments} s: another log of additions (see {kept})")
    return tally


def _learnt(shop: Workshop, folder: Path, pairs: list[tuple[str, str]], moments: list[float]) -> Learnt:
    """Until all pairs are acknowledged; killed at these moments (seconds), unless it is done before."""
    model = folder / _SERVED
    shutil.rmtree(model, ignore_errors=True)
    shutil.copytree(shop.model, model, ignore=shutil.ignore_patterns("run"))
    left, seconds, kills = list(pairs), 0.0, 0
    for moment in [*moments, None]:
        with service(model, folder) as (child, port):
            started = time.monotonic()
            killer = threading.Timer(0 if moment is None else moment / len(moments), _kill, [child])
            if moment is not None:
                killer.start()
            while left and suggest(port, *left[0]):
                del left[0]
            killer.cancel()  # the number of a process that has ended may be that of another
            seconds += time.monotonic() - started
            kills += moment is not None and bool(left)
    if left:
        raise RuntimeError("the service refuses a correction")
    return Learnt((model / ADDITIONS).read_bytes(), seconds, kills)


def _kill(child: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)
