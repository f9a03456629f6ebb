"""Start-up: CPU seconds of whole processes, from the start of Python to the last line, `demotic decode` against cdec."""

from __future__ import annotations

from rich.console import Console

from benchmarks import measure
from benchmarks.decode import CDEC_UNITS, binary_model, golden_command
from demotic.cli.common import table

_VERBS = [
    ["--version"],
    ["--help"],
    ["decode", "--help"],
    ["tune", "--help"],
]


def run(unit: float) -> None:
    """Print the table: medians of five processes each."""
    arpa = binary_model().with_suffix(".arpa")
    rows = [
        (f"demotic {' '.join(verb)}", f"{measure.command_seconds(verb):.3f} s", "", "") for verb in _VERBS
    ]
    decode = measure.command_seconds(golden_command(arpa))
    cdec = CDEC_UNITS * (unit + measure.seconds_per_unit()) / 2  # other work on the machine comes and goes
    rows.append(
        (
            "demotic decode, 20 sentences, 100-best, ARPA",
            f"{decode:.3f} s",
            f"{cdec:.2f} s",
            f"{cdec / decode:.1f}x",
        )
    )
    Console().print(
        table("start-up (CPU seconds of a process)", ["command", "demotic", "cdec, by units", "ratio"], rows)
    )
