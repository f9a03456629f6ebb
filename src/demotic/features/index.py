"""The feature index: name <-> dense id, grown to tens of millions of features.

A feature costs about 75 bytes in memory for a name of 30. Ids follow the order in which names are interned, so interning is
sequential: threads only look names up, and nobody may do so while somebody interns.
"""

from demotic._core import FeatureIndex

__all__ = ["FeatureIndex"]
