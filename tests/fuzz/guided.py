"""Coverage-guided fuzzing of one reader with atheris: `make fuzz-guided TARGET='po document' MINUTES=10`.

Inputs that reach new code of ours are kept in FOLDER/corpus and changed further. Native code is not measured, so this is for readers in
Python; the core's have `runner.py`. A finding ends the run and stays in FOLDER.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import resource
import sys
from pathlib import Path

import atheris

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1])]
with atheris.instrument_imports(include=["demotic"]):
    from targets import TARGETS

    from demotic.base import DemoticError

_MEMORY = 1 << 30
_SECONDS = 30  # for one input


def main() -> None:
    """Runs until time is up or something is found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path, help="as `runner.py` makes it")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--target", default="po document")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    target = next(each for each in TARGETS if each.name == options.target)
    name = target.name.replace(" ", "-")
    corpus, current = (
        options.folder / "corpus" / name,
        options.folder / f"guided-{os.getpid()}{target.suffix}",
    )
    corpus.mkdir(parents=True, exist_ok=True)
    (corpus / "seed").write_bytes(target.seed(options.model))

    def one(data: bytes) -> None:
        current.write_bytes(data)
        with contextlib.suppress(DemoticError):
            target.read(current, options.model)

    pages = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    arguments = [
        sys.argv[0],
        str(corpus),
        f"-artifact_prefix={options.folder}/finding-{name}-",
        f"-max_total_time={int(60 * options.minutes)}",
        f"-seed={options.seed}",
        f"-timeout={_SECONDS}",
        f"-rss_limit_mb={(pages + _MEMORY) >> 20}",
        "-max_len=8192",
        "-print_final_stats=1",
    ]
    atheris.Setup(arguments, one)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
