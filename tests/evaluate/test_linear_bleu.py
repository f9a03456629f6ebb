"""Linear BLEU on hypergraphs against its definition on all their derivations, enumerated."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from decode.toys import ENOUGH, problems
from demotic import _core
from demotic.base.errors import DemoticError
from demotic.decode import Hypergraph, KBest
from demotic.evaluate import References, hope_and_fear
from demotic.features import FeatureIndex

from .lists import exhaustive
from .slow_linear_bleu import JOINT_REFERENCE, JOINTS, WEIGHTS, linear_bleu
from .slow_metrics import ngrams

references = st.lists(st.lists(st.sampled_from("xyza"), min_size=1, max_size=6), min_size=1, max_size=2)


def everything(graph: Hypergraph) -> KBest:
    """All derivations of a small hypergraph."""
    kbest = graph.kbest(ENOUGH + 1)
    assume(len(kbest) <= ENOUGH)
    return kbest


@settings(max_examples=60, deadline=None)
@given(problems, references)
@example(JOINTS, JOINT_REFERENCE)
def test_linear_bleu_of_edges_adds_up_over_every_derivation(problem, refs):
    graph = exhaustive(*problem, WEIGHTS)
    before = everything(graph)
    native, gains = _core.linear_bleu_forest(graph.native, References(refs).native)
    after = Hypergraph(native, FeatureIndex()).kbest(ENOUGH + 1)
    key = lambda kbest: sorted(  # noqa: E731
        zip(map(tuple, kbest.sentences()), np.round(kbest.scores, 6).tolist(), strict=True)
    )
    assert key(before) == key(after)  # the same derivations
    for i in range(len(after)):
        expected = linear_bleu(after.sentence(i), refs)
        assert gains[after.derivation(i)].sum() == pytest.approx(expected, abs=1e-9)


@settings(max_examples=80, deadline=None)
@given(problems, references, st.sampled_from([0.1, 1.0, 20.0]))
@example(JOINTS, JOINT_REFERENCE, 1.0)
def test_hope_and_fear_are_the_best_of_all_derivations(problem, refs, scale):
    graph = exhaustive(*problem, WEIGHTS)
    kbest = everything(graph)
    gains = np.array([linear_bleu(words, refs) for words in kbest.sentences()])
    found = hope_and_fear(graph, References(refs), scale)
    its_gains = np.array([linear_bleu(words, refs) for words in found.sentences()])
    assert 1 <= len(found) <= 3 and found.scores[0] == pytest.approx(kbest.scores.max())
    for sign in (1, -1):
        best = (kbest.scores + sign * scale * gains).max()
        assert (found.scores + sign * scale * its_gains).max() == pytest.approx(best, abs=1e-9)
    assert len({tuple(found.derivation(i)) for i in range(len(found))}) == len(found)
    assert graph.derivation(found).words() == found.sentence(0)  # edges are those of the graph


def consensus(kbest: KBest, evidence: list[list[str]], temperature: float) -> np.ndarray:
    """Log BLEU of every derivation expanded around what is expected; n-grams weigh min(1, expected count)."""
    p = np.exp((kbest.scores - kbest.scores.max()) / temperature)
    p /= p.sum()
    sentences = list(kbest.sentences())
    length = max(1.0, float(p @ [len(words) for words in sentences]))
    gains = np.array([-len(words) / length for words in sentences])
    for n in range(1, 5):
        expected: Counter[tuple[str, ...]] = Counter()
        for probability, words in zip(p.tolist(), sentences, strict=True):
            for ngram, count in ngrams(words, n).items():
                expected[ngram] += probability * count
        known = {ngram for words in evidence for ngram in ngrams(words, n)}
        matches = np.array(
            [
                sum(c * min(1.0, expected[g]) for g, c in ngrams(words, n).items() if g in known)
                for words in sentences
            ]
        )
        if p @ matches > 0:
            gains += matches / (4 * p @ matches)
    return gains


@settings(max_examples=80, deadline=None)
@given(problems, references, st.sampled_from([0.2, 1.0, 5.0]))
@example(JOINTS, [["x", "y", "z", "x"], ["y", "x", "x"]], 1.0)
def test_consensus_is_the_best_of_all_translations(problem, evidence, temperature):
    graph = exhaustive(*problem, WEIGHTS)
    kbest = everything(graph)
    gains = consensus(kbest, evidence, temperature)
    native = _core.linear_consensus(graph.native, References(evidence).native, temperature, 3)
    found = [tuple(native.sentence(i)) for i in range(len(native))]
    by_words = {tuple(words): gain for words, gain in zip(kbest.sentences(), gains, strict=True)}
    best = sorted(by_words.values(), reverse=True)[:3]
    assert len(set(found)) == len(found) == len(best)
    assert [by_words[words] for words in found] == pytest.approx(best, abs=1e-6)


def test_a_scale_that_makes_no_sense():
    with pytest.raises(DemoticError, match="scale must be positive"):
        hope_and_fear(exhaustive(*JOINTS, WEIGHTS), References(JOINT_REFERENCE), float("nan"))
