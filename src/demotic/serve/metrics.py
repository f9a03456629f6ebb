"""Counts of the service in Prometheus' text format."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable

_BOUNDS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0)  # seconds


class Metrics:
    """Counts requests; only the event loop's thread writes, so nothing is locked."""

    def __init__(self) -> None:
        self.requests: Counter[tuple[str, int]] = Counter()  # by route and status
        self.sentences = 0
        self.words = 0
        self.dropped = 0  # requests whose clients left before the answer
        self.suggestions: Counter[str] = Counter()  # learnt, queued
        self.gauges: dict[str, tuple[str, Callable[[], float]]] = {}  # name: what it is, and its value now
        self._seconds = [0] * (len(_BOUNDS) + 1)
        self._total_seconds = 0.0

    def request(self, route: str, status: int, seconds: float) -> None:
        """A request has been answered."""
        self.requests[route, status] += 1
        self._seconds[bisect_left(_BOUNDS, seconds)] += 1
        self._total_seconds += seconds

    def count(self, sentences: int, words: int) -> None:
        """Sentences have been translated."""
        self.sentences += sentences
        self.words += words

    def text(self) -> str:
        """What `/metrics` answers."""
        lines = _head("requests_total", "counter", "Requests by route and HTTP status.")
        for (route, status), count in sorted(self.requests.items()):
            lines.append(f'demotic_requests_total{{route="{route}",status="{status}"}} {count}')
        lines += _head("suggestions_total", "counter", "Suggestions by what became of them.")
        for kind, count in sorted(self.suggestions.items()):
            lines.append(f'demotic_suggestions_total{{kind="{kind}"}} {count}')
        for name, help_, value in (
            ("sentences_total", "Sentences translated.", self.sentences),
            ("words_total", "Source words of these, after tokenising.", self.words),
            ("dropped_total", "Requests whose clients left before the answer.", self.dropped),
        ):
            lines += [*_head(name, "counter", help_), f"demotic_{name} {value}"]
        for name, (help_, gauge) in self.gauges.items():
            lines += [*_head(name, "gauge", help_), f"demotic_{name} {gauge():g}"]
        return "\n".join([*lines, *self._histogram()]) + "\n"

    def _histogram(self) -> list[str]:
        lines = _head("request_seconds", "histogram", "Time from a request to its answer.")
        total = 0
        for bound, count in zip((*map("{:g}".format, _BOUNDS), "+Inf"), self._seconds, strict=True):
            total += count
            lines.append(f'demotic_request_seconds_bucket{{le="{bound}"}} {total}')
        return [
            *lines,
            f"demotic_request_seconds_sum {self._total_seconds:.6f}",
            f"demotic_request_seconds_count {total}",
        ]


def _head(name: str, kind: str, help_: str) -> list[str]:
    return [f"# HELP demotic_{name} {help_}", f"# TYPE demotic_{name} {kind}"]
