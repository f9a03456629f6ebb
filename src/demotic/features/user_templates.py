"""Templates of the user's own, for every process that needs them: the command line, replicas, workers on other machines."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import inspect
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import CodeType

from demotic.base.errors import DemoticError

VARIABLE = "DEMOTIC_TEMPLATES"


def import_user_templates() -> None:
    """Import what $DEMOTIC_TEMPLATES names, with commas between: files such as `my_templates.py`, or modules.

    Always the user names them, never a model: nobody's code runs because somebody's model was loaded.

    Raises:
        DemoticError: one of them cannot be imported.
    """
    for name in filter(None, map(str.strip, os.environ.get(VARIABLE, "").split(","))):
        try:
            if name.endswith(".py"):
                _import_file(Path(name).resolve())
            else:
                importlib.import_module(name)
        except Exception as error:  # whatever their code does
            raise DemoticError(
                f"cannot be imported: {type(error).__name__}: {error}",
                name,
                hint=f"the file is named in ${VARIABLE}",
            ) from error


def source_digest(function: Callable[..., object]) -> str:
    """Digest of a template's code, so that checkpoints of an edited template are not taken for those of the new one.

    That is its source and, if it comes from a module, all of the module's file, since it may call other functions there. Without
    a source, as at a prompt, it is the byte code. To be called as the function is registered: later the file may be another.
    """
    parts = []
    code = getattr(function, "__code__", None)
    try:
        parts.append(inspect.getsource(function if code else type(function)).encode())
    except (OSError, TypeError):
        parts += _byte_code(code) if code else [repr(type(function)).encode()]
    if code and function.__module__ != "__main__" and Path(code.co_filename).is_file():
        parts.append(Path(code.co_filename).read_bytes())
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        digest.update(b"%d:" % len(part) + part)
    return digest.hexdigest()


def _byte_code(code: CodeType) -> list[bytes]:
    """What a function does, without the names of files and numbers of lines."""
    parts = [code.co_code, repr(code.co_names).encode()]
    for constant in code.co_consts:
        parts += _byte_code(constant) if isinstance(constant, CodeType) else [repr(constant).encode()]
    return parts


def _import_file(path: Path) -> None:
    name = f"demotic_templates_{hashlib.sha256(str(path).encode()).hexdigest()[:16]}"
    if name in sys.modules:
        return
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None  # for a name that ends in .py there is one
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    sys.modules[name] = module
