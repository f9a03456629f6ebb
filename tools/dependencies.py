"""Prints what the project depends on, one requirement a line: run by `make` to install it while the core is compiled.

python tools/dependencies.py EXTRA+EXTRA            # of the package and of these extras
python tools/dependencies.py EXTRA+EXTRA --lowest   # the same, each pinned to its lower bound: constraints for pip
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib  # `make` installs it with the build tools


def dependencies(extras: list[str]) -> list[str]:
    """Of the package and of some of its extras, from pyproject.toml."""
    project = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text("utf-8"))["project"]
    optional = project["optional-dependencies"]
    return list(dict.fromkeys([*project["dependencies"], *_of_extras(project["name"], optional, extras)]))


def _of_extras(name: str, optional: dict[str, list[str]], extras: list[str]) -> list[str]:
    """An extra may name others of the same project, as `demotic[train]`."""
    found = []
    for requirement in (each for extra in extras for each in optional[extra]):
        others = re.fullmatch(rf"{name}\[(.*)\]", requirement)
        found += _of_extras(name, optional, others[1].split(",")) if others else [requirement]
    return found


def lowest(requirement: str) -> str:
    """`numpy>=1.24,<3; MARKER` as `numpy==1.24; MARKER`."""
    bound, semicolon, marker = requirement.partition(";")
    name, version = re.match(r"([\w.-]+)(?:\[.*\])?>=([\w.]+)", bound).groups()  # type: ignore[union-attr]
    return f"{name}=={version}{semicolon}{marker}"


if __name__ == "__main__":
    found = dependencies(sys.argv[1].split("+"))
    print("\n".join(map(lowest, found) if sys.argv[2:] == ["--lowest"] else found))
