"""Suggestions of readers: learnt at once where that is wanted, else kept for a person to look at."""

from __future__ import annotations

import asyncio
import json
import os
import threading
from collections.abc import Callable
from contextlib import ExitStack
from datetime import datetime, timezone
from pathlib import Path

from demotic.adapt import LearningModel
from demotic.base.errors import DemoticError, os_error
from demotic.serve.answers import Refusal
from demotic.serve.keys import Client
from demotic.serve.models import Models
from demotic.serve.translator import Translator

Learn = Callable[[Translator, str, str], None]
"""Learns one pair of source text and translation; nothing is translated meanwhile."""

_MOST_BYTES = 64 << 20  # of the file: beyond it a person is not looking


class Suggestions:
    """Takes suggestions.

    Args:
        file: they are appended to, a JSON object a line; None: they are not kept.
        learn: what learns those of clients who may teach; None: all wait in the file.
    """

    def __init__(self, file: Path | None = None, learn: Learn | None = None) -> None:
        self._file = file
        self._learn = learn
        self._lock = threading.Lock()
        self._merging: dict[str, asyncio.Task[None]] = {}  # by the name of the model
        if file is not None:
            self._append("")  # a file that cannot be written is found now

    @property
    def enabled(self) -> bool:
        """Whether any are taken."""
        return self._file is not None or self._learn is not None

    async def add(self, translator: Translator, source: str, suggestion: str, client: Client) -> str:
        """Take a suggestion.

        Returns:
            `learnt` or `queued`.

        Raises:
            Refusal: if suggestions are not taken, or this one cannot be learnt or kept.
        """
        if self._learn is not None and client.may_teach:
            try:
                await translator.workers.run_alone(self._learn, translator, source, suggestion)
            except DemoticError as error:
                raise Refusal(400, error.message, error.hint) from None
            self._merge_if_grown(translator)
            return "learnt"
        if self._file is None:
            raise Refusal(403, "Suggestions are disabled on this server.")
        await translator.workers.run(self._keep, translator, source, suggestion, client)
        return "queued"

    def _merge_if_grown(self, translator: Translator) -> None:
        """Thousands of corrections are merged into the index: that is built beside the work, and put in place while nobody translates."""
        model = translator.model
        if not isinstance(model, LearningModel) or not model.is_grown or translator.name in self._merging:
            return
        task = asyncio.ensure_future(self._merge(translator, model))
        self._merging[translator.name] = task
        task.add_done_callback(lambda _: self._merging.pop(translator.name))

    async def _merge(self, translator: Translator, model: LearningModel) -> None:
        with ExitStack() as stack:
            publish = await asyncio.to_thread(stack.enter_context, model.merging())
            await translator.workers.run_alone(publish)

    def _keep(self, translator: Translator, source: str, suggestion: str, client: Client) -> None:
        line = {
            "time": datetime.now(timezone.utc).isoformat(timespec="seconds"),
            "model": translator.name,
            "source_language": translator.source,
            "target_language": translator.target,
            "source": source,
            "suggestion": suggestion,
            "client": client.name,
        }
        assert self._file is not None
        try:
            with self._lock:
                if self._file.stat().st_size > _MOST_BYTES:
                    raise Refusal(503, "the queue of suggestions is full")
                self._append(json.dumps(line, ensure_ascii=False) + "\n")
        except (OSError, DemoticError):  # a full disk, say, which is not the client's fault
            raise Refusal(503, "the suggestion could not be kept", retry_after=60) from None

    def _append(self, line: str) -> None:
        """One write of a whole line: whoever reads the file meanwhile sees all of it or nothing."""
        assert self._file is not None
        try:
            descriptor = os.open(self._file, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                os.write(descriptor, line.encode("utf-8"))
            finally:
                os.close(descriptor)
        except OSError as error:
            raise os_error(error, self._file) from error


def learner_of(models: Models) -> Learn:
    """What learns pairs into the models themselves.

    Raises:
        DemoticError: if a model cannot learn: it has no alignment model.
    """
    learning = {translator.name: translator.model for translator in models.by_name.values()}
    for model in learning.values():
        _ = model.aligner  # loaded before the first correction

    def learn(translator: Translator, source: str, suggestion: str) -> None:
        model = learning[translator.name]
        assert isinstance(model, LearningModel)
        model.learn_pair(model.prepared(source, suggestion))

    return learn
