"""What every layer stands on: errors, files that appear whole or not at all, options, runs, progress."""

from typing import TYPE_CHECKING

from demotic.base.lazy import lazy_exports

if TYPE_CHECKING:
    from demotic.base.errors import DemoticError, warn
    from demotic.base.files import atomic_write, atomic_write_bytes, open_binary, read_blocks, read_lines
    from demotic.base.options import load_toml, options_from, options_to_dict
    from demotic.base.progress import Progress
    from demotic.base.run import Run
else:
    __getattr__ = lazy_exports(__name__)

__all__ = [
    "DemoticError",
    "Progress",
    "Run",
    "atomic_write",
    "atomic_write_bytes",
    "load_toml",
    "open_binary",
    "options_from",
    "options_to_dict",
    "read_blocks",
    "read_lines",
    "warn",
]
