"""Prints what the project depends on, one requirement a line: run by `make` to install it while the core is compiled."""

from __future__ import annotations

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
    return [*project["dependencies"], *(each for extra in extras for each in optional[extra])]


if __name__ == "__main__":
    print("\n".join(dependencies(sys.argv[1].split("+"))))
