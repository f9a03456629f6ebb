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
from demotic.base.locks import lock_folder

Pathish = str | os.PathLike[str]

# Compressed files up to this size are unpacked in one call, which takes half the time of a stream. Packed bytes grow at most
# about a thousandfold.
_AT_ONCE = 1 << 18
_COPIED = 64 << 20  # bytes of the largest file that is copied where it cannot be cloned
_FICLONE = 0x40049409  # Linux: let a file share the blocks of another
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
    # Lines of the last block are counted when they are asked for: most files have one block.
    counted, last = 0, b""

    def number() -> int:
        return counted + last.count(b"\n")

    with _reading(path, number), open_binary(path) as file:
        rest: list[bytes] = []
        while part := file.read(size):
            cut = part.rfind(b"\n") + 1
            if cut > 0:
                block = b"".join([*rest, part[:cut]])
                counted, last = number(), b""
                yield _checked_block(block, path, counted)
                last, rest = block, []
            rest.append(part[cut:])
        if block := b"".join(rest):
            yield _checked_block(block, path, number())


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

    Until then it lies beside it under a name of its own (`temporary_beside`). Names that end in .gz or .xz are compressed,
    with no time stamp: same content, same bytes. Devices and pipes are written to as they are: nobody wants `/dev/null` replaced.
    """
    target = Path(path)
    try:
        if is_device(target):
            with open(target, "wb") as device:
                yield device
            return
        with temporary_beside(target) as temporary:
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
            publish(temporary, target)
    except OSError as error:
        raise os_error(error, path) from error


@contextlib.contextmanager
def temporary_beside(path: Pathish) -> Iterator[Path]:
    """A new, empty file in the folder of another, so that a rename stays on one file system; removed in the end.

    It has a name that nobody can foresee, and is made by the call that fails where something lies there already: two writers
    never share one, and no link that somebody put there is followed.
    """
    target = Path(path)
    if not target.name or target.name == "..":
        raise DemoticError("this is a folder, or no name at all; a file is expected", path or '""')
    while True:
        # The longest names have 255 bytes, and a character up to four.
        temporary = target.with_name(f".{target.name[:50]}.{os.urandom(4).hex()}.tmp")
        try:
            os.close(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o666))
            break
        except FileExistsError:
            continue
        except OSError as error:
            raise os_error(OSError(error.errno, error.strerror), path) from error
    try:
        yield temporary
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink()


def is_device(path: Path) -> bool:
    """Whether something lies there that is no file and no folder."""
    return path.exists() and not path.is_file() and not path.is_dir()


def atomic_copy(source: Pathish, target: Pathish) -> None:
    """Copy a file so that it appears whole; what is done to one of the two later does not change the other."""
    try:
        if Path(target).exists() and Path(source).samefile(target):
            return
        with temporary_beside(target) as temporary:
            own_copy(source, temporary)
            publish(temporary, Path(target))
    except OSError as error:
        raise os_error(error, target) from error


def own_copy(source: Pathish, copy: Pathish) -> None:
    """Copy the content of a file, cheaply if it is large.

    A clone (Btrfs, XFS) shares the blocks until one of the two is written to. Elsewhere a file of up to 64 MiB is
    copied, and a larger one becomes a hard link that is read-only, so that `cp other model/lm.bin` is refused instead of
    changing two models. We replace files and never write into them, so that is safe; only root is not held back.
    """
    with open(source, "rb") as original, open(copy, "wb") as clone:
        if _clone(original.fileno(), clone.fileno()):
            return
    if Path(source).stat().st_size > _COPIED and _link_read_only(Path(source), Path(copy)):
        return
    shutil.copyfile(source, copy)


def _clone(original: int, clone: int) -> bool:
    import fcntl

    try:
        fcntl.ioctl(clone, _FICLONE, original)
    except OSError:
        return False
    return True


def _link_read_only(source: Path, copy: Path) -> bool:
    try:
        source.chmod(stat.S_IMODE(source.stat().st_mode) & ~0o222)
        copy.unlink()
        os.link(source, copy)
    except OSError:  # not our file, or a file system without links
        return False
    return True


@contextlib.contextmanager
def staging(folder: Pathish) -> Iterator[Path]:
    """A temporary folder inside `folder`; when the block ends without an error, its files move up together.

    For outputs of several files that belong together: after an error (a full disk, say) none of them is there, and a second
    process that writes to the same folder is refused.
    """
    final = make_folder(folder)
    lock = lock_folder(final)
    try:
        for left_over in final.glob(".staging.*"):
            shutil.rmtree(left_over, ignore_errors=True)
        temporary = final / f".staging.{os.urandom(4).hex()}"
        temporary.mkdir()
        try:
            yield temporary
            for path in sorted(temporary.iterdir()):
                os.replace(path, final / path.name)
            sync(final)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)
    finally:
        os.close(lock)


def publish(temporary: Path, target: Path) -> None:
    """Give a complete file its name. Bytes go to disk before the rename: after a power cut a name never has half a file."""
    sync(temporary)
    os.replace(temporary, target)
    with contextlib.suppress(OSError):  # not every file system can, and the file is whole without
        sync(target.parent)


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
