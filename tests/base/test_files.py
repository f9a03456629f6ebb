"""Reading with exact line numbers; writing whole files or none."""

from __future__ import annotations

import errno
import gzip
import lzma
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demotic.base import DemoticError, atomic_write, files, read_lines
from demotic.base.files import atomic_copy, read_blocks, staging


def write(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("opener", [open, gzip.open, lzma.open])
def test_plain_gz_and_xz_read_alike_whatever_their_name(tmp_path: Path, opener):
    path = tmp_path / "text"
    with opener(path, "wb") as file:
        file.write("ä b\n\nc\r\nlast".encode())
    assert list(read_lines(path)) == ["ä b", "", "c", "last"]


@given(st.lists(st.text(st.characters(exclude_characters="\n\r\0", exclude_categories=["Cs"]))))
def test_only_newline_ends_a_line(tmp_path_factory, lines):
    """U+2028, U+0085, form feed: str.splitlines would break parallel files apart."""
    path = write(tmp_path_factory.mktemp("lines") / "t", "".join(line + "\n" for line in lines).encode())
    without_mark = [line.removeprefix("\ufeff") for line in lines[:1]] + lines[1:]
    assert list(read_lines(path)) == without_mark


BAD = {
    "invalid UTF-8": (b"fine\nk\xe4se\n", 2, "not valid UTF-8 (byte 0xe4 at column 2)"),
    "invalid UTF-8 behind a wide letter": (
        "ß".encode() + b"\xff\n",
        1,
        "not valid UTF-8 (byte 0xff at column 2)",
    ),
    "UTF-16": ("hallo\nwelt\n".encode("utf-16"), 1, "this is UTF-16, not UTF-8"),
    "NUL byte": (b"a\nb\nab\0c\n", 3, "NUL byte at column 3"),
    "truncated gz": (
        gzip.compress(b"x y z\n" * 5000)[:-20],
        None,
        "the archive is truncated or damaged",
    ),
    "truncated xz": (lzma.compress(b"x y z\n" * 5000)[:-20], None, "the archive is truncated or damaged"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_files_name_file_and_line(tmp_path: Path, name: str):
    content, line, message = BAD[name]
    path = write(tmp_path / "bad", content)
    with pytest.raises(DemoticError) as caught:
        list(read_lines(path))
    assert caught.value.message == message
    assert caught.value.file == str(path)
    assert caught.value.line == line if line else caught.value.line >= 1
    assert caught.value.hint


def test_missing_file(tmp_path: Path):
    with pytest.raises(DemoticError, match="no such file or directory\n  hint: check the path"):
        list(read_lines(tmp_path / "absent"))


def test_a_failing_writer_leaves_the_old_file_and_nothing_else(tmp_path: Path):
    path = write(tmp_path / "result", b"old")
    with pytest.raises(ZeroDivisionError), atomic_write(path) as file:
        file.write("new" * 10000)
        1 / 0  # noqa: B018
    assert path.read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["result"]


def test_a_copy_may_be_made_again(tmp_path: Path):
    (tmp_path / "a").write_text("text")
    for _ in range(2):  # the second time both are one file
        atomic_copy(tmp_path / "a", tmp_path / "b")
        assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]
    (tmp_path / "a").unlink()
    assert (tmp_path / "b").read_text() == "text"


def test_gz_output_has_no_time_stamp(tmp_path: Path):
    for name in ("a.gz", "b.gz"):
        with atomic_write(tmp_path / name) as file:
            file.write("same text\n")
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()
    assert list(read_lines(tmp_path / "a.gz")) == ["same text"]


def test_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with (
        pytest.raises(DemoticError, match="no space left on device\n  hint: the disk is full"),
        atomic_write(tmp_path / "out") as file,
    ):
        file.write("x" * 1_000_000)
    assert not list(tmp_path.iterdir())


def test_two_writers_of_one_file_never_mix(tmp_path: Path):
    target = tmp_path / "out"
    with atomic_write(target) as first:
        first.write("first\n" * 10)
        first.flush()
        with atomic_write(target) as second:
            second.write("second\n")
        assert target.read_text() == "second\n"
        first.write("first\n" * 10)
    assert target.read_text() == "first\n" * 20
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_no_link_is_followed(tmp_path: Path):
    (tmp_path / "victim").write_text("precious")
    for name in ("out.tmp", "out"):
        (tmp_path / name).symlink_to("victim")
    with atomic_write(tmp_path / "out") as file:
        file.write("new")
    (tmp_path / ".out.00000000.tmp").symlink_to("victim")
    numbers = iter([bytes(4), b"abcd"])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "urandom", lambda size: next(numbers))
        with atomic_write(tmp_path / "out") as file:
            file.write("newer")
    assert (tmp_path / "victim").read_text() == "precious"
    assert (tmp_path / "out").read_text() == "newer" and not (tmp_path / "out").is_symlink()


def test_the_longest_names_can_be_written(tmp_path: Path):
    for name in ("x" * 255, "ä" * 127):
        with atomic_write(tmp_path / name) as file:
            file.write(name)
        assert (tmp_path / name).read_text() == name


@pytest.mark.parametrize("largest", [0, 1 << 20])
def test_a_copy_is_its_own_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, largest: int):
    """Whoever writes into one of the two does not change the other; a large file that was linked cannot be written to."""
    monkeypatch.setattr(files, "_COPIED", largest)
    (tmp_path / "a").write_text("text")
    atomic_copy(tmp_path / "a", tmp_path / "b")
    linked = (tmp_path / "a").samefile(tmp_path / "b")
    assert not linked or not (tmp_path / "b").stat().st_mode & 0o222
    if not linked:
        with open(tmp_path / "b", "r+") as file:  # what `cp other b` does
            file.write("else")
        assert (tmp_path / "a").read_text() == "text"
    elif largest:
        raise AssertionError("a small file must be copied")
    with atomic_write(tmp_path / "b") as file:  # what we do
        file.write("new")
    assert (tmp_path / "a").read_text() == "text" and (tmp_path / "b").read_text() == "new"


def test_one_process_at_a_time_writes_files_that_belong_together(tmp_path: Path):
    with staging(tmp_path / "out") as folder:
        (folder / "a").write_text("1")
        with (
            pytest.raises(DemoticError, match="another demotic process is using this folder"),
            staging(tmp_path / "out"),
        ):
            pass
    (tmp_path / "out" / ".staging.0").mkdir()  # of a process that was killed
    with staging(tmp_path / "out") as folder:
        (folder / "b").write_text("2")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["a", "b"]


def test_error_keeps_its_parts_across_processes():
    import pickle

    error = pickle.loads(pickle.dumps(DemoticError("wrong", "f.txt", 3, "mend it")))
    assert (error.message, error.file, error.line, error.hint) == ("wrong", "f.txt", 3, "mend it")
    assert str(error) == "f.txt:3: wrong\n  hint: mend it"


@pytest.mark.parametrize("size", [1, 3, 7, 100])
def test_blocks_name_the_same_bad_line_as_lines_do(tmp_path: Path, size: int):
    text = b"one\ntwo words\n\n" + "drei Wörter\n".encode() + b"last"
    (tmp_path / "good").write_bytes(text)
    assert b"".join(read_blocks(tmp_path / "good", size)) == text
    (tmp_path / "latin1").write_bytes(text.replace("ö".encode(), b"\xf6"))
    with pytest.raises(DemoticError, match="latin1:4: not valid UTF-8"):
        list(read_blocks(tmp_path / "latin1", size))
