"""What a user sees for bad input: one line with file and line, a hint, exit 1, and no half-written output."""

from __future__ import annotations

import errno
import gzip
import lzma
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from demotic.cli.main import run

GOOD = "Das Haus ist klein .\nDie Stadt ist groß .\nEin Hund bellt .\n"
BOMB = (
    '<?xml version="1.0"?>\n<!DOCTYPE t [\n<!ENTITY a "aaaa">\n<!ENTITY b "&a;&a;">]>\n<tmx><body/></tmx>\n'
)


def prepare(folder: Path, *extra: str) -> list[str]:
    return [
        "prepare",
        "--src",
        str(folder / "s"),
        "--tgt",
        str(folder / "t"),
        "--out",
        str(folder / "out"),
        "--threads",
        "1",
        *extra,
    ]


def align(folder: Path) -> list[str]:
    return [
        "align",
        "run",
        "--src",
        str(folder / "s"),
        "--tgt",
        str(folder / "t"),
        "--out",
        str(folder / "out/a"),
        "--model",
        "fast_align",
    ]


def from_input(name: str) -> Callable[[Path], list[str]]:
    return lambda folder: ["prepare", "--input", str(folder / name), "--out", str(folder / "out")]


# name: (files, command, what the message begins with; {} is the folder, # any number)
CASES: dict[str, tuple[dict[str, bytes], Callable[..., list[str]], str]] = {
    "unequal line counts": ({"t": b"a\nb\n"}, prepare, "{}/t:2: 2 lines, but {}/s has 3\n  hint: "),
    "empty line": ({"t": b"a\n\nb\n"}, align, "{}/t:2: empty line\n  hint: "),
    "tab in tokenised text": (
        {"t": b"a\nb\tc\nd\n"},
        align,
        "{}/t:2: a tab inside tokenised text (column 2)\n  hint: ",
    ),
    "bars in tokenised text": (
        {"t": b"a\nb\nc ||| d\n"},
        align,
        "{}/t:3: '|||' inside tokenised text (column 2)\n  hint: ",
    ),
    "bars, prepare --tokenized": (
        {"t": b"a\nb\nc ||| d\n"},
        lambda folder: prepare(folder, "--tokenized"),
        "{}/t:3: '|||' inside tokenised text (column 2)\n  hint: ",
    ),
    "NUL byte": ({"t": b"a\nb\0c\nd\n"}, prepare, "{}/t:2: NUL byte at column 2\n  hint: "),
    "invalid UTF-8": (
        {"s": GOOD.encode("latin1")},
        prepare,
        "{}/s:2: not valid UTF-8 (byte 0xdf at column 18)\n  hint: ",
    ),
    "UTF-16": ({"s": GOOD.encode("utf-16")}, prepare, "{}/s:1: this is UTF-16, not UTF-8\n  hint: "),
    "truncated .gz": (
        {"s": gzip.compress(GOOD.encode() * 99)[:-9]},
        prepare,
        "{}/s:#: the archive is truncated or damaged\n  hint: ",
    ),
    "truncated .xz": (
        {"s": lzma.compress(GOOD.encode() * 99)[:-9]},
        prepare,
        "{}/s:#: the archive is truncated or damaged\n  hint: ",
    ),
    "TMX with an entity bomb": (
        {"m.tmx": BOMB.encode()},
        from_input("m.tmx"),
        "{}/m.tmx:3: the file declares the entity 'a'\n  hint: ",
    ),
    ".po with a syntax error": (
        {"m.po": b'msgid "a"\nmsgstr "b\n'},
        from_input("m.po"),
        "{}/m.po:2: syntax error: ",
    ),
    "missing file": (
        {},
        from_input("absent.tsv"),
        "{}/absent.tsv: no such file or directory\n  hint: check the path",
    ),
    "unknown kind of file": (
        {"m.doc": b"x"},
        from_input("m.doc"),
        "{}/m.doc: unknown format of parallel text\n  hint: ",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_bad_input(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str):
    files, command, message = CASES[name]
    for file, content in {"s": GOOD.encode(), "t": GOOD.encode(), **files}.items():
        (tmp_path / file).write_bytes(content)
    assert run(command(tmp_path)) == 1
    captured = capsys.readouterr()
    pattern = re.escape("demotic: " + message.replace("{}", str(tmp_path))).replace(r"\#", r"\d+")
    assert re.match(pattern, captured.err), captured.err
    assert captured.out == ""
    assert not list((tmp_path / "out").glob("*"))


def test_folder_that_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    for name in ("s", "t"):
        (tmp_path / name).write_text(GOOD)
    (tmp_path / "out").write_text("a file where a folder should be")
    assert run(prepare(tmp_path)) == 1
    assert f"demotic: {tmp_path}/out: file exists" in capsys.readouterr().err


def full(descriptor: int) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_full_disk(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    for name in ("s", "t"):
        (tmp_path / name).write_text(GOOD)
    monkeypatch.setattr(os, "fsync", full)
    assert run(prepare(tmp_path)) == 1
    assert "no space left on device\n  hint: the disk is full" in capsys.readouterr().err
    assert list((tmp_path / "out").iterdir()) == []


def test_windows_line_ends_and_byte_order_mark_are_accepted(tmp_path: Path):
    (tmp_path / "s").write_bytes(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())
    (tmp_path / "t").write_text(GOOD)
    assert run(prepare(tmp_path)) == 0
    assert (tmp_path / "out/train.src").read_bytes() == (tmp_path / "out/train.tgt").read_bytes()


def test_tabs_and_bars_in_raw_text_are_escaped(tmp_path: Path):
    for name in ("s", "t"):
        (tmp_path / name).write_text("a\tb ||| c\n")
    assert run(prepare(tmp_path)) == 0
    assert (tmp_path / "out/train.src").read_text() == "a b &#124; &#124; &#124; c\n"


def test_config_errors_name_key_and_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    for name in ("s", "t"):
        (tmp_path / name).write_text(GOOD)
    config = tmp_path / "c.toml"
    config.write_text("[prepare.clean]\nmax_word = 3\n")
    assert run(prepare(tmp_path, "--config", str(config))) == 1
    assert capsys.readouterr().err == (
        f"demotic: {config}: unknown option 'prepare.clean.max_word'\n  hint: did you mean 'prepare.clean.max_words'?\n"
    )
