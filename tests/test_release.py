"""The version is written in pyproject.toml; what must repeat it for other programs says the same."""

from __future__ import annotations

import re
from pathlib import Path

import demotic

ROOT = Path(__file__).parents[1]


def found(file: str, pattern: str) -> str:
    """The first match of a pattern in a file."""
    match = re.search(pattern, (ROOT / file).read_text("utf-8"), re.MULTILINE)
    assert match, file
    return match[1]


def test_one_version_everywhere():
    version = found("pyproject.toml", r'^version = "(.+)"$')
    assert demotic.__version__ == version
    assert found("CITATION.cff", r"^version: (.+)$") == version
    assert found("README.md", r"^  version = \{(.+)\}$") == version
    assert found("CHANGELOG.md", r"^## (\S+)") == version
