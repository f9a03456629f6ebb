"""Libraries that take a while to load, loaded when they are first used.

`demotic --help` needs no numpy, and `demotic decode` is done in less time than numpy takes to load. Modules that both use import it so:

```python
if TYPE_CHECKING:
    import numpy as np
else:
    np = LazyModule("numpy")
```
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import Any


class LazyModule(ModuleType):
    """Stands for a module and imports it when something of it is asked for.

    Args:
        name: absolute, such as "numpy".
    """

    def __getattr__(self, attribute: str) -> Any:
        """Looked up once: what was found stays in this object's dictionary, where Python looks first."""
        value = getattr(import_module(self.__name__), attribute)
        setattr(self, attribute, value)
        return value
