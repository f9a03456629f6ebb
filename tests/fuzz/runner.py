"""Damaged files into every reader: `python tests/fuzz/runner.py MODEL FOLDER --inputs 20`, or `--minutes 5`.

One process per target, a fork of this one, which has everything imported. It has a gigabyte more memory than it begins with, and thirty
seconds for each input. Anything but a result or a `DemoticError` is a finding: the input stays in FOLDER.
"""

from __future__ import annotations

import argparse
import faulthandler
import json
import multiprocessing
import os
import resource
import signal
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parent))
from mutate import mutated
from target import Target
from targets import TARGETS

from demotic.base import DemoticError

_MEMORY = 1 << 30
_SECONDS = 30  # for one input, on a machine that may be busy


def fuzz(target: Target, model: Path, folder: Path, inputs: int, seconds: float, seed: int) -> dict[str, int]:
    """Counts of what happened; findings are printed and their inputs kept."""
    good = target.seed(model)
    counts = {"inputs": 0, "read": 0, "refused": 0, "findings": 0}
    current = folder / f"{target.name.replace(' ', '-')}{target.suffix}"
    end, started = time.monotonic() + seconds, time.process_time()
    while counts["inputs"] < inputs and time.monotonic() < end:
        number = counts["inputs"]
        data = mutated(good, Random(f"{target.name} {seed} {number}")) if number else good
        current.write_bytes(data)
        signal.alarm(_SECONDS)
        try:
            target.read(current, model)
            counts["read"] += 1
        except DemoticError as error:
            counts["refused"] += 1
            if number == 0:
                counts["findings"] += 1
                print(f"{target.name}: the good file is refused: {error}", file=sys.stderr)
        except Exception as error:
            counts["findings"] += 1
            kept = current.with_name(f"finding-{seed}-{number}-{current.name}")
            kept.write_bytes(data)
            print(f"{target.name}: {type(error).__name__}: {error} ({kept})", file=sys.stderr)
        counts["inputs"] += 1
    signal.alarm(0)
    counts["cpu_seconds"] = round(time.process_time() - started)
    current.unlink(missing_ok=True)
    return counts


def _make_model(folder: Path) -> None:
    """A model of sixty sentence pairs, with every kind of file that a model has."""
    from demotic.corpus.embedded import EmbeddedOptions, write
    from demotic.pipeline.train import train
    from demotic.pipeline.train_options import TrainInput, TrainOptions

    corpus = folder.with_name(f"{folder.name}-corpus")
    write(corpus, EmbeddedOptions(train=60, dev=5, devtest=5, test=5))
    train(TrainInput(corpus / "train.de", corpus / "train.en"), folder, TrainOptions())


def _limit_memory() -> None:
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    limit = pages * os.sysconf("SC_PAGE_SIZE") + _MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def _in_child(
    target: Target, model: Path, folder: Path, inputs: int, seconds: float, seed: int
) -> dict[str, int]:
    """The same in a process that may crash. Then its last input is kept, and it counts as one finding."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)

    def work() -> None:
        _limit_memory()
        faulthandler.register(signal.SIGALRM, chain=True)  # a traceback, then the end: also in native code
        sender.send(fuzz(target, model, folder, inputs, seconds, seed))

    process = context.Process(target=work)
    process.start()
    sender.close()
    process.join()
    if process.exitcode == 0:
        return dict(receiver.recv())
    print(
        f"{target.name}: the process ended with {process.exitcode}; the input is in {folder}", file=sys.stderr
    )
    return {"findings": 1}


def main() -> int:
    """One target after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path, help="made if it does not exist")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--inputs", type=int, default=1 << 62, help="per target")
    parser.add_argument("--minutes", type=float, default=1e6, help="together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--target", action="append", help="only this one")
    options = parser.parse_args()
    chosen = [target for target in TARGETS if not options.target or target.name in options.target]
    model = options.model.resolve()
    options.folder.mkdir(parents=True, exist_ok=True)
    if not model.exists():
        _make_model(model)
    seconds = options.minutes * 60 / len(chosen)
    total = Counter[str]()
    for target in chosen:
        counts = _in_child(target, model, options.folder, options.inputs, seconds, options.seed)
        print(json.dumps({"target": target.name, **counts}), flush=True)
        total.update(counts)
    print(json.dumps({"targets": len(chosen), **total}))
    return int(total["findings"] > 0)


if __name__ == "__main__":
    sys.exit(main())
