"""Damaged files into every reader: `python tests/fuzz/runner.py MODEL FOLDER --inputs 20`, or `--minutes 5`.

One process per target. It has a gigabyte more memory than it begins with, and thirty seconds for each input. Anything but a result or a
`DemoticError` is a finding: the input stays in FOLDER.
"""

from __future__ import annotations

import argparse
import faulthandler
import json
import os
import resource
import subprocess
import sys
import time
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
    end = time.monotonic() + seconds
    while counts["inputs"] < inputs and time.monotonic() < end:
        number = counts["inputs"]
        data = mutated(good, Random(f"{target.name} {seed} {number}")) if number else good
        current.write_bytes(data)
        faulthandler.dump_traceback_later(_SECONDS, exit=True)
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
        faulthandler.cancel_dump_traceback_later()
        counts["inputs"] += 1
    current.unlink(missing_ok=True)
    return counts


def _make_model(folder: Path) -> None:
    """A model of sixty sentence pairs, with every kind of file that a model has."""
    from demotic.corpus.embedded import EmbeddedOptions, write
    from demotic.pipeline.train import TrainInput, TrainOptions, train

    corpus = folder.with_name(f"{folder.name}-corpus")
    write(corpus, EmbeddedOptions(train=60, dev=5, devtest=5, test=5))
    train(TrainInput(corpus / "train.de", corpus / "train.en"), folder, TrainOptions())


def _limit_memory() -> None:
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    limit = pages * os.sysconf("SC_PAGE_SIZE") + _MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def main() -> int:
    """Without --target: a process for each target, one after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path, help="made if it does not exist")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--inputs", type=int, default=1 << 62, help="per target")
    parser.add_argument("--minutes", type=float, default=1e6, help="together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--target", action="append", help="only this one")
    parser.add_argument("--here", action="store_true", help="in this process")
    options = parser.parse_args()
    chosen = [target for target in TARGETS if not options.target or target.name in options.target]
    options.folder.mkdir(parents=True, exist_ok=True)
    if not options.model.exists():
        _make_model(options.model)
    seconds = options.minutes * 60 / len(chosen)
    if options.here:
        _limit_memory()
        for target in chosen:
            counts = fuzz(target, options.model, options.folder, options.inputs, seconds, options.seed)
            print(json.dumps({"target": target.name, **counts}), flush=True)
        return 0
    failed = 0
    for target in chosen:
        command = [
            sys.executable,
            __file__,
            str(options.model),
            str(options.folder),
            "--here",
            "--target",
            target.name,
        ]
        command += [
            "--inputs",
            str(options.inputs),
            "--minutes",
            str(seconds / 60),
            "--seed",
            str(options.seed),
        ]
        done = subprocess.run(command, check=False, stdout=subprocess.PIPE, text=True)
        if done.returncode != 0:
            print(
                f"{target.name}: the process ended with {done.returncode}; the input is in {options.folder}"
            )
        print(done.stdout, end="", flush=True)
        failed += done.returncode != 0 or json.loads(done.stdout.splitlines()[-1])["findings"] > 0
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
