"""Exhaustive search, k-best lists and sums over hypergraphs against brute-force enumeration."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from demotic.decode import DecodeOptions, Decoder
from demotic.features import TemplateSet, Weights
from demotic.lm import LanguageModel

from .brute_force import PlainRule, derivations, score
from .toys import ENOUGH, RULES, WEIGHTS, decode, grammar_of, problems


def enumerate_all(lm: LanguageModel, rules: list[PlainRule], sentence: list[str]):
    """Distinct rules only: a rule that comes twice gives two derivations in both worlds."""
    found = []
    for derivation in derivations(sentence, rules):
        found.append((score(derivation, WEIGHTS, lm), derivation))
        assume(len(found) <= ENOUGH)
    return sorted(found, key=lambda pair: -pair[0])


@settings(max_examples=60, deadline=None)
@given(problems)
def test_exhaustive_search_finds_every_derivation_with_its_score(lm, problem):
    rules, sentence = problem
    expected = enumerate_all(lm, rules, sentence)
    graph = decode(lm, rules, sentence, pop_limit=0)
    found = graph.kbest(ENOUGH + 1)
    assert len(found) == len(expected)
    assert found.scores == pytest.approx([value for value, _ in expected], abs=1e-4)
    assert list(found.scores) == sorted(found.scores, reverse=True)
    assert Counter(map(tuple, found.sentences())) == Counter(derivation.words for _, derivation in expected)


@settings(max_examples=40, deadline=None)
@given(problems, st.integers(1, 20))
def test_pruning_keeps_the_best_strings_first(lm, problem, strings):
    rules, sentence = problem
    graph = decode(lm, rules, sentence, pop_limit=0)
    best = graph.kbest(strings, unique=True)
    needed = len(set(best.edges.tolist()))
    for edges in (needed, needed + 3):
        pruned = graph.prune_to(edges, strings)
        found = pruned.kbest(len(best), unique=True)
        assert list(found.scores) == pytest.approx(list(best.scores))
        assert sorted(found.sentences()) == sorted(best.sentences()) or len(set(best.scores)) < len(best)
        assert needed <= pruned.native.edge_count <= graph.native.edge_count
    assert graph.prune_to(needed, strings).native.edge_count == needed
    assert list(graph.prune_to(1, strings).viterbi().scores) == pytest.approx(list(best.scores[:1]))


@settings(max_examples=40, deadline=None)
@given(problems, st.integers(1, 40))
def test_unique_kbest_is_the_best_derivation_of_each_string(lm, problem, k):
    rules, sentence = problem
    best: dict[tuple[str, ...], float] = {}
    for value, derivation in enumerate_all(lm, rules, sentence):
        best.setdefault(derivation.words, value)
    found = decode(lm, rules, sentence, pop_limit=0).kbest(k, unique=True)
    strings = [tuple(words) for words in found.sentences()]
    assert len(set(strings)) == len(strings) == min(k, len(best))
    assert found.scores == pytest.approx(sorted(best.values(), reverse=True)[: len(strings)], abs=1e-4)
    assert [best[words] for words in strings] == pytest.approx(found.scores, abs=1e-4)


@settings(max_examples=40, deadline=None)
@given(problems)
def test_features_times_weights_are_the_score_and_trees_add_up(lm, problem):
    rules, sentence = problem
    weights = Weights.from_dict(WEIGHTS)
    graph = Decoder(lm, weights).decode(sentence, grammar=grammar_of(rules))
    found = graph.kbest(20)
    matrix = found.to_scipy(len(graph.index))
    assert (found.to_scipy(3) != matrix[:, :3]).nnz == 0  # what lies beyond is left out
    names = {name: graph.index.find(name) for name in WEIGHTS}
    dense = np.zeros(len(graph.index))
    for name, id_ in names.items():
        dense[id_] = WEIGHTS[name]
    assert matrix @ dense == pytest.approx(found.scores, abs=1e-9)
    for i in range(len(found)):
        tree = graph.derivation(found, i)
        assert tree.words() == found.sentence(i)
        rules = list(tree.rules())
        assert all(
            word in rules[number].target for word, number in zip(tree.words(), tree.word_rules(), strict=True)
        )
        assert tree.total() == pytest.approx(found.scores[i], abs=1e-9)
        ids, values = found.row(i)
        row = dict(zip(ids.tolist(), values.tolist(), strict=True))
        assert row[names["LanguageModel"]] == pytest.approx(lm.score(" ".join(tree.words())), abs=1e-4)


@settings(max_examples=40, deadline=None)
@given(problems, st.sampled_from([0.5, 1.0, 3.0]))
def test_inside_is_the_sum_over_derivations(lm, problem, temperature):
    rules, sentence = problem
    scores = [value / temperature for value, _ in enumerate_all(lm, rules, sentence)]
    graph = decode(lm, rules, sentence, pop_limit=0)
    expected = max(scores) + math.log(sum(math.exp(value - max(scores)) for value in scores))
    assert graph.inside(temperature)[-1] == pytest.approx(expected, abs=1e-4)


@settings(max_examples=25, deadline=None)
@given(problems)
def test_expected_features_are_the_gradient_of_the_log_partition_function(lm, problem):
    rules, sentence = problem
    graph = decode(lm, rules, sentence, pop_limit=0)
    ids, values = graph.expected_features()
    expected = dict(zip(ids.tolist(), values.tolist(), strict=True))
    step = 1e-5
    for name in WEIGHTS:
        up, down = ({**WEIGHTS, name: WEIGHTS[name] + sign * step} for sign in (1, -1))
        difference = [graph.rescore(Weights.from_dict(w, graph.index)).inside()[-1] for w in (up, down)]
        assert (difference[0] - difference[1]) / (2 * step) == pytest.approx(
            expected.get(graph.index.find(name), 0.0), abs=1e-4
        )


@settings(max_examples=25, deadline=None)
@given(problems)
def test_posteriors_agree_with_enumeration(lm, problem):
    rules, sentence = problem
    graph = decode(lm, rules, sentence, pop_limit=0)
    found = graph.kbest(ENOUGH + 1)
    assume(len(found) <= ENOUGH)
    probabilities = np.exp(found.scores - graph.inside()[-1])
    expected = np.zeros(graph.native.edge_count)
    for i in range(len(found)):
        np.add.at(expected, found.derivation(i), probabilities[i])
    assert probabilities.sum() == pytest.approx(1)
    assert graph.edge_posteriors() == pytest.approx(expected, abs=1e-9)


def test_samples_match_posteriors(lm):
    graph = decode(lm, RULES, list("aba"), pop_limit=0)
    found = graph.kbest(10_000)
    key = {tuple(found.derivation(i).tolist()): i for i in range(len(found))}
    probabilities = np.exp((found.scores - found.scores.max()) / 2)
    probabilities /= probabilities.sum()
    drawn = graph.sample(20_000, seed=5, temperature=2.0)
    counts = Counter(key[tuple(drawn.derivation(i).tolist())] for i in range(len(drawn)))
    order = np.argsort(-probabilities)
    top = order[probabilities[order] * 20_000 >= 10]
    observed = np.array([counts[i] for i in top], dtype=float)
    expected = probabilities[top] * 20_000
    observed, expected = (
        np.append(observed, 20_000 - observed.sum()),
        np.append(expected, 20_000 - expected.sum()),
    )
    keep = expected > 5
    assert (
        stats.chisquare(observed[keep], expected[keep] * observed[keep].sum() / expected[keep].sum()).pvalue
        > 1e-4
    )
    again = graph.sample(20_000, seed=5, temperature=2.0)
    assert (again.edges == drawn.edges).all()
    assert not np.array_equal(graph.sample(20_000, seed=6, temperature=2.0).edges, drawn.edges)


def test_rescoring_equals_decoding_with_the_other_weights(lm):
    other = {**WEIGHTS, "LanguageModel": 0.1, "A": 1.0}
    graph = decode(lm, RULES, list("aabab"), pop_limit=0)
    rescored = graph.rescore(Weights.from_dict(other, graph.index)).kbest(50)
    decoded = (
        Decoder(lm, Weights.from_dict(other), options=DecodeOptions(pop_limit=0))
        .decode(list("aabab"), grammar=grammar_of(RULES))
        .kbest(50)
    )
    assert rescored.scores == pytest.approx(decoded.scores, abs=1e-6)


def test_pruning_keeps_the_best_and_what_is_probable(lm):
    graph = decode(lm, RULES, list("aabab"), pop_limit=0)
    pruned = graph.prune(0.05)
    assert pruned.native.edge_count < graph.native.edge_count
    assert pruned.kbest(1).scores[0] == graph.kbest(1).scores[0]
    assert graph.prune(0.0).native.edge_count == graph.native.edge_count
    assert graph.prune(2.0).kbest(10).scores.tolist() == graph.kbest(1).scores.tolist()


@settings(max_examples=30, deadline=None)
@given(problems, st.integers(1, 30))
def test_cube_pruning_finds_derivations_of_the_exhaustive_search(lm, problem, pops):
    rules, sentence = problem
    exhaustive, pruned = decode(lm, rules, sentence, pop_limit=0), decode(lm, rules, sentence, pop_limit=pops)
    everything = exhaustive.kbest(ENOUGH + 1)
    assume(len(everything) <= ENOUGH)
    best = pruned.kbest(5)
    assert best.scores[0] <= everything.scores[0] + 1e-6
    for value in best.scores:
        assert np.abs(everything.scores - value).min() < 1e-5


def test_the_number_of_threads_changes_nothing(lm):
    """Not even the ids of features that are met for the first time."""
    grammar = grammar_of(RULES)
    jobs = [
        ("".join(c + " " for c in f"{i:07b}".replace("0", "a").replace("1", "b")), grammar)
        for i in range(100)
    ]
    results = []
    for threads in (1, 2, 5):
        decoder = Decoder(lm, Weights.from_dict(WEIGHTS), templates=TemplateSet(["id", "ngram", "shape"]))
        lists = list(decoder.kbest_with_grammars(jobs, 10, threads=threads))
        arrays = [
            (list(k.sentences()), k.scores.tolist(), k.features.tolist(), k.values.tolist()) for k in lists
        ]
        results.append((arrays, [decoder.weights.index.name(i) for i in range(len(decoder.weights.index))]))
    assert results[0] == results[1] == results[2]
    assert len(results[0][1]) > len(WEIGHTS)
