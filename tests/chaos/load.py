"""`demotic serve` under load with faults: `make chaos-serve MINUTES=10`.

Good clients ask for translations and check them. Beside them others read or send one byte at a time, cut connections, send too much, send
nonsense; and from time to time the service is killed or told to end, and started again on the same port. `--pause` bounds how much is asked.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import re
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1]))

from chaos.jobs import Workshop
from demotic.base import read_lines
from demotic.decode import TranslationModel

_GOOD = 4  # clients
_STARTING = 300.0  # seconds that a start may take on a busy machine
_TIMEOUT = 60.0


class Service:
    """The process, which is not always there.

    Args:
        model: its folder.
    """

    def __init__(self, model: Path) -> None:
        self._model = model
        self.port = 0
        self.restarts: Counter[str] = Counter()
        self.said: list[str] = []
        self.cpu = 0.0  # seconds, of processes that have ended
        self.is_up = threading.Event()
        self.start()

    def start(self) -> None:
        """On the port that it had."""
        command = [
            sys.executable,
            "-m",
            "demotic",
            "serve",
            self._model,
            "--port",
            self.port,
            "--threads",
            2,
            "--no-log",
        ]
        self._process = subprocess.Popen(list(map(str, command)), stderr=subprocess.PIPE, text=True)
        assert self._process.stderr is not None
        first = self._process.stderr.readline()
        if '"listening"' not in first:
            raise RuntimeError(f"the service did not start: {first}{self._process.stderr.read()}")
        self.port = int(json.loads(first)["port"])
        log = self._process.stderr
        threading.Thread(target=lambda: self.said.extend(log), daemon=True).start()
        self.is_up.set()

    def stop(self, number: signal.Signals) -> float:
        """Seconds that it took to end."""
        self.is_up.clear()
        started = time.monotonic()
        self._process.send_signal(number)
        before = os.times()
        self._process.wait()
        after = os.times()
        self.cpu += (
            after.children_user - before.children_user + after.children_system - before.children_system
        )
        self.restarts[number.name] += 1
        return time.monotonic() - started

    def megabytes(self) -> float:
        """Memory of its own, without mapped files."""
        try:
            status = Path(f"/proc/{self._process.pid}/status").read_text("utf-8").splitlines()
            return int(next(line for line in status if line.startswith("RssAnon")).split()[1]) / 1000
        except (OSError, StopIteration):
            return 0.0


class Load:
    """Clients and what they saw.

    Args:
        service: what they ask.
        expected: translations by line.
        seed: of their choices.
        pause: seconds that each client waits before it asks again.
    """

    def __init__(self, service: Service, expected: dict[str, str], seed: int, pause: float) -> None:
        self.service, self.expected, self.seed, self.pause = service, expected, seed, pause
        self.counts: Counter[str] = Counter()
        self.milliseconds: list[float] = []
        self.stop = threading.Event()

    def threads(self) -> list[threading.Thread]:
        """All of them, not started."""
        bad = (self.slow_reader, self.slow_sender, self.cutter, self.too_much, self.nonsense)
        works = [self.good] * _GOOD + list(bad)
        return [threading.Thread(target=self._repeat, args=(work, i)) for i, work in enumerate(works)]

    def _repeat(self, work: Callable[[Random], None], number: int) -> None:
        random = Random(f"{self.seed} {number}")
        while not self.stop.is_set():
            up = self.service.is_up.is_set()
            try:
                work(random)
            except (OSError, http.client.HTTPException):
                still_up = self.service.is_up.is_set()
                kind = "failed" if up and still_up and work == self.good else "cut off or away"
                self.counts[f"{work.__name__}: {kind}"] += 1
                time.sleep(0.1)
            self.stop.wait(self.pause)

    def good(self, random: Random) -> None:
        """A sentence, whose translation is known."""
        line = random.choice(list(self.expected))
        restarts = sum(self.service.restarts.values())
        started = time.perf_counter()
        try:
            status, content = self._post({"q": line, "source": "de", "target": "en"})
        except (OSError, http.client.HTTPException):
            if sum(self.service.restarts.values()) != restarts or not self.service.is_up.is_set():
                self.counts["good: away or restarted"] += 1
                time.sleep(0.1)
                return
            raise
        if status == 200:
            is_right = json.loads(content)["translatedText"] == self.expected[line]
            self.counts["good: answered" if is_right else "good: WRONG"] += 1
            self.milliseconds.append(1000 * (time.perf_counter() - started))
        else:
            self.counts[f"good: refused with {status}"] += 1
            time.sleep(0.1)

    def _post(self, fields: dict[str, object]) -> tuple[int, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.service.port, timeout=_TIMEOUT)
        try:
            connection.request("POST", "/translate", json.dumps(fields), {"content-type": "application/json"})
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def _connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.service.port), timeout=_TIMEOUT)

    def _request(self, body: bytes, head: str = "") -> bytes:
        length = head or f"Content-Length: {len(body)}"
        return (
            f"POST /translate HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n{length}\r\n\r\n".encode()
            + body
        )

    def slow_reader(self, random: Random) -> None:
        """Asks for much, and reads a byte at a time for a while."""
        lines = random.choices(list(self.expected), k=10)
        with self._connect() as connection:
            connection.sendall(
                self._request(json.dumps({"q": lines, "source": "de", "target": "en"}).encode())
            )
            for _ in range(100):
                if self.stop.is_set() or not connection.recv(1):
                    break
                time.sleep(0.02)
        self.counts["slow_reader: done"] += 1

    def slow_sender(self, random: Random) -> None:
        """Sends half a request a byte at a time, and waits."""
        request = self._request(b'{"q": "Haus", "source": "de", "target": "en"}')
        with self._connect() as connection:
            for byte in request[: random.randrange(20, len(request))]:
                connection.sendall(bytes([byte]))
                time.sleep(0.005)
            connection.settimeout(5)
            answer = connection.recv(100)
        self.counts[f"slow_sender: {answer[9:12].decode() or 'closed'}"] += 1

    def cutter(self, random: Random) -> None:
        """Goes away without waiting for an answer, with a reset."""
        body = json.dumps(
            {"q": random.choices(list(self.expected), k=20), "source": "de", "target": "en"}
        ).encode()
        with self._connect() as connection:
            connection.sendall(self._request(body))
            time.sleep(random.random() * 0.05)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.counts["cutter: done"] += 1
        time.sleep(0.05)

    def too_much(self, random: Random) -> None:
        """Bodies, lines and words beyond the limits; a length that is not true."""
        body: bytes = random.choice(
            [
                json.dumps({"q": "Haus " * 200_000, "source": "de", "target": "en"}).encode(),
                json.dumps({"q": ["Haus"] * 20_000, "source": "de", "target": "en"}).encode(),
                json.dumps({"q": ".," * 4_950, "source": "de", "target": "en"}).encode(),
                b"[" * 100_000,
            ]
        )
        head = random.choice(
            ["", "", "Content-Length: 5\r\nTransfer-Encoding: chunked", "Content-Length: 999999999999"]
        )
        with self._connect() as connection:
            connection.sendall(self._request(body, head)[:2_000_000])
            connection.settimeout(5)
            answer = connection.recv(100)
        self.counts[f"too_much: {answer[9:12].decode() or 'closed'}"] += 1
        time.sleep(0.2)

    def nonsense(self, random: Random) -> None:
        """Bytes."""
        with self._connect() as connection:
            connection.sendall(random.randbytes(random.randrange(1, 2_000)) + b"\r\n\r\n")
            connection.settimeout(5)
            answer = connection.recv(100)
        self.counts[f"nonsense: {answer[9:12].decode(errors='replace') or 'closed'}"] += 1
        time.sleep(0.2)


def run(folder: Path, minutes: float, seed: int, pause: float, restart_every: float) -> int:
    """Print what happened; 1 if an answer was wrong, a server error was sent, or a good request failed without a restart."""
    shop = Workshop(folder)
    model = TranslationModel(shop.model)
    lines = list(dict.fromkeys(read_lines(shop.corpus / "train.de")))[:100]
    expected = dict(zip(lines, model.translate(lines, 1), strict=True))
    service = Service(shop.model)
    load = Load(service, expected, seed, pause)
    clients = load.threads()
    end, memory, slowest = time.monotonic() + 60 * minutes, [], 0.0
    for client in clients:
        client.start()
    next_restart = time.monotonic() + 60 * restart_every
    while time.monotonic() < end:
        time.sleep(min(5.0, 6 * minutes))
        memory.append(service.megabytes())
        if time.monotonic() > next_restart:
            number = signal.SIGKILL if sum(service.restarts.values()) % 2 else signal.SIGTERM
            slowest = max(slowest, service.stop(number))
            service.start()
            next_restart = time.monotonic() + 60 * restart_every
    load.stop.set()
    for client in clients:
        client.join()
    slowest = max(slowest, service.stop(signal.SIGTERM))
    return _report(load, service, memory, minutes, slowest)


def is_finding(name: str) -> bool:
    """Whether something that clients have seen should not be: a wrong answer, a server error, a good request refused but for the load."""
    refused = re.fullmatch(r"good: refused with (\d+)", name)
    if refused:
        return refused[1] not in ("429", "503")
    return "WRONG" in name or name.endswith(": failed") or bool(re.search(r": 5(?!03)\d\d$", name))


def _report(load: Load, service: Service, memory: list[float], minutes: float, slowest: float) -> int:
    for name, count in sorted(load.counts.items()):
        print(f"{name}: {count}")
    waits = sorted(load.milliseconds)
    if waits:
        places = {q: waits[min(len(waits) - 1, int(len(waits) * q / 100))] for q in (50, 95, 99)}
        print("waiting time: " + ", ".join(f"p{q} {value:.0f} ms" for q, value in places.items()))
    step = max(1, len(memory) // 30)
    print(
        f"memory, MB, over {minutes:g} minutes: {' '.join(f'{mb:.0f}' for mb in memory[::step])}; most {max(memory, default=0):.0f}"
    )
    print(
        f"restarts: {dict(service.restarts)}; the slowest end took {slowest:.1f} s; load average {os.getloadavg()[1]:.0f}"
    )
    print(f"CPU: {service.cpu:.0f} s of the service, {time.process_time():.0f} s of its clients")
    bad = list(filter(is_finding, load.counts))
    tracebacks = sum("Traceback" in line for line in service.said)
    print(f"findings: {sum(load.counts[name] for name in bad) + tracebacks}")
    return int(bool(bad or tracebacks))


def main() -> int:
    """0 if nothing was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--pause", type=float, default=0, help="seconds that a client waits before it asks again"
    )
    parser.add_argument("--restart-every", type=float, default=1, help="minutes between kills and restarts")
    parser.add_argument("--folder", type=Path, help="to work in; default: a temporary one")
    options = parser.parse_args()
    folder = options.folder or Path(tempfile.mkdtemp(prefix="demotic-load-"))
    folder.mkdir(parents=True, exist_ok=True)
    return run(folder, options.minutes, options.seed, options.pause, options.restart_every)


if __name__ == "__main__":
    sys.exit(main())
