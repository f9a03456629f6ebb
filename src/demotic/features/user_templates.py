"""Templates of the user's own, for every process that needs them: the command line, replicas, workers on other machines."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import os
import sys
from pathlib import Path

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


def _import_file(path: Path) -> None:
    name = f"demotic_templates_{hashlib.sha256(str(path).encode()).hexdigest()[:16]}"
    if name in sys.modules:
        return
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None  # for a name that ends in .py there is one
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    sys.modules[name] = module
