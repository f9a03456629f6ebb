"""A line of JSON for each request: what it was and how it went, never what was translated."""

from __future__ import annotations

import json
import sys
import traceback
from collections.abc import MutableMapping
from dataclasses import asdict, dataclass
from datetime import datetime, timezone
from typing import Any, TextIO

_PLACE = "demotic.record"  # in the scope of a request


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
    """Writes to a stream.

    Args:
        stream: None: nothing is written.
        requests: whether there is a line for each request, or only for errors, the start and the end.
    """

    def __init__(self, stream: TextIO | None = sys.stderr, requests: bool = True) -> None:
        self._stream = stream
        self._requests = requests

    def request(self, record: Record) -> None:
        """A request has been answered."""
        if self._requests:
            self._write({"event": "request", **asdict(record)})

    def failure(self, record: Record, error: BaseException) -> None:
        """An error of ours: its kind and where it happened. Its message may contain the text."""
        frame = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{frame.filename}:{frame.lineno}"
        self._write(
            {"event": "failure", "route": record.route, "error": type(error).__name__, "where": where}
        )

    def event(self, name: str, **values: Any) -> None:
        """Anything else."""
        self._write({"event": name, **values})

    def _write(self, values: dict[str, Any]) -> None:
        if self._stream is not None:
            time = datetime.now(timezone.utc).isoformat(timespec="milliseconds")
            self._stream.write(json.dumps({"time": time, **values}) + "\n")
            self._stream.flush()
