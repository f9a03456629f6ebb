"""Answers as JSON, and refusals as LibreTranslate words them: `{"error": "..."}`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from starlette.responses import JSONResponse


class Answer(JSONResponse):
    """JSON in ASCII: text with lone surrogates, which cannot be encoded as UTF-8, is no exception."""

    def render(self, content: Any) -> bytes:
        """The body."""
        return json.dumps(content, separators=(",", ":"), allow_nan=False).encode("ascii")


class Refusal(Exception):
    """A request that gets no answer but an error.

    Args:
        status: HTTP status.
        message: what is wrong, without the text that was sent.
        hint: what to do about it.
        retry_after: seconds after which it may succeed; 0: it will not.
        close: end the connection: the client may still be sending.
    """

    def __init__(
        self, status: int, message: str, hint: str = "", retry_after: int = 0, close: bool = False
    ) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.hint = hint
        self.headers: dict[str, str] = {}
        if retry_after:
            self.headers["retry-after"] = str(retry_after)
        if close:
            self.headers["connection"] = "close"

    def answer(self) -> Answer:
        """What the client gets."""
        body: Mapping[str, str] = {"error": self.message, **({"hint": self.hint} if self.hint else {})}
        return Answer(body, self.status, self.headers)
