"""Each failure of the trial that the list in docs/concepts/robustness.md began with, done again: `make old-failures`.

Commands run as users run them. A line for each says what happened, and begins with "ok" if nobody has to be ashamed of it.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from chaos.jobs import Workshop
from demotic.base import DemoticError
from demotic.corpus.tokenize import tokenizer_for
from demotic.decode.verify import verify_model
from demotic.features import TemplateSet, Weights
from demotic.features.packed_weights import PackedWeights
from demotic.grammar import GrammarIndex
from demotic.lm import LanguageModel
from small_service import served

Outcome = tuple[bool, str]
_DIGITS = "9" * 5000


def demotic(*arguments: object, **named: Any) -> subprocess.CompletedProcess[str]:
    """A command; one that hangs is an error after ten minutes."""
    command = [sys.executable, "-m", "demotic", *map(str, arguments)]
    streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, **named}
    return subprocess.run(command, text=True, check=False, timeout=600, **streams)


def told(done: subprocess.CompletedProcess[str]) -> Outcome:
    """Whether a command failed in one line, and that line."""
    lines = done.stderr.strip().splitlines() or [""]
    clean = done.returncode == 1 and "Traceback" not in done.stderr and "internal error" not in done.stderr
    return clean, f"exit {done.returncode}: {lines[0][:150]}"


class Trial:
    """The failures, a method each; its first line is what is done.

    Args:
        shop: a corpus and a model.
        folder: to work in.
    """

    def __init__(self, shop: Workshop, folder: Path) -> None:
        self.shop, self.folder = shop, folder

    def _copy(self, name: str) -> Path:
        """A model of its own."""
        copy = self.folder / name
        shutil.copytree(self.shop.model, copy, ignore=shutil.ignore_patterns("run"))
        return copy

    def two_writers(self) -> Outcome:
        """Two `translate --output F` at once, three times."""
        texts = {}
        for name, lines in (("train", 200), ("long", 300)):
            text = (self.shop.corpus / "train.de").read_text("utf-8").splitlines(keepends=True)[:lines]
            (self.folder / f"{name}.de").write_text("".join(text), "utf-8")
            arguments = ["--input", self.folder / f"{name}.de", "--output", self.folder / f"{name}.en"]
            demotic("translate", self.shop.model, *arguments, "--threads", 1)
            texts[name] = (self.folder / f"{name}.en").read_bytes()
        whole = 0
        for _ in range(3):
            out = self.folder / "both.en"
            command = [
                sys.executable,
                "-m",
                "demotic",
                "translate",
                self.shop.model,
                "--output",
                out,
                "--threads",
                "1",
            ]
            both = [subprocess.Popen([*command, "--input", self.folder / f"{name}.de"]) for name in texts]
            codes = [each.wait() for each in both]
            whole += out.read_bytes() in texts.values() and codes == [0, 0]
        return whole == 3, f"{whole} of 3 files are one of the two, whole"

    def flipped_stage(self) -> Outcome:
        """Bits flipped in each output of a finished stage, same size; then the run is repeated."""
        job = self.shop.job("tune perceptron")
        work = self.folder / "stages"
        work.mkdir()
        arguments = job.arguments(work)
        demotic(*arguments)
        expected = job.result(work)
        bad = 0
        damaged = [
            path for path in sorted((work / "out").rglob("*")) if path.is_file() and path.stat().st_size > 8
        ]
        damaged = [path for path in damaged if path.name != "metrics.jsonl" and "run" in path.parts]
        for path in damaged:
            flip(path, path.stat().st_size // 2)
        done = demotic(*arguments)
        bad += done.returncode != 0 or job.result(work) != expected
        return (
            bad == 0,
            f"{len(damaged)} files damaged, exit {done.returncode}, bytes {'equal' if not bad else 'OTHER'}",
        )

    def numbering_threads(self) -> Outcome:
        """A thread numbers features while three others read the `FeatureIndex`."""
        index = GrammarIndex(self.shop.model / "index.bin")
        grammar = index.grammar("das alte haus ist klein .")
        weights = Weights.from_dict({"LanguageModel": 1.0})
        errors: list[str] = []
        stop = threading.Event()

        def repeat(work: Callable[[int], object]) -> None:
            for i in range(3000):
                if stop.is_set():
                    return
                try:
                    work(i)
                except DemoticError as error:
                    errors.append(str(error).splitlines()[0])

        templates = TemplateSet(["id", "shape", "src_ngram"])
        works: list[Callable[[int], object]] = [lambda i: weights.index.intern(f"new:{i}")]
        works += [lambda i: templates.rule_features(grammar, weights.index)] * 3
        threads = [threading.Thread(target=repeat, args=(work,), daemon=True) for work in works]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(120)
        hung = sum(thread.is_alive() for thread in threads)
        stop.set()
        return hung == 0, f"{hung} threads hang; {len(errors)} errors {sorted(set(errors))[:1]}"

    def many_marks(self) -> Outcome:
        """`serve`: `".," * 4950` in three lines."""
        with served(self.shop.model, "--no-log") as (process, port):
            started = time.monotonic()
            body = json.dumps({"q": "\n".join([".," * 4950] * 3), "source": "de", "target": "en"}).encode()
            answer = ask(port, request(body))
            seconds, memory = time.monotonic() - started, resident(process.pid)
        return answer[9:12] == b"400", f"{answer[9:12].decode()} after {seconds:.2f} s, {memory} MB"

    def lying_lengths(self) -> Outcome:
        """`serve`: `Content-Length: 5` and 300 MB of chunks; 300 half-sent requests, and Ctrl-C, twice, with them."""
        with served(self.shop.model) as (process, port):
            lying = request(b"", "Content-Length: 5\r\nTransfer-Encoding: chunked")
            sent = 0
            with socket.create_connection(("127.0.0.1", port), 30) as connection:
                try:
                    connection.sendall(lying)
                    while sent < 300_000_000:
                        connection.sendall(b"2000\r\n" + b"x" * 0x2000 + b"\r\n")
                        sent += 0x2000
                except OSError:
                    pass
            half = [socket.create_connection(("127.0.0.1", port), 30) for _ in range(300)]
            for connection in half:
                connection.sendall(
                    b"POST /translate HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{"
                )
            time.sleep(0.5)
            started = time.monotonic()
            process.send_signal(signal.SIGINT)
            time.sleep(0.1)
            process.send_signal(signal.SIGINT)
            status = process.wait(60)
            seconds = time.monotonic() - started
            assert process.stderr is not None
            tracebacks = process.stderr.read().count("Traceback")
            for connection in half:
                connection.close()
        text = (
            f"{sent / 1e6:.1f} MB taken; Ctrl-C: exit {status} after {seconds:.1f} s, {tracebacks} tracebacks"
        )
        return sent < 50e6 and seconds < 5 and not tracebacks, text

    def long_line(self) -> Outcome:
        """One line of 250,000 tokens among good ones."""
        source, out = self.folder / "one-long.de", self.folder / "one-long.en"
        source.write_text("Das Haus ist klein.\n" + "haus " * 250_000 + "\nDas Haus ist klein.\n", "utf-8")
        done = demotic("translate", self.shop.model, "--input", source, "--output", out, "--threads", 1)
        lines = out.read_text("utf-8").splitlines() if out.exists() else []
        right = len(lines) == 3 and lines[0] == lines[2] and bool(lines[0])
        return right, f"exit {done.returncode}, {len(lines)} lines; {done.stderr.strip()[:120]}"

    def copied_over(self) -> Outcome:
        """`cp other tuned/lm.bin` where `tuned` was made from a base model."""
        base, tuned = self._copy("base"), self.folder / "tuned"
        before = (base / "lm.bin").read_bytes()
        pair = ["--src", self.shop.corpus / "dev.de", "--ref", self.shop.corpus / "dev.en"]
        quick = ["--set", "iterations=1", "--set", "k=5", "--set", "restarts=1", "--threads", 1]
        demotic("tune", base, "--learner", "mert", *pair, *quick, "--out", tuned)
        subprocess.run(["cp", "/dev/null", tuned / "lm.bin"], check=False, stderr=subprocess.DEVNULL)
        same = (base / "lm.bin").read_bytes() == before
        return same, f"the base model is {'as before' if same else 'CHANGED'}"

    def cut_off(self) -> Outcome:
        """A mapped file is cut off in place while `translate` runs."""
        model = self._copy("cut")
        process = subprocess.Popen(
            [sys.executable, "-m", "demotic", "translate", model, "--threads", "1"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert process.stdin is not None
        lines = (self.shop.corpus / "train.de").read_text("utf-8")
        threading.Timer(2.5, os.truncate, [model / "lm.bin", 4096]).start()
        out, error = process.communicate(lines * 20)
        clean = process.returncode == 1 and "Traceback" not in error
        return clean, f"exit {process.returncode} after {out.count(chr(10))} lines: {error.strip()[:100]}"

    def flipped_bits(self) -> Outcome:
        """One bit flipped in `lm.bin`, 400 times."""
        model, random = self._copy("bits"), Random(1)
        path = model / "lm.bin"
        size, opened, verified = path.stat().st_size, 0, 0
        for _ in range(400):
            place, bit = random.randrange(size), random.randrange(8)
            flip(path, place, bit)
            try:
                LanguageModel.load(path)
            except DemoticError:
                opened += 1
            verified += any(not check.is_good for check in verify_model(model))
            flip(path, place, bit)
        return verified == 400, f"{opened} refused when opened, {verified} of 400 found by verify"

    def planted_link(self) -> Outcome:
        """`ln -s victim out.tmp`."""
        victim, out = self.folder / "victim", self.folder / "linked.en"
        victim.write_text("precious")
        for name in ("linked.en.tmp", ".linked.en.tmp", "linked.tmp"):
            (self.folder / name).symlink_to(victim)
        done = demotic("translate", self.shop.model, "--input", self.shop.corpus / "dev.de", "--output", out)
        return (
            victim.read_text() == "precious" and done.returncode == 0,
            f"exit {done.returncode}, the victim is whole",
        )

    def impossible_options(self) -> Iterable[Outcome]:
        """`pop_limit = 4000000000` in model.toml; `-1`."""
        model = self._copy("options")
        good = (model / "model.toml").read_text("utf-8")
        for value in (4_000_000_000, -1):
            (model / "model.toml").write_text(
                good.replace("pop_limit = 200", f"pop_limit = {value}"), "utf-8"
            )
            yield told(demotic("translate", model, "--input", "/dev/null"))

    def strange_input(self) -> Iterable[Outcome]:
        """TMX in utf-7, 5,000 digits, surrogates and NaN in JSON, `translate > /dev/full`, other bytes as weights."""
        file = self.folder / "t.tmx"
        file.write_text('<?xml version="1.0" encoding="utf-7"?>\n<tmx><body/></tmx>\n')
        yield told(demotic("translate", self.shop.model, file))
        model = self._copy("digits")
        text = (model / "model.toml").read_text("utf-8")
        (model / "model.toml").write_text(text.replace("pop_limit = 200", f"pop_limit = {_DIGITS}"), "utf-8")
        yield told(demotic("translate", model, "--input", "/dev/null"))
        with served(self.shop.model, "--no-log") as (_, port):
            pair = b'"source": "de", "target": "en"'
            bodies = [
                b'{"q": NaN, %s}' % pair,
                b'{"q": "a", "alternatives": %s, %s}' % (_DIGITS.encode(), pair),
            ]
            statuses = [ask(port, request(body))[9:12].decode() for body in bodies]
            statuses.append(ask(port, request(b'{"q": "das \\ud800 Haus", %s}' % pair))[9:12].decode())
        yield statuses == ["400", "400", "200"], f"HTTP NaN, digits, surrogate: {' '.join(statuses)}"
        with open("/dev/full", "w") as full:
            yield told(
                demotic("translate", self.shop.model, "--input", self.shop.corpus / "dev.de", stdout=full)
            )
        try:
            Weights.unpack(PackedWeights(b"other bytes"))
        except DemoticError as error:
            yield True, str(error)

    def scripts(self) -> Outcome:
        """Thai tone marks, emoji with joiners, URLs, e-mail addresses through the tokeniser and back."""
        lines = [
            "ที่นี่มีน้ำ",
            "👩‍👩‍👧‍👦 👍🏽",
            "https://a.example/b?c=d&e=f#g",
            "a.b+c@mail.example.org",
            "1,234.56",
        ]
        tokenizer = tokenizer_for("en")
        lost = [line for line in lines if tokenizer.detokenize(tokenizer.tokenize(line)) != line]
        return not lost, f"{len(lines) - len(lost)} of {len(lines)} come back as they were"


def flip(path: Path, place: int, bit: int = 0) -> None:
    """Change a bit in place."""
    with open(path, "r+b") as file:
        file.seek(place)
        byte = file.read(1)[0]
        file.seek(place)
        file.write(bytes([byte ^ 1 << bit]))


def request(body: bytes, length: str = "") -> bytes:
    """To `/translate`."""
    head = f"POST /translate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n{length or f'Content-Length: {len(body)}'}"
    return f"{head}\r\n\r\n".encode() + body


def ask(port: int, content: bytes) -> bytes:
    """The beginning of the answer."""
    with socket.create_connection(("127.0.0.1", port), 60) as connection:
        connection.sendall(content)
        return connection.recv(1000)


def resident(pid: int) -> int:
    """Megabytes of a process at its peak."""
    status = Path(f"/proc/{pid}/status").read_text("utf-8").splitlines()
    return int(next(line for line in status if line.startswith("VmHWM")).split()[1]) // 1000


def main() -> int:
    """0 if all is well."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", action="append", help="name of a method")
    options = parser.parse_args()
    names = [name for name in vars(Trial) if not name.startswith("_")]
    failed = 0
    with tempfile.TemporaryDirectory(prefix="demotic-old-") as folder:
        trial = Trial(Workshop(Path(folder)), Path(folder))
        for name in options.only or names:
            method = getattr(trial, name)
            outcome = method()
            outcomes = [outcome] if isinstance(outcome, tuple) else list(outcome)
            failed += not all(good for good, _ in outcomes)
            for good, text in outcomes:
                print(f"{'ok ' if good else 'BAD'} {(method.__doc__ or '').strip()} -> {text}", flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
