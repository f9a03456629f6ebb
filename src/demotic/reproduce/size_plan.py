"""The sizes that a budget led to. They are kept: run again, the same runs are found, however fast the machine is then."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path

from demotic.base.files import atomic_write
from demotic.base.json_text import parse_json
from demotic.reproduce.experiment import Experiment

_FILE = "plan.json"


class SizePlan:
    """Sizes of an experiment that was cut down.

    Args:
        folder: of the results, where the sizes lie.
        budget: seconds; 0: nothing is cut down.

    Attributes:
        notes: what was cut down, for people.
        is_open: whether sizes are still to be made: there is a budget, and no earlier run has left any.
    """

    def __init__(self, folder: Path, budget: float) -> None:
        self._file, self.budget = folder / _FILE, budget
        self.notes: list[str] = []
        self.is_open = budget > 0

    def apply(self, experiment: Experiment) -> Experiment:
        """The sizes of an earlier run with the same budget and the same experiment."""
        if not self.budget:
            return experiment
        try:
            kept = parse_json(self._file.read_text("utf-8"))
            if kept["budget"] != self.budget or kept["from"] != asdict(experiment.sizes):
                return experiment
            sizes, notes = replace(experiment.sizes, **kept["sizes"]), list(kept["notes"])
        except (OSError, ValueError, KeyError, TypeError):  # none, or a damaged one: it is made again
            return experiment
        self.is_open, self.notes = False, notes
        return replace(experiment, sizes=sizes)

    def make(self, shrunk: Experiment, before: Experiment) -> None:
        """Keep the sizes."""
        sizes = asdict(shrunk.sizes)
        old = asdict(before.sizes)
        changes = {name: value for name, value in sizes.items() if value != old[name]}
        said = ", ".join(f"{name} {old[name] or 'all'} -> {value:,}" for name, value in changes.items())
        self.notes = [f"cut down to the budget of {self.budget / 60:g} min: {said}"] if said else []
        kept = {
            "budget": self.budget,
            "from": old,
            "sizes": sizes,
            "notes": self.notes,
        }
        with atomic_write(self._file) as file:
            json.dump(kept, file)
