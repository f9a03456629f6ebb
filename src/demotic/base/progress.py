"""Progress on a terminal; silence when the output is piped."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress

T = TypeVar("T")


class Progress:
    """A bar with a count, a rate and the time left, on standard error.

    Use as a context manager: `with Progress("align", total=29_000, unit="pairs") as bar: bar.advance(100)`. Nothing is
    drawn when standard error is not a terminal, so that logs and pipes stay clean.

    Args:
        what: name of the work.
        total: how many steps; None when unknown.
        unit: what a step is called.
    """

    def __init__(self, what: str, total: int | None = None, unit: str = "") -> None:
        self._bar = _bar(unit, total is not None) if sys.stderr.isatty() else None
        if self._bar is not None:
            self._task = self._bar.add_task(what, total=total, note="")

    def __enter__(self) -> Progress:
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def advance(self, steps: int = 1, note: str | None = None) -> None:
        """Count finished steps; `note` replaces the text behind the count."""
        if self._bar is None:
            return
        if note is None:
            self._bar.advance(self._task, steps)
        else:
            self._bar.update(self._task, advance=steps, note=note)


def _bar(unit: str, has_total: bool) -> RichProgress:
    """Loads rich, which would take longer than a small job whose progress nobody sees."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    return Progress(
        TextColumn(" {task.description}"),
        BarColumn(bar_width=32),
        TextColumn("{task.completed:,}" + ("/{task.total:,}" if has_total else "")),
        TextColumn(unit),
        TextColumn("{task.fields[note]}"),
        TimeElapsedColumn(),
        *((TextColumn("eta"), TimeRemainingColumn()) if has_total else ()),
        console=Console(stderr=True),
        transient=True,
    )


def track(items: Iterable[T], what: str, total: int | None = None, unit: str = "") -> Iterator[T]:
    """Yield the items and show how many have passed."""
    with Progress(what, total, unit) as bar:
        for item in items:
            yield item
            bar.advance()
