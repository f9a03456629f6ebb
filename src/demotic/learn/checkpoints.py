"""Keys of checkpoints: everything that a learner's result depends on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from demotic.base.options import options_to_dict
from demotic.base.run import file_digest
from demotic.decode.model import INDEX, LM, MODEL_TOML
from demotic.learn.decoding import DecodingJob
from demotic.learn.held_out import held_out_bleu
from demotic.learn.learner import LearnSettings
from demotic.learn.task import TuningTask


def task_key(task: TuningTask, options: Any, settings: LearnSettings) -> dict[str, Any]:
    """Options, examples, features, model and seed; the starting weights are for the caller to add."""
    return {
        "rule": type(options).__name__,
        "options": options_to_dict(options),
        "seed": settings.seed,
        "templates": list(task.templates),
        "examples": digest(repr(list(task.examples)).encode()),
        "model": [file_digest(task.model / name) for name in (LM, INDEX, MODEL_TOML)],
    }


def held_out_stage(
    name: str,
    weights: bytes,
    task: TuningTask,
    job: DecodingJob,
    key: Mapping[str, Any],
    settings: LearnSettings,
) -> float:
    """BLEU of the held-out sentences; translated once.

    Args:
        name: of the stage.
        weights: packed.
        task: with held-out sentences.
        job: that decodes.
        key: from `task_key`.
        settings: of the learner.
    """

    def work(folder: Path) -> None:
        bleu = held_out_bleu(settings.executor, job, task.held_out, weights)
        (folder / "bleu.json").write_text(json.dumps(bleu), "utf-8")

    parts = {
        "weights": digest(weights),
        "examples": digest(repr(list(task.held_out)).encode()),
        "templates": key["templates"],
        "model": key["model"],
    }
    folder = settings.run.stage(name, work, options=parts, inputs={})
    return float(json.loads((folder / "bleu.json").read_text("utf-8")))


def digest(data: bytes) -> str:
    """Hex digest (BLAKE2b, 128 bits)."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()
