"""Keys of checkpoints: everything that a learner's result depends on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from demotic.base.options import options_to_dict
from demotic.base.run import file_digest
from demotic.decode.model import BINS, INDEX, LM, MODEL_TOML
from demotic.learn.fitting.held_out import held_out_figures
from demotic.learn.learner import LearnSettings
from demotic.learn.objective import BLEU, Objective
from demotic.learn.task import Example, TuningTask
from demotic.learn.workers.decoding import DecodingJob


def task_key(task: TuningTask, options: Any, settings: LearnSettings) -> dict[str, Any]:
    """Options, examples, features, model and seed; the starting weights are for the caller to add."""
    return {
        "rule": type(options).__name__,
        "options": options_to_dict(options),
        "seed": settings.seed,
        "templates": list(task.templates),
        "examples": digest(repr(list(task.examples)).encode()),
        "dev": digest(repr(list(task.dev)).encode()),
        "groups": file_digest(task.groups) if task.groups else "",
        "model": [
            file_digest(task.model / name)
            for name in (LM, INDEX, MODEL_TOML, BINS)
            if name != BINS or (task.model / name).exists()
        ],
    }


def outside_view(
    name: str,
    weights: bytes,
    task: TuningTask,
    job: DecodingJob,
    key: Mapping[str, Any],
    settings: LearnSettings,
    objective: Objective = BLEU,
) -> dict[str, float]:
    """Figures of the sentences of a task that are not learnt from: `held_out_bleu`, and one for each watched set.

    Args:
        name: of the checkpoint that the weights belong to.
        weights: packed.
        task: with held-out and watched sentences, or without.
        job: that decodes.
        key: from `task_key`.
        settings: of the learner.
        objective: which figures.
    """
    sets = {"held_out": task.held_out, **task.watched}
    return {
        f"{each}_{figure}": value
        for each, examples in sets.items()
        if examples
        for figure, value in _figures_stage(
            f"{each}.{name}", weights, examples, job, key, settings, objective
        ).items()
    }


def _figures_stage(
    name: str,
    weights: bytes,
    examples: Sequence[Example],
    job: DecodingJob,
    key: Mapping[str, Any],
    settings: LearnSettings,
    objective: Objective,
) -> dict[str, float]:
    """How good the translations of sentences are that are translated once."""

    def work(folder: Path) -> None:
        figures = held_out_figures(settings.executor, job, examples, weights, objective)
        (folder / "figures.json").write_text(json.dumps(figures), "utf-8")

    parts = {
        "weights": digest(weights),
        "examples": digest(repr(list(examples)).encode()),
        "templates": key["templates"],
        "groups": key["groups"],
        "model": key["model"],
        "objective": [objective.bleu, objective.ter],
    }
    folder = settings.run.stage(name, work, options=parts, inputs={})
    figures: dict[str, float] = json.loads((folder / "figures.json").read_text("utf-8"))
    return figures


def digest(data: bytes) -> str:
    """Hex digest (BLAKE2b, 128 bits)."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()
