"""Labels of sentences, such as their document or domain: features in conjunction with them."""

from __future__ import annotations

from demotic.features.names import unescape
from demotic.features.weights import Weights


def known_labels(weights: Weights) -> list[str]:
    """Labels of features that have a weight, sorted."""
    names = (name for name, _ in weights.items() if name.endswith(">"))
    return sorted({unescape(name[:-1].rpartition("<@")[2]) for name in names if "<@" in name})
