"""Keys of stages: everything that a learner's result depends on."""

from __future__ import annotations

import hashlib
from typing import Any

from demotic.base.options import options_to_dict
from demotic.base.run import file_digest
from demotic.decode.model import BINS, INDEX, LM, MODEL_TOML
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
        "dev": digest(repr(list(task.dev)).encode()),
        "groups": file_digest(task.groups) if task.groups else "",
        "model": [
            file_digest(task.model / name)
            for name in (LM, INDEX, MODEL_TOML, BINS)
            if name != BINS or (task.model / name).exists()
        ],
    }


def digest(data: bytes) -> str:
    """Hex digest (BLAKE2b, 128 bits)."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()
