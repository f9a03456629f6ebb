"""What each feature adds to the score of a rule."""

from __future__ import annotations

from dataclasses import dataclass

from demotic.decode.derivation import Derivation
from demotic.decode.hypergraph import Hypergraph
from demotic.features import Weights


@dataclass(frozen=True)
class FeaturePart:
    """What a feature adds to the score of a rule: value times weight."""

    name: str
    value: float
    weight: float

    @property
    def product(self) -> float:
        """The part of the score."""
        return self.value * self.weight


def feature_parts(derivation: Derivation, graph: Hypergraph, weights: Weights) -> list[FeaturePart]:
    """The features of a derivation's top rule that weigh something, those that matter most first; they add up to its score.

    Args:
        derivation: of `graph`.
        graph: was decoded with these weights.
        weights: by feature name.
    """
    features = graph.edge_features(derivation.edge).items()
    parts = [FeaturePart(name, value, weight) for name, value in features if (weight := weights.get(name))]
    return sorted(parts, key=lambda part: (-abs(part.product), part.name))
