"""Keys of checkpoints: everything that a learner's result depends on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from demotic.base.options import options_to_dict
from demotic.decode.model import BINS, INDEX, LM
from demotic.features import template_digests
from demotic.learn.decoding import DecodingJob
from demotic.learn.held_out import held_out_figures
from demotic.learn.learner import LearnSettings
from demotic.learn.objective import BLEU, Objective
from demotic.learn.task import Example, TuningTask


def task_key(task: TuningTask, options: Any, settings: LearnSettings) -> dict[str, Any]:
    """Options, examples, features, model and seed; the starting weights are for the caller to add."""
    files = settings.run.digests
    return {
        "rule": type(options).__name__,
        "options": options_to_dict(options),
        "seed": settings.seed,
        "templates": template_digests(task.templates),
        "examples": examples_digest(task.examples),
        "dev": examples_digest(task.dev),
        "groups": files.of(task.groups) if task.groups else "",
        "model": [
            files.of(task.model / name)
            for name in (LM, INDEX, BINS)
            if name != BINS or (task.model / name).exists()
        ],
        "decoding": options_to_dict(settings.model(task.model).options),
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
        "examples": examples_digest(examples),
        **{name: key[name] for name in ("templates", "groups", "model", "decoding")},
        "objective": [objective.bleu, objective.ter],
    }
    folder = settings.run.stage(name, work, options=parts, inputs={})
    figures: dict[str, float] = json.loads((folder / "figures.json").read_text("utf-8"))
    return figures


def examples_digest(examples: Iterable[Example]) -> str:
    """The digest of `repr(list(examples))`, without that string in memory."""
    state = hashlib.blake2b(b"[", digest_size=16)
    for i, example in enumerate(examples):
        state.update(f"{', ' if i else ''}{example!r}".encode())
    state.update(b"]")
    return state.hexdigest()


def digest(data: bytes) -> str:
    """Hex digest (BLAKE2b, 128 bits)."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()
