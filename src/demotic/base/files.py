"""Reading text with exact line numbers, and writing files that appear whole or not at all."""

from __future__ import annotations

import contextlib
import gzip
import io
import lzma
import os
import shutil
import stat
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, cast

from demotic.base.errors import DemoticError, os_error

Pathish = str | os.PathLike[str]

# Compressed files up to this size are unpacked in one call, which takes half the time of a stream. Packed bytes grow at most
# about a thousandfold.
_AT_ONCE = 1 << 18
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


def open_binary(path: Pathish) -> IO[bytes]:
    """Open a plain, .gz or .xz file (told by its first bytes, not its name) for reading. Pipes will do."""
    with _reading(path, lambda: 0):
        file = open(path, "rb")  # noqa: SIM115
        magic = file.peek(6)
        if magic.startswith(b"\x1f\x8b"):
            status = os.fstat(file.fileno())
            if stat.S_ISREG(status.st_mode) and status.st_size <= _AT_ONCE:
                with file:
                    return io.BytesIO(gzip.decompress(file.read()))
            return cast(IO[bytes], gzip.GzipFile(fileobj=file, mode="rb"))
        if magic.startswith(b"\xfd7zXZ\x00"):
            return cast(IO[bytes], lzma.LZMAFile(file, "rb"))
        return file


def read_lines(path: Pathish) -> Iterator[str]:
    r"""Yield the lines of a UTF-8 text file (plain, .gz, .xz) without their line ends.

    Only \n and \r\n end a line, never U+2028 and the like, so that parallel files stay parallel. Invalid UTF-8,
    UTF-16, NUL bytes and truncated archives raise `DemoticError` with the line number.
    """
    number = 0
    with _reading(path, lambda: number), open_binary(path) as file:
        for raw in file:
            number += 1
            yield _decode(raw, path, number)


def read_blocks(path: Pathish, size: int = 1 << 22) -> Iterator[bytes]:
    """Yield a UTF-8 text file (plain, .gz, .xz) in blocks of whole lines, for native code to read.

    The same checks as `read_lines`, at the speed of the disk.
    """
    number = 0
    with _reading(path, lambda: number), open_binary(path) as file:
        rest: list[bytes] = []
        while part := file.read(size):
            cut = part.rfind(b"\n") + 1
            if cut > 0:
                block = b"".join([*rest, part[:cut]])
                yield _checked_block(block, path, number)
                number += block.count(b"\n")
                rest = []
            rest.append(part[cut:])
        if block := b"".join(rest):
            yield _checked_block(block, path, number)


@contextlib.contextmanager
def _reading(path: Pathish, line: Callable[[], int]) -> Iterator[None]:
    """Turn what can go wrong while reading into a `DemoticError`; `line()` lines have been read."""
    try:
        yield
    except (EOFError, lzma.LZMAError, zlib.error, gzip.BadGzipFile) as error:
        raise DemoticError(
            "the archive is truncated or damaged",
            path,
            line() + 1,
            "copy it again; `gzip -t` or `xz -t` checks it",
        ) from error
    except OSError as error:
        raise os_error(error, path) from error


def _checked_block(block: bytes, path: Pathish, lines_before: int) -> bytes:
    """The block, without a byte-order mark; the error of its first bad line if there is one."""
    if lines_before == 0:
        if block.startswith(_UTF16_MARKS):
            _decode(block, path, 1)
        block = block.removeprefix(b"\xef\xbb\xbf")
    try:
        if b"\x00" not in block:
            block.decode("utf-8")
            return block
    except UnicodeDecodeError:
        pass
    for number, raw in enumerate(block.split(b"\n"), start=lines_before + 1):
        _decode(raw, path, number)
    return block


def _decode(raw: bytes, path: Pathish, number: int) -> str:
    if number == 1:
        if raw.startswith(_UTF16_MARKS):
            raise DemoticError(
                "this is UTF-16, not UTF-8",
                path,
                1,
                f"convert it with  iconv -f utf-16 -t utf-8 {os.fspath(path)}",
            )
        raw = raw.removeprefix(b"\xef\xbb\xbf")
    if b"\x00" in raw:
        raise DemoticError(
            f"NUL byte at column {raw.index(0) + 1}",
            path,
            number,
            "is this a text file? `tr -d '\\000'` removes NUL bytes",
        )
    try:
        return raw.decode("utf-8").removesuffix("\n").removesuffix("\r")
    except UnicodeDecodeError as error:
        column = len(raw[: error.start].decode("utf-8")) + 1
        raise DemoticError(
            f"not valid UTF-8 (byte 0x{raw[error.start]:02x} at column {column})",
            path,
            number,
            f"if the file is Latin-1, convert it with  iconv -f latin1 -t utf-8 {os.fspath(path)}",
        ) from error


@contextlib.contextmanager
def atomic_write(path: Pathish) -> Iterator[IO[str]]:
    """Open a UTF-8 text file for writing that appears under its name only when the block ends without an error.

    Names that end in .gz or .xz are compressed (see `atomic_write_bytes`).
    """
    with atomic_write_bytes(path) as binary:
        text = io.TextIOWrapper(binary, encoding="utf-8", newline="\n")
        yield text
        text.flush()
        text.detach()


@contextlib.contextmanager
def atomic_write_bytes(path: Pathish) -> Iterator[IO[bytes]]:
    """Open a file for writing that appears under its name only when the block ends without an error.

    The temporary file lies beside it (`NAME.tmp`), so that the rename stays on one file system. Names that end in .gz or
    .xz are compressed, with no time stamp: same content, same bytes.
    """
    target = Path(path)
    temporary = target.with_name(target.name + ".tmp")
    try:
        with contextlib.ExitStack() as stack:
            raw = stack.enter_context(open(temporary, "wb"))
            binary: IO[bytes] = raw
            if target.suffix == ".gz":
                packed = stack.enter_context(gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0))
                binary = cast(IO[bytes], packed)
            elif target.suffix == ".xz":
                binary = stack.enter_context(lzma.open(raw, "wb"))
            yield binary
            raw.flush()
        sync(temporary)
        os.replace(temporary, target)
    except BaseException as error:
        with contextlib.suppress(OSError):
            temporary.unlink()
        if isinstance(error, OSError):
            raise os_error(error, path) from error
        raise


def atomic_copy(source: Pathish, target: Pathish) -> None:
    """Copy a file so that it appears whole; as a hard link where the file system has them."""
    final = Path(target)
    temporary = final.with_name(final.name + ".tmp")
    try:
        temporary.unlink(missing_ok=True)
        try:
            os.link(source, temporary)
        except OSError:
            shutil.copyfile(source, temporary)
        os.replace(temporary, final)
        temporary.unlink(missing_ok=True)  # which stays where both names were links to one file already
    except OSError as error:
        raise os_error(error, target) from error


@contextlib.contextmanager
def staging(folder: Pathish) -> Iterator[Path]:
    """A temporary folder inside `folder`; when the block ends without an error, its files move up together.

    For outputs of several files that belong together: after an error (a full disk, say) none of them is there.
    """
    final = make_folder(folder)
    temporary = final / ".staging.tmp"
    shutil.rmtree(temporary, ignore_errors=True)
    make_folder(temporary)
    try:
        yield temporary
        for path in sorted(temporary.iterdir()):
            os.replace(path, final / path.name)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def sync(path: Path) -> None:
    """Force the bytes of a file, or the names in a folder, to disk: after a power cut a name must not point at an empty file."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def make_folder(path: Pathish) -> Path:
    """Create a folder and its parents; it may exist."""
    folder = Path(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise os_error(error, path) from error
    return folder
