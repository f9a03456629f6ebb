"""A line of JSON for each request: what it was and how it went, never what was translated."""

from __future__ import annotations

import asyncio
import json
import sys
import traceback
from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any, TextIO

_PLACE = "demotic.record"  # in the scope of a request
_WAIT = 0.1  # seconds that lines of requests wait for others: each write costs as much as reading a request


@dataclass
class Record:
    """What is known of a request; the route that answers it fills in more."""

    method: str
    route: str = "other"  # as the application names it: a path may contain anything
    status: int = 0
    milliseconds: float = 0.0
    bytes: int = 0  # of the body
    client: str = ""  # name of its key
    sentences: int = 0
    words: int = 0

    @classmethod
    def of(cls, scope: MutableMapping[str, Any]) -> Record:
        """The record of a request, made when it is first asked for."""
        record: Record = scope.setdefault(_PLACE, cls(scope["method"]))
        return record


class RequestLog:
    """Writes to a stream: errors, the start and the end at once, lines of requests ten times a second.

    Args:
        stream: None: nothing is written.
        requests: whether there is a line for each request, or only for errors, the start and the end.
    """

    def __init__(self, stream: TextIO | None = sys.stderr, requests: bool = True) -> None:
        self._stream = stream
        self._requests = requests
        self._lines: list[str] = []  # not written yet

    def request(self, record: Record) -> None:
        """A request has been answered. Only for the thread of an event loop."""
        if self._requests and self._stream is not None:
            if not self._lines:
                asyncio.get_running_loop().call_later(_WAIT, self._flush)
            self._lines.append(_line("request", vars(record)))

    def failure(self, record: Record, error: BaseException) -> None:
        """An error of ours: its kind and where it happened. Its message may contain the text."""
        frame = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{frame.filename}:{frame.lineno}"
        self.event("failure", route=record.route, error=type(error).__name__, where=where)

    def event(self, name: str, **values: Any) -> None:
        """Anything else."""
        if self._stream is not None:
            self._lines.append(_line(name, values))
            self._flush()

    def _flush(self) -> None:
        if self._stream is not None and self._lines:
            text = "".join(self._lines)
            self._lines.clear()
            self._stream.write(text)
            self._stream.flush()


def _line(event: str, values: Mapping[str, Any]) -> str:
    time = datetime.now(timezone.utc).isoformat(timespec="milliseconds")
    return json.dumps({"time": time, "event": event, **values}) + "\n"
