"""Small text files for tests."""

from __future__ import annotations

from pathlib import Path


def put(folder: Path, name: str, lines: list[str]) -> Path:
    """A file with these lines."""
    (folder / name).write_text("".join(line + "\n" for line in lines), "utf-8")
    return folder / name
