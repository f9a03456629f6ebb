"""The one error that users see: a line with file and line number, and a hint what to do."""

from __future__ import annotations

import warnings
from os import PathLike, fspath


class DemoticError(Exception):
    """An error that the user can fix: wrong input, wrong options, a full disk.

    Args:
        message: what is wrong, in one line.
        file: the file where, if any.
        line: 1-based line in that file, if known.
        hint: what to do about it, in one line.
    """

    def __init__(
        self, message: str, file: str | PathLike[str] | None = None, line: int | None = None, hint: str = ""
    ) -> None:
        self.message = message
        self.file = fspath(file) if file is not None else None
        self.line = line
        self.hint = hint
        place = "" if self.file is None else self.file + (f":{line}: " if line is not None else ": ")
        super().__init__(place + message + (f"\n  hint: {hint}" if hint else ""))

    def __reduce__(self) -> tuple[object, ...]:
        """Errors cross process borders with all their parts."""
        return type(self), (self.message, self.file, self.line, self.hint)


class DemoticWarning(UserWarning):
    """Something that the user should know, although the work goes on."""


def warn(message: str) -> None:
    """Warn the user; the command line prints it as `demotic: warning: ...`."""
    warnings.warn(message, DemoticWarning, stacklevel=3)


def os_error(error: OSError, file: str | PathLike[str]) -> DemoticError:
    """The same failure in a user's words."""
    import errno

    hints = {
        errno.ENOENT: "check the path",
        errno.EACCES: "check the permissions",
        errno.EROFS: "this folder is read-only: choose another one",
        errno.ENOSPC: "the disk is full: free some space and repeat the command",
        errno.EFBIG: "`ulimit -f` says how large a file may be",
        errno.EDQUOT: "your disk quota is used up: free some space and repeat the command",
        errno.EISDIR: "a file is expected here, not a folder",
        errno.ENOTDIR: "a part of the path is a file, not a folder",
    }
    message = (error.strerror or str(error)).lower()
    return DemoticError(message, file=error.filename or file, hint=hints.get(error.errno or 0, ""))
