"""Says in one line what is missing before an environment can be made: run by `make` with the system's Python."""

from __future__ import annotations

import importlib.util
import shutil
import sys
import sysconfig
from pathlib import Path


def missing() -> str | None:
    """The first thing that is missing, with the package that has it."""
    if sys.version_info < (3, 10):  # noqa: UP036
        return f"Python 3.10 or newer is needed, this is {sys.version.split()[0]}; name another: make PYTHON=python3.12"
    if importlib.util.find_spec("venv") is None or importlib.util.find_spec("ensurepip") is None:
        return "Python's venv module is missing; install it: apt install python3-venv (Debian, Ubuntu)"
    if not (Path(sysconfig.get_paths()["include"]) / "Python.h").exists():
        return "the Python headers are missing; install them: apt install python3-dev (Debian, Ubuntu), dnf install python3-devel (Fedora)"
    if not any(shutil.which(compiler) for compiler in ("c++", "g++", "clang++")):
        return "no C++ compiler; install one: apt install g++ (Debian, Ubuntu), dnf install gcc-c++ (Fedora), xcode-select --install (macOS)"
    return None


if __name__ == "__main__":
    problem = missing()
    sys.exit(f"demotic: {problem}" if problem else 0)
