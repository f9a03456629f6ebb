"""What takes a while to load, loaded when it is first used.

`demotic --help` needs neither numpy nor the decoder, and `demotic decode` is done in less time than numpy takes to load.

A package that exports names of its modules imports none of them:

```python
if TYPE_CHECKING:
    from demotic.lm.model import LanguageModel
else:
    __getattr__ = lazy_exports(__name__)
```

A module of which not every use needs numpy imports it so:

```python
if TYPE_CHECKING:
    import numpy as np
else:
    np = LazyModule("numpy")
```
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any


def lazy_exports(package: str) -> Callable[[str], Any]:
    """The `__getattr__` of a package (PEP 562): imports a name when it is first asked for.

    Where names come from is read from the package's own `from ... import` statements, those for type checkers included. No name may
    be that of a module of the package: importing the module would hide it.

    Args:
        package: its `__name__`.
    """

    @cache
    def sources() -> dict[str, str]:
        loader: Any = sys.modules[package].__loader__
        statements = ast.walk(ast.parse(loader.get_source(package)))
        imports = [each for each in statements if isinstance(each, ast.ImportFrom) and each.module]
        return {alias.name: str(each.module) for each in imports for alias in each.names}

    def get_attribute(name: str) -> Any:
        if name not in sources():
            raise AttributeError(f"module '{package}' has no attribute '{name}'")
        value = getattr(import_module(sources()[name]), name)
        setattr(sys.modules[package], name, value)  # where Python looks first from now on
        return value

    return get_attribute


class LazyModule(ModuleType):
    """Stands for the module of an absolute name, such as "numpy", and imports it when something of it is asked for."""

    def __getattr__(self, attribute: str) -> Any:
        """Called once for each attribute: what was found stays in this object's dictionary, where Python looks first."""
        value = getattr(import_module(self.__name__), attribute)
        setattr(self, attribute, value)
        return value
