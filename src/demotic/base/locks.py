"""Locks on folders where a second writer makes no sense: two runs in one folder, two halves of one output."""

from __future__ import annotations

import os
from pathlib import Path

from demotic.base.errors import DemoticError, os_error


def lock_folder(folder: Path, name: str = "") -> int:
    """Lock a folder, or refuse if another process has; the system drops the lock when the process dies, however it dies.

    Args:
        folder: what is locked.
        name: of a file in it that takes the lock, for file systems that cannot lock a folder; default: the folder itself.

    Returns:
        A descriptor: closing it ends the lock.
    """
    import fcntl

    try:
        path, flags = (folder / name, os.O_RDWR | os.O_CREAT) if name else (folder, os.O_RDONLY)
        descriptor = os.open(path, flags | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise os_error(error, folder) from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise DemoticError(
            "another demotic process is using this folder",
            folder,
            hint="wait until it ends, or choose another folder",
        ) from None
    except OSError as error:
        os.close(descriptor)
        raise os_error(error, folder) from error
    return descriptor
