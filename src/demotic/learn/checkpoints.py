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
from demotic.learn.decoding import DecodingJob
from demotic.learn.held_out import held_out_bleu
from demotic.learn.learner import LearnSettings
from demotic.learn.task import Example, TuningTask


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
) -> dict[str, float]:
    """BLEU of the sentences of a task that are not learnt from: `held_out_bleu`, and one for each watched set.

    Args:
        name: of the checkpoint that the weights belong to.
        weights: packed.
        task: with held-out and watched sentences, or without.
        job: that decodes.
        key: from `task_key`.
        settings: of the learner.
    """
    sets = {"held_out": task.held_out, **task.watched}
    return {
        f"{each}_bleu": _bleu_stage(f"{each}.{name}", weights, examples, job, key, settings)
        for each, examples in sets.items()
        if examples
    }


def _bleu_stage(
    name: str,
    weights: bytes,
    examples: Sequence[Example],
    job: DecodingJob,
    key: Mapping[str, Any],
    settings: LearnSettings,
) -> float:
    """BLEU of sentences, translated once."""

    def work(folder: Path) -> None:
        bleu = held_out_bleu(settings.executor, job, examples, weights)
        (folder / "bleu.json").write_text(json.dumps(bleu), "utf-8")

    parts = {
        "weights": digest(weights),
        "examples": digest(repr(list(examples)).encode()),
        "templates": key["templates"],
        "groups": key["groups"],
        "model": key["model"],
    }
    folder = settings.run.stage(name, work, options=parts, inputs={})
    return float(json.loads((folder / "bleu.json").read_text("utf-8")))


def digest(data: bytes) -> str:
    """Hex digest (BLAKE2b, 128 bits)."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()
