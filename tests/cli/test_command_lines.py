"""Many bad command lines: each ends with a message and status 0, 1 or 2, none with a traceback or a report of a crash."""

from __future__ import annotations

import io
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
import typer.main

from demotic.cli.main import app, run

# What a user may give where a path, a number or a word is expected. {} is a folder of bad files.
PATHS = [
    "{}/absent",
    "{}/folder",
    "{}/empty",
    "{}/garbage",
    "{}/latin1",
    "{}/absent/below",
    "",
    "{}/" + "x" * 300,
    "\udcff",
]
NUMBERS = ["-1", "0", "x", "", "99999999999999999999", "nan", "inf", "1e999", "-1e-400"]
WORDS = ["", "no-such-name", "=", "a=b=c", "\udcff", "a,,b", "9" * 5000, "[", "{}/garbage"]
LONG = "demo"  # needs nothing, and would work for minutes where arguments happen to be good


def verbs() -> Iterator[tuple[list[str], Any]]:
    """Every command with the words that call it."""
    group: Any = typer.main.get_command(app)
    context = group.make_context("demotic", ["doctor"], resilient_parsing=True)
    for name in group.list_commands(context):
        command = group.resolve_command(context, [name])[1]
        if hasattr(command, "list_commands"):
            yield from (
                ([name, part], command.get_command(context, part)) for part in command.list_commands(context)
            )
        else:
            yield [name], command


def bad_values(parameter: Any) -> list[str]:
    kind = parameter.type.name
    by_kind = {
        "path": PATHS,
        "boolean": [],
        **dict.fromkeys(("integer", "integer range", "float", "float range"), NUMBERS),
    }
    return by_kind.get(kind, WORDS)


def given(parameter: Any, value: str) -> list[str]:
    return [value] if parameter.param_type_name == "argument" else [parameter.opts[0], value]


def command_lines(words: list[str], command: Any, folder: Path) -> Iterator[list[str]]:
    """One parameter is bad at a time, and whatever else must be there is a file of garbage."""
    yield [*words, "--no-such-option"]
    if words == [LONG]:
        yield from (
            [LONG, option, value] for option in ("--seed", "--threads") for value in ("-1", "x", "", "nan")
        )
        return
    yield words
    yield [*words, "superfluous", "words", "and more"]
    required = [parameter for parameter in command.params if parameter.required]
    for parameter in command.params:
        others = [each for each in required if each is not parameter]
        rest = [part for each in others for part in given(each, str(folder / "garbage"))]
        for value in bad_values(parameter):
            yield [*words, *rest, *given(parameter, value.replace("{}", str(folder)))]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bad")
    (folder / "folder").mkdir()
    (folder / "empty").touch()
    (folder / "garbage").write_bytes(bytes(range(256)) * 3)
    (folder / "latin1").write_bytes("Stra\xdfe = 3\n".encode("latin1"))
    return folder


def findings(words: str, folder: Path, step: int, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is wrong with every `step`th command line of a verb."""
    found = []
    for line in islice(command_lines(words.split(" "), COMMANDS[words], folder), 0, None, step):
        error = io.TextIOWrapper(io.BytesIO(), "utf-8", errors="backslashreplace")  # as Python has it
        monkeypatch.setattr("sys.stderr", error)
        status = run(line)
        error.seek(0)
        said = error.read()
        is_good = status in (0, 1, 2) and "Traceback" not in said and "internal error" not in said
        if not is_good or (status != 0 and "demotic: " not in said and "Usage: " not in said):
            found.append(f"{[part[:60] for part in line]}: status {status}: {said[:300]}")
    return found


@pytest.fixture
def apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing to read, and whatever is written goes to a folder of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(io.BytesIO(), "utf-8"))


COMMANDS = {" ".join(words): command for words, command in verbs()}


@pytest.mark.usefixtures("apart")
def test_some_command_lines_of_every_verb(folder: Path, monkeypatch: pytest.MonkeyPatch):
    assert not [finding for words in COMMANDS for finding in findings(words, folder, 40, monkeypatch)]


@pytest.mark.slow
@pytest.mark.usefixtures("apart")
@pytest.mark.parametrize("words", COMMANDS)
def test_no_command_line_ends_in_a_traceback(words: str, folder: Path, monkeypatch: pytest.MonkeyPatch):
    found = findings(words, folder, 1, monkeypatch)
    assert not found, "\n".join(found)
