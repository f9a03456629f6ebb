"""What is left of an error that nobody foresaw: a line for the user, a file for whoever mends it."""

from __future__ import annotations

import os
import platform
import sys
import traceback
from collections.abc import Sequence

import demotic


def report_crash(error: Exception, arguments: Sequence[str]) -> str:
    """Save a report; return the line that says so. The report has the command line and the traceback, no other text."""
    what = " ".join(traceback.format_exception_only(error)[-1].split())
    short = what if len(what) <= 300 else what[:300] + "..."
    debug = "add --debug to see the traceback"
    try:
        hint = f"{debug}; a report for the developers is in {_save(error, arguments)}"
    except OSError:
        hint = debug
    return f"demotic: internal error: {short}\n  hint: {hint}"


def _save(error: Exception, arguments: Sequence[str]) -> str:
    import tempfile

    descriptor, path = tempfile.mkstemp(prefix="demotic-error-", suffix=".txt")
    with os.fdopen(descriptor, "w", encoding="utf-8", errors="backslashreplace") as file:
        file.write(f"demotic {demotic.__version__}, Python {sys.version.split()[0]}, {platform.platform()}\n")
        file.write(f"command: demotic {' '.join(map(repr, arguments))}\n\n")
        file.write("".join(traceback.format_exception(error)))
    return path
