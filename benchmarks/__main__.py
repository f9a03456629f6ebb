"""Runs the benchmarks that are named, or all."""

from __future__ import annotations

import argparse
import importlib

from benchmarks import measure

NAMES = [
    "corpus",
    "align",
    "lm",
    "grammar",
    "features",
    "decode",
    "startup",
    "profile",
    "end_to_end",
    "evaluate",
    "learn",
    "instructions",
    "adapt",
    "forests",
    "forced_decoding",
    "scaling",
    "oscar",
    "serve",
]  # modules of this package with a function run(unit: float); in the order of the data flow


def main() -> None:
    """`python -m benchmarks [NAME...]`."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of {', '.join(NAMES)}; default: all")
    names = parser.parse_args().names or NAMES
    if unknown := set(names) - set(NAMES):
        parser.error(f"unknown benchmark: {', '.join(sorted(unknown))}")
    unit = measure.seconds_per_unit()
    print(f"one unit of work = {unit:.3f} CPU seconds on this machine\n")
    for name in names:
        with measure.OtherWork() as others:
            importlib.import_module(f"benchmarks.{name}").run(unit)
        if others.share > 0.05:
            print(f"other processes used {others.share:.0%} of this machine meanwhile: times are too high\n")


if __name__ == "__main__":
    main()
