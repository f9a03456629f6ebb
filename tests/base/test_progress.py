"""What a bar shows on a terminal."""

from __future__ import annotations

import io

import pytest

from demotic.base.progress import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def terminal_of(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Called by a test itself: between the phases of a test, pytest puts its own standard error back."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setattr("sys.stderr", found := Terminal())
    return found


def test_a_bar_with_a_total_has_both_numbers_and_the_time_left(monkeypatch: pytest.MonkeyPatch):
    terminal = terminal_of(monkeypatch)
    with Progress("align", total=29_000, unit="pairs") as bar:
        bar.advance(1_500)
    assert "1,500/29,000" in terminal.getvalue() and "eta" in terminal.getvalue()


def test_without_a_total_only_what_is_known_is_shown(monkeypatch: pytest.MonkeyPatch):
    terminal = terminal_of(monkeypatch)
    with Progress("translate", unit="lines") as bar:
        bar.advance(1_500)
    shown = terminal.getvalue()
    assert "1,500" in shown and "lines" in shown and "eta" not in shown and "/?" not in shown
