"""Demotic: hierarchical statistical machine translation with large-scale discriminative training.

The sub-packages are the layers, in the order of the data flow: `base`, `corpus`, `align`, `lm`, `grammar`,
`features`, `decode`, `evaluate`, `cluster`, `learn`, `pipeline`, `adapt`, `report`, `reproduce`, `serve`, `cli`. A layer imports only
from those before it.
"""

__version__: str


def __getattr__(name: str) -> str:
    """The version, looked up when it is first asked for: reading the package's metadata takes as long as starting Python."""
    if name != "__version__":
        raise AttributeError(f"module 'demotic' has no attribute '{name}'")
    from importlib.metadata import version

    global __version__
    __version__ = version("demotic")  # where Python looks first from now on: the key of every stage has it
    return __version__
