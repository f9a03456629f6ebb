"""The derivations that a search found."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from demotic import _core
from demotic.decode.derivation import Derivation, read_derivation
from demotic.decode.kbest import KBest
from demotic.features import FeatureIndex, Weights


class Hypergraph:
    """Packed derivations of one sentence; immutable.

    Args:
        native: from the decoder.
        index: where features get their ids; lists made from this graph add new features to it.
    """

    def __init__(self, native: _core.Hypergraph, index: FeatureIndex) -> None:
        self.native = native
        self.index = index

    @property
    def sentence(self) -> list[str]:
        """The source words."""
        return self.native.sentence

    def viterbi(self) -> KBest:
        """The best derivation, as a list of one."""
        return self.kbest(1)

    def kbest(self, k: int, unique: bool = False) -> KBest:
        """The k best derivations: algorithm 3 of Huang and Chiang (2005). `unique`: of k different strings, the best of each."""
        return self._numbered(_core.kbest(self.native, k, unique))

    def sample(self, n: int, seed: int, temperature: float = 1.0) -> KBest:
        """Draw n derivations independently, each in proportion to exp(score / temperature)."""
        return self._numbered(_core.sample(self.native, n, temperature, seed))

    def inside(self, temperature: float = 1.0) -> npt.NDArray[np.float64]:
        """Log of the sum of exp(score / temperature) over the derivations of each node; the last is the partition function's."""
        return self.native.inside(temperature)

    def edge_posteriors(self, temperature: float = 1.0) -> npt.NDArray[np.float64]:
        """Probability that a random derivation uses an edge, by inside and outside sums."""
        return self.native.edge_posteriors(temperature)

    def expected_features(
        self, temperature: float = 1.0
    ) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.float64]]:
        """Ids and expectations of all features: the gradient of temperature times the log partition function."""
        ids, values = self.native.expected_features(temperature, self.index)
        return ids, values

    def edge_features(self, edge: int) -> dict[str, float]:
        """Features of one edge by name."""
        ids, values = self.native.edge_features(edge, self.index)
        return {self.index.name(id_): value for id_, value in zip(ids.tolist(), values.tolist(), strict=True)}

    def prune(self, threshold: float, temperature: float = 1.0) -> Hypergraph:
        """Without edges whose posterior is below `threshold`; the best derivation stays."""
        return Hypergraph(self.native.prune(threshold, temperature), self.index)

    def prune_to(self, edges: int) -> Hypergraph:
        """With so many edges: those whose best derivation is best; with equals at the border, a few more."""
        return Hypergraph(self.native.prune_to(edges), self.index)

    def rescore(self, weights: Weights) -> Hypergraph:
        """The same derivations under other weights, without parsing again."""
        return Hypergraph(self.native.rescore(self.index, weights.values), self.index)

    def derivation(self, kbest: KBest, i: int = 0) -> Derivation:
        """Hypothesis i of a list of this graph as a tree."""
        return read_derivation(self.native, kbest.derivation(i).tolist())

    def to_json(self) -> dict[str, Any]:
        """Nodes, edges and rules as plain values for `json.dumps`."""
        native = self.native
        rules = [
            dict(zip(("kind", "source", "target", "alignment", "dense"), native.rule(i), strict=True))
            for i in range(native.rule_count)
        ]
        edges = [
            {"rule": rule, "head": head, "tails": list(tails), "lm": lm, "score": score}
            for (rule, head, tails, lm), score in zip(
                native.edges(), native.edge_scores.tolist(), strict=True
            )
        ]
        nodes = [
            {"edges": [first, last], "span": [begin, end], "label": label}
            for first, last, begin, end, label in native.nodes()
        ]
        return {
            "sentence": native.sentence,
            "dense_features": native.rule_feature_names,
            "nodes": nodes,
            "edges": edges,
            "rules": rules,
        }

    def _numbered(self, native: _core.KBestList) -> KBest:
        native.number_features(self.index)
        return KBest(native)
