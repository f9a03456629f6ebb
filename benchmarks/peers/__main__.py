"""Measures Demotic and the other tools that are there, turn by turn, and prints medians with ranges.

    python -m benchmarks.peers [--pairs 20000] [--sentences 50] [--repeats 5] [--out build/peers]

CPU seconds of whole processes, the start of Python included. Tools are looked for on the PATH and in DEMOTIC_PEERS; those that are
absent are named. Writes peers.md, peers.json and, with matplotlib, peers.svg.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.measure import OtherWork
from benchmarks.peers.material import make_material
from benchmarks.peers.programs import PEERS, find_peers
from benchmarks.peers.tasks import Command, Task, tasks
from demotic.base.files import atomic_write, make_folder, read_lines


@dataclass
class Result:
    """CPU seconds of all turns of one task."""

    task: Task
    ours: list[float] = field(default_factory=list)
    theirs: list[float] = field(default_factory=list)

    @property
    def ratio(self) -> float:
        """How many times our CPU time theirs is, by medians."""
        return statistics.median(self.theirs) / statistics.median(self.ours)


def cpu_seconds(commands: Sequence[Command], errors: Path) -> float:
    """Run commands one after the other; a failure ends everything with what the program said."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    for command in commands:
        with contextlib.ExitStack() as stack:
            stdin = stack.enter_context(open(command.stdin, "rb")) if command.stdin else subprocess.DEVNULL
            stdout = stack.enter_context(open(command.stdout, "wb")) if command.stdout else subprocess.DEVNULL
            stderr = stack.enter_context(open(errors, "wb"))
            code = subprocess.run(
                list(command.arguments), stdin=stdin, stdout=stdout, stderr=stderr
            ).returncode
        if code:
            sys.exit(
                f"{' '.join(command.arguments)}: status {code}\n{errors.read_text('utf-8', 'replace')[-2000:]}"
            )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def measure(chosen: list[Task], repeats: int, errors: Path) -> list[Result]:
    """Turn by turn, so that whatever else the machine does meets all alike; who begins alternates."""
    results = [Result(task) for task in chosen]
    for turn in range(repeats):
        for result in results:
            sides = [(result.ours, result.task.ours), (result.theirs, result.task.theirs)]
            for seconds, commands in sides if turn % 2 == 0 else reversed(sides):
                seconds.append(cpu_seconds(commands, errors))
        print(f"turn {turn + 1} of {repeats}", file=sys.stderr)
    return results


def spread(values: Sequence[float]) -> str:
    """`median (least-most)`."""
    return f"{statistics.median(values):.2f} ({min(values):.2f}-{max(values):.2f})"


def as_markdown(results: list[Result], lines: Sequence[str]) -> str:
    """The table, and below it the conditions and what was left out."""
    rows = [
        f"| {result.task.name}{' (' + result.task.note + ')' if result.task.note else ''} "
        f"| {spread(result.ours)} | {spread(result.theirs)} | {result.ratio:.1f} |"
        for result in results
    ]
    head = ["| task | Demotic, CPU s | the other tool, CPU s | ratio |", "|---|---:|---:|---:|"]
    return "\n".join([*(head + rows if rows else ["No other tool was found."]), "", *lines]) + "\n"


def draw(results: list[Result], out: Path) -> None:
    """Both sides of every task as points with their range, on a logarithmic axis."""
    from demotic.report.figures import SERIES, new_axes, save_figure

    def figure():  # type: ignore[no-untyped-def]  # noqa: ANN202
        figure, axes = new_axes(7.0, 0.9 + 0.5 * len(results))
        for i, (name, side) in enumerate([("Demotic", "ours"), ("other tool", "theirs")]):
            values = [getattr(result, side) for result in results]
            middle = [statistics.median(each) for each in values]
            low = [median - min(each) for median, each in zip(middle, values, strict=True)]
            high = [max(each) - median for median, each in zip(middle, values, strict=True)]
            places = [row + 0.15 * (2 * i - 1) for row in range(len(results))]
            axes.errorbar(
                middle, places, xerr=[low, high], fmt="os"[i], color=SERIES[i], label=name, capsize=3
            )
        axes.set_yticks(range(len(results)), [result.task.name for result in results])
        axes.set_xscale("log")
        axes.set_xlabel("CPU seconds, median and range")
        axes.set_ylim(len(results) - 0.5, -0.5)  # the first on top
        axes.legend()
        return figure

    save_figure(figure, out)


def main() -> None:
    """Find, measure, print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers", description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=20_000, help="training pairs")
    parser.add_argument(
        "--sentences", type=int, default=50, help="sentences to extract grammars for and to decode"
    )
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--text", type=Path, help="tokenised text for language models; default: of the pairs")
    parser.add_argument("--task", default="", help="only tasks with this in their names")
    parser.add_argument("--out", type=Path, default=Path("build/peers"))
    given = parser.parse_args()
    peers = find_peers()
    make_folder(given.out)
    with tempfile.TemporaryDirectory(dir=given.out) as folder, OtherWork() as others:
        made = make_material(Path(folder), given.pairs, given.sentences, given.text)
        every = [task for task in tasks(made, peers) if given.task in task.name]
        words = sum(len(line.split()) for line in read_lines(made.lm_text))
        chosen = [task for task in every if all(name in peers for name in task.needs)]
        results = measure(chosen, given.repeats, Path(folder) / "errors")
    skipped = [
        f"{task.name} (no {', '.join(name for name in task.needs if name not in peers)})"
        for task in every
        if task not in chosen
    ]
    if not given.task:
        no_dtrain = "no dtrain" if "dtrain" not in peers else "no task for dtrain yet"
        skipped.append(f"learning ({no_dtrain})")
    lines = [
        f"{given.pairs:,} pairs of the embedded corpus, language models of {words:,} words, {given.repeats} repetitions, median (range); ratio above 1: Demotic took less.",
        f"Found: {', '.join(f'{name} ({PEERS[name]})' for name in peers) or 'none'}.",
        f"Skipped: {'; '.join(skipped) or 'nothing'}.",
        f"Other processes used {others.share:.0%} of the machine's {os.cpu_count()} cores meanwhile.",
    ]
    report = as_markdown(results, lines)
    with atomic_write(given.out / "peers.md") as file:
        file.write(report)
    with atomic_write(given.out / "peers.json") as file:
        json.dump(
            [{"task": r.task.name, "ours": r.ours, "theirs": r.theirs, "ratio": r.ratio} for r in results],
            file,
            indent=1,
        )
    print(report)
    if results:
        draw(results, given.out / "peers")


if __name__ == "__main__":
    main()
