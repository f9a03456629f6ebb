"""Forced decoding: the derivations that yield a reference, against brute-force enumeration."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from demotic.decode import DecodeOptions, Decoder, Hypergraph
from demotic.features import TemplateSet, Weights
from demotic.lm import LanguageModel

from .brute_force import PlainRule, derivations, score
from .toys import RULES, WEIGHTS, decode, grammar_of, problems

ENOUGH = 3000  # derivations: more would take too long to enumerate


def parse(
    lm: LanguageModel, rules: list[PlainRule], sentence: list[str], reference: list[str]
) -> Hypergraph | None:
    decoder = Decoder(lm, Weights.from_dict(WEIGHTS), options=DecodeOptions(pop_limit=1))
    return decoder.decode_reference(sentence, reference, grammar=grammar_of(rules))


@settings(max_examples=80, deadline=None)
@given(problems, st.data())
def test_every_derivation_of_the_reference_with_its_score(lm, problem, data):
    rules, sentence = problem
    by_words: dict[tuple[str, ...], list[float]] = {}
    for number, derivation in enumerate(derivations(sentence, rules)):
        assume(number < ENOUGH)
        by_words.setdefault(derivation.words, []).append(score(derivation, WEIGHTS, lm))
    reference = data.draw(st.sampled_from(sorted(by_words)))
    graph = parse(lm, rules, sentence, list(reference))
    assert graph is not None
    found = graph.kbest(ENOUGH)
    assert found.scores == pytest.approx(sorted(by_words[reference], reverse=True), abs=1e-4)
    assert Counter(map(tuple, found.sentences())) == {reference: len(by_words[reference])}


@settings(max_examples=60, deadline=None)
@given(problems, st.lists(st.sampled_from("xyzqa"), max_size=6))
def test_what_is_reachable(lm, problem, reference):
    rules, sentence = problem
    strings = set()
    for number, derivation in enumerate(derivations(sentence, rules)):
        assume(number < ENOUGH)
        strings.add(derivation.words)
    assert (parse(lm, rules, sentence, reference) is not None) == (tuple(reference) in strings)


def rows_of(graph: Hypergraph) -> Counter[tuple[str, ...]]:
    """Words and features of all derivations; sums of single-precision numbers differ in the last digits."""
    rows: Counter[tuple[str, ...]] = Counter()
    for line in graph.kbest(ENOUGH).to_text(0).splitlines():
        _, words, features, _ = line.split(" ||| ")
        pairs = [feature.rsplit("=", 1) for feature in features.split()]
        rows[(words, *sorted(f"{name}={float(value):.3f}" for name, value in pairs))] += 1
    return rows


def test_features_are_those_of_search(lm):
    sentence, templates = ["a", "b", "a", "b"], TemplateSet(["id", "tgt_ngram:n=1..2"])
    everything = rows_of(decode(lm, RULES, sentence, templates, pop_limit=0))
    decoder = Decoder(lm, Weights.from_dict(WEIGHTS), templates=templates)
    for words in {row[0] for row in everything}:
        forced = decoder.decode_reference(sentence, words.split(), grammar=grammar_of(RULES))
        assert forced is not None
        assert rows_of(forced) == {row: count for row, count in everything.items() if row[0] == words}


def test_the_empty_sentence_yields_the_empty_reference_only(lm):
    graph = parse(lm, RULES, [], [])
    assert graph is not None and graph.viterbi().sentence(0) == []
    assert parse(lm, RULES, [], ["x"]) is None
    assert parse(lm, RULES, ["a"], []) is None


def test_packed_and_rescored_like_any_other(lm):
    decoder = Decoder(lm, Weights.from_dict(WEIGHTS), grammar_of(RULES))
    graph = decoder.decode_reference("a b a", ["x", "z", "y"])
    assert graph is not None
    again = decoder.unpack(graph.pack(), "a b a")
    assert again.kbest(9).to_text(0) == graph.kbest(9).to_text(0)
    other = Weights.from_dict({**WEIGHTS, "A": 2.0}, graph.index)
    assert graph.rescore(other).viterbi().scores[0] != pytest.approx(graph.viterbi().scores[0])
