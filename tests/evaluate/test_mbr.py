"""Minimum Bayes risk against its definition, with Python strings and counters."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic import _core
from demotic.base.errors import DemoticError
from demotic.decode import MbrOptions, minimum_bayes_risk
from demotic.evaluate import sentence_metric

from . import slow_metrics
from .lists import graph_of, kbest_of

FORMULAS = {"liang": slow_metrics.liang, "bleu+1": slow_metrics.bleu_plus_one, "nakov": slow_metrics.nakov}
hypotheses = st.lists(
    st.lists(st.sampled_from("abc"), min_size=1, max_size=7), min_size=1, max_size=6, unique_by=tuple
)
scales = st.sampled_from([0.01, 0.5, 1.0, 30.0])


def posteriors(scores: np.ndarray, scale: float) -> np.ndarray:
    weights = np.exp(scale * (scores - scores.max()))
    return weights / weights.sum()


def native(name: str) -> _core.SentenceBleu:
    return sentence_metric(name).native  # type: ignore[attr-defined]


@settings(max_examples=80, deadline=None)
@given(hypotheses, scales, st.sampled_from(list(FORMULAS)))
def test_expected_gains_are_the_double_sum(sentences: list[list[str]], scale: float, name: str):
    kbest = kbest_of(sentences)
    p = posteriors(kbest.scores, scale)
    expected = [
        sum(
            p[j] * FORMULAS[name](slow_metrics.statistics(tuple(words), [reference]))
            for j, reference in enumerate(sentences)
        )
        for words in sentences
    ]
    assert _core.expected_gains(kbest.native, scale, native(name)) == pytest.approx(expected, abs=1e-12)


def consensus(words: list[str], sentences: list[list[str]], p: np.ndarray) -> float:
    """BLEU+1 against expected counts, as DeNero, Chiang and Knight (2009) put it."""
    precision = 1.0
    for n in range(1, 5):
        means: Counter[tuple[str, ...]] = Counter()
        for probability, sentence in zip(p.tolist(), sentences, strict=True):
            for ngram, count in slow_metrics.ngrams(sentence, n).items():
                means[ngram] += probability * count
        own, more = slow_metrics.ngrams(words, n), float(n > 1)
        matches = sum(min(count, means[ngram]) for ngram, count in own.items())
        precision *= (matches + more) / (sum(own.values()) + more)
    length = float(p @ [len(sentence) for sentence in sentences])
    return float(min(1.0, np.exp(1 - length / len(words))) * precision**0.25)


@settings(max_examples=80, deadline=None)
@given(hypotheses, scales)
def test_consensus_gains_are_bleu_against_expected_counts(sentences: list[list[str]], scale: float):
    kbest = kbest_of(sentences)
    p = posteriors(kbest.scores, scale)
    expected = [consensus(words, sentences, p) for words in sentences]
    assert _core.consensus_gains(kbest.native, scale, native("bleu+1")) == pytest.approx(expected, abs=1e-12)


RULES = "".join(
    f"[X] ||| source ||| {words} ||| Rank={rank} |||\n"
    for rank, words in enumerate(["w x y z", "a b c d", "a b c e", "a b c f"])
)


@pytest.mark.parametrize("kind", ["list", "consensus", "forest"])
def test_the_many_outvote_the_best(kind: str):
    """Flat probabilities choose what is most like the others; sharp ones what the model likes best."""
    graph = graph_of(RULES, "source")
    flat = minimum_bayes_risk(graph, MbrOptions(kind, scale=0.01, size=4))  # type: ignore[arg-type]
    sharp = minimum_bayes_risk(graph, MbrOptions(kind, scale=50.0, size=4))  # type: ignore[arg-type]
    assert flat.sentence(0) == ["a", "b", "c", "d"] and sharp.sentence(0) == ["w", "x", "y", "z"]
    assert flat.scores[0] == pytest.approx(graph.kbest(2).scores[1])  # the model's


@settings(max_examples=40, deadline=None)
@given(hypotheses, scales, st.sampled_from(["list", "consensus"]))
def test_translations_come_by_falling_gain_and_ties_by_the_model(
    sentences: list[list[str]], scale: float, kind: str
):
    rules = "".join(
        f"[X] ||| source ||| {' '.join(words)} ||| Rank={rank} |||\n" for rank, words in enumerate(sentences)
    )
    graph, size = graph_of(rules, "source"), len(sentences)
    kbest = graph.kbest(size, unique=True)
    gains_of = _core.expected_gains if kind == "list" else _core.consensus_gains
    gains = gains_of(kbest.native, scale, native("bleu+1"))
    order = sorted(range(size), key=lambda i: (-gains[i], i))
    found = minimum_bayes_risk(graph, MbrOptions(kind, scale, size), size)  # type: ignore[arg-type]
    assert list(found.sentences()) == [kbest.sentence(i) for i in order]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        *[({"scale": bad}, "scale must be positive") for bad in (0.0, -1.0, float("nan"), float("inf"))],
        ({"size": 0}, "size must be at least 1"),
        ({"metric": "ter"}, "form of BLEU"),
        ({"metric": "pseudo"}, "form of BLEU"),
        ({"kind": "lattice"}, "lattice"),
    ],
)
def test_options_that_make_no_sense(options: dict[str, object], message: str):
    with pytest.raises(DemoticError, match=message):
        MbrOptions(**options)  # type: ignore[arg-type]
