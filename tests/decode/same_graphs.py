"""Whether two hypergraphs are the same to the last bit, and what may go wrong between them."""

from __future__ import annotations

from demotic.decode import Hypergraph, KBest
from demotic.features import FeatureIndex, Weights

from .toys import WEIGHTS

TEMPLATES = ["id", "ngram", "shape", "word_pair"]
ALIGNED = "[X] ||| a ||| x ||| A=1 ||| 0-0\n[X] ||| a [X,1] b [X,2] ||| [X,2] x [X,1] \u00fc ||| B=2 ||| 0-1 2-3\n[X] ||| c ||| ||| A=1\n"


def contents(kbest: KBest, index: FeatureIndex) -> list[tuple[object, ...]]:
    """A list by names, so that lists over different indexes can be compared."""
    rows = []
    for i in range(len(kbest)):
        ids, values = kbest.row(i)
        features = {index.name(id_): value for id_, value in zip(ids.tolist(), values.tolist(), strict=True)}
        rows.append((kbest.sentence(i), kbest.scores[i], features, kbest.derivation(i).tolist()))
    return rows


def assert_same(one: Hypergraph, other: Hypergraph) -> None:
    """To the last bit."""
    assert one.sentence == other.sentence
    assert one.to_json() == other.to_json()
    changed = {**WEIGHTS, "A": 2.0, "LanguageModel": 0.3, "shape:+|+": 0.5, "id:a|x": -1.5}
    graphs = [[g, g.rescore(Weights.from_dict(changed, g.index)), g.prune(0.1)] for g in (one, other)]
    for a, b in zip(*graphs, strict=True):
        for kbest in (
            lambda graph: graph.viterbi(),
            lambda graph: graph.kbest(50),
            lambda graph: graph.kbest(50, unique=True),
            lambda graph: graph.sample(30, seed=3, temperature=2.0),
        ):
            assert contents(kbest(a), a.index) == contents(kbest(b), b.index)
        assert a.inside().tolist() == b.inside().tolist()
        assert a.edge_posteriors(2.0).tolist() == b.edge_posteriors(2.0).tolist()
        assert a.derivation(a.viterbi()) == b.derivation(b.viterbi())
        expected = [
            {
                graph.index.name(i): v
                for i, v in zip(*(x.tolist() for x in graph.expected_features()), strict=True)
            }
            for graph in (a, b)
        ]
        assert expected[0] == expected[1]
