"""Demotic: hierarchical statistical machine translation with large-scale discriminative training.

The sub-packages are the layers, in the order of the data flow: `base`, `corpus`, `align`, `lm`, `grammar`,
`features`, `decode`, `evaluate`, `cluster`, `learn`, `pipeline`, `report`, `reproduce`, `serve`, `cli`. A layer imports only
from those before it.
"""

from importlib.metadata import version

__version__ = version("demotic")
