"""Bounds of the service."""

from __future__ import annotations

from dataclasses import dataclass

from demotic.base.checks import at_least, positive


@dataclass(frozen=True)
class ServeOptions:
    """What one request, one client and all of them together may ask for: nobody can keep the service busy for long."""

    max_lines: int = 50  # texts or lines in a request
    max_words: int = 150  # tokens of a sentence, after tokenising
    max_request_words: int = 5_000  # tokens of all sentences of a request
    max_characters: int = (
        3_000  # of a sentence, before tokenising: the tokeniser takes time that is quadratic in some of them
    )
    max_kbest: int = 100
    max_bytes: int = 131_072  # of a request's body, counted as it arrives
    max_requests: int = 256  # requests being answered or waiting; one more gets 503
    max_connections: int = 512
    read_seconds: float = 10.0  # until the headers, and then the body, must have arrived
    request_seconds: float = 30.0  # until the answer must be there
    end_seconds: float = 3.0  # for requests in progress when the service is told to end

    def __post_init__(self) -> None:
        at_least(
            1,
            max_lines=self.max_lines,
            max_words=self.max_words,
            max_request_words=self.max_request_words,
            max_characters=self.max_characters,
            max_kbest=self.max_kbest,
            max_bytes=self.max_bytes,
            max_requests=self.max_requests,
            max_connections=self.max_connections,
        )
        positive(
            read_seconds=self.read_seconds,
            request_seconds=self.request_seconds,
            end_seconds=self.end_seconds,
        )
