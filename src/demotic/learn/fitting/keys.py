"""Keys of stages: everything that a learner's result depends on."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

from demotic.base.options import options_to_dict
from demotic.decode.additions import ADDITIONS
from demotic.decode.model_folder import BINS, INDEX
from demotic.features import class_sizes, template_digests
from demotic.learn.learner import LearnSettings
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
            for name in (*settings.model(task.model).lm_files(), INDEX, BINS, ADDITIONS)
            if name not in (BINS, ADDITIONS) or (task.model / name).exists()
        ],
        "classes": [
            files.of(path)
            for size in class_sizes(task.templates)
            for path in settings.model(task.model).class_files(size)
        ],
        "decoding": options_to_dict(settings.model(task.model).options),
    }


def examples_digest(examples: Iterable[Example]) -> str:
    """The digest of `repr(list(examples))` with labels, without that string in memory."""
    state = hashlib.blake2b(b"[", digest_size=16)
    for i, example in enumerate(examples):
        label = f"@{example.label}" if example.label else ""
        state.update(f"{', ' if i else ''}{example!r}{label}".encode())
    state.update(b"]")
    return state.hexdigest()
