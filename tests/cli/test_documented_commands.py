"""Commands of README and docs exist, with the options that they are shown with."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.core import TyperGroup
from typer.main import get_command

from demotic.cli.main import app
from demotic.cli.verbs import LazyVerb

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
EVERYWHERE = {"--debug", "--help"}


def console_commands(text: str) -> Iterator[str]:
    """Command lines that begin with `demotic`, also behind a pipe or a variable, of blocks that show a terminal."""
    for block in re.findall(r"^```console\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        for line in re.findall(r"^\$ (.*)$", block.replace("\\\n", " "), re.MULTILINE):
            for part in re.split(r"[|;]|&&", line):
                if found := re.search(r"(?:^|[\s/])demotic ([a-z-].*)", part):
                    yield found[1]


def inline_commands(text: str) -> Iterator[str]:
    """`demotic VERB ...` within sentences and tables; `[--option VALUE]` is an option, too."""
    for found in re.findall(r"`demotic ([a-z][^`]*)`", text):
        yield re.sub(r"[\[\]]", " ", found)


def problem(command: str) -> str | None:
    """What is wrong with a command line, if anything."""
    words = shlex.split(command, comments=True) if command.count("'") % 2 == 0 else command.split()
    place = get_command(app)
    context = place.context_class(place)
    while words and isinstance(place, TyperGroup) and not words[0].startswith("-"):
        found = place.get_command(context, words[0])
        if found is None:
            return f"no verb '{words[0]}'"
        place, words = found.load() if isinstance(found, LazyVerb) else found, words[1:]
    known = {name for option in place.params for name in (*option.opts, *option.secondary_opts)} | EVERYWHERE
    unknown = [
        word for word in words if word.startswith("--") and word.split("=")[0].rstrip(",.:") not in known
    ]
    return f"no option {unknown[0]}" if unknown else None


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_command_exists(page: Path):
    text = page.read_text("utf-8")
    wrong = {
        line: found
        for find in (console_commands, inline_commands)
        for line in find(text)
        if (found := problem(line))
    }
    assert not wrong


def test_what_does_not_exist_is_found():
    text = (
        "```console\n$ demotic tune m --lerner x\n$ cat x | .venv/bin/demotic tun m\n```\n`demotic lm trane`"
    )
    lines = [*console_commands(text), *inline_commands(text)]
    assert [problem(line) for line in lines] == ["no option --lerner", "no verb 'tun'", "no verb 'trane'"]
