"""Packages that only some commands need, and the extra that installs each: `pip install 'demotic[train]'`.

`demotic translate` does without any of them. What the extras contain is said in pyproject.toml; a test compares.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec

from demotic.base.errors import DemoticError

# Name to import -> the smallest extra that has it.
EXTRA_OF: Mapping[str, str] = {
    "sacrebleu": "train",
    "scipy": "train",
    "threadpoolctl": "train",
    "jinja2": "report",
    "matplotlib": "report",
    "httptools": "serve",
    "starlette": "serve",
    "uvicorn": "serve",
    "ray": "cluster",
    "thot": "aligners",
    "kenlm": "peers",
}


def need_extra(extra: str) -> None:
    """Fail if a package of an extra is not installed; what takes long and needs it in the end asks first."""
    missing = [module for module, of in EXTRA_OF.items() if of == extra and find_spec(module) is None]
    if missing:
        raise _not_installed(" and ".join(missing), extra)


def missing_extra(error: ModuleNotFoundError) -> DemoticError | None:
    """What to tell a user whose installation lacks an extra; None if the module belongs to none."""
    module = (error.name or "").partition(".")[0]
    return _not_installed(module, EXTRA_OF[module]) if module in EXTRA_OF else None


def _not_installed(modules: str, extra: str) -> DemoticError:
    verb = "are" if " and " in modules else "is"
    return DemoticError(f"{modules} {verb} not installed", hint=f"pip install 'demotic[{extra}]'")
