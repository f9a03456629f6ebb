"""The derivations that a search found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from demotic import _core
from demotic.base.errors import DemoticError
from demotic.base.files import Pathish
from demotic.decode.derivation import Derivation, read_derivation
from demotic.decode.kbest import KBest
from demotic.features import FeatureIndex, Weights

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


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
        return KBest(_core.kbest(self.native, k, unique), self.index)

    def sample(self, n: int, seed: int, temperature: float = 1.0) -> KBest:
        """Draw n derivations independently, each in proportion to exp(score / temperature)."""
        return KBest(_core.sample(self.native, n, temperature, seed), self.index)

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

    def prune_to(self, edges: int, strings: int = 0) -> Hypergraph:
        """With so many edges: those whose best derivation is best; with equals at the border, a few more.

        Args:
            edges: how many.
            strings: the best derivation of each of so many different translations comes first, as far as `edges` allow.
        """
        return Hypergraph(self.native.prune_to(edges, strings), self.index)

    def rescore(self, weights: Weights) -> Hypergraph:
        """The same derivations under other weights, over the same feature index, without parsing again.

        Args:
            weights: over the index of the graph or, where that only adds to the index of the decoder's weights, over the latter.

        Raises:
            DemoticError: the weights are over another feature index.
        """
        if weights.index is not self.index and weights.index is not self.index.base:
            raise DemoticError(
                "these weights belong to another feature index", hint="use the index of the hypergraph"
            )
        return Hypergraph(self.native.rescore(weights.index, weights.values), self.index)

    def derivation(self, kbest: KBest, i: int = 0) -> Derivation:
        """Hypothesis i of a list of this graph as a tree.

        Raises:
            DemoticError: the list is of another graph.
        """
        if kbest.native.graph != self.native.identity:
            raise DemoticError(
                "this k-best list belongs to another hypergraph", hint="use the graph that made the list"
            )
        return read_derivation(self.native, kbest.derivation(i).tolist())

    def save(self, path: Pathish) -> None:
        """Write the graph to a binary file that `load` reads: with its rules, their features by name, words and scores."""
        _core.save_hypergraph(str(path), self.native, self.index)

    @classmethod
    def load(cls, path: Pathish, index: FeatureIndex | None = None) -> Hypergraph:
        """Read a graph; it answers every question as the saved one did.

        Args:
            path: a file made by `save`.
            index: names of its sparse features are added to it (default: an empty one).

        Raises:
            DemoticError: for a file that is truncated, damaged or no hypergraph.
        """
        index = FeatureIndex() if index is None else index
        return cls(_core.load_hypergraph(str(path), index), index)

    def pack(self) -> bytes:
        """The graph in a fifth of the bytes of `save`, for `Decoder.unpack`, which has its words, features and weights."""
        return self.native.pack()

    def to_json(self) -> dict[str, Any]:
        """The graph as plain values for `json.dumps`.

        `nodes` come in topological order, the goal last; each has the range of its `edges`, its source `span` and its `label`. An edge
        has a `rule`, a `head`, `tails` (nodes, in the order of the source side), `lm`, the log10 probability that it adds, and its
        `score` under the weights that the graph was made with. A rule has a `kind`, a `source` and a `target` side (words, and
        nonterminals as 1 and 2), an `alignment` and its `features` by name, all but the language model's, whose name is
        `language_model`: the score of an edge is weights . features + weight of the language model * lm. Further language models,
        if there are any, are named in `further_models`; `further_lm` of an edge has what it adds in each.
        """
        native = self.native
        edges = native.edges()
        further = native.further_models
        first_edge = {rule: i for i, (rule, *_) in reversed(list(enumerate(edges)))}
        return {
            "sentence": native.sentence,
            "language_model": native.language_model,
            **({"further_models": further} if further else {}),
            "nodes": [
                {"edges": [first, last], "span": [begin, end], "label": label}
                for first, last, begin, end, label in native.nodes()
            ],
            "edges": [
                {"rule": rule, "head": head, "tails": list(tails), "lm": lm, "score": score}
                | ({"further_lm": native.further_lm(number)} if further else {})
                for number, ((rule, head, tails, lm), score) in enumerate(
                    zip(edges, native.edge_scores.tolist(), strict=True)
                )
            ],
            "rules": [self._rule_to_json(i, first_edge[i]) for i in range(native.rule_count)],
        }

    def _rule_to_json(self, number: int, edge: int) -> dict[str, Any]:
        kind, source, target, alignment = self.native.rule(number)
        features = self.edge_features(edge)
        for name in (self.native.language_model, *self.native.further_models):
            features.pop(name, None)
        return {
            "kind": kind,
            "source": source,
            "target": target,
            "alignment": alignment,
            "features": features,
        }
