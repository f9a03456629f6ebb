"""The max-violation perceptron: forced decoding and the worst span against enumeration."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from decode.toys import ENOUGH, grammar_of, problems
from demotic.base import DemoticError
from demotic.decode import Decoder, Hypergraph, TranslationModel
from demotic.features import Weights
from demotic.learn import (
    Example,
    MaxViolationOptions,
    Tuned,
    TuningTask,
    forced_violation,
    max_violation,
)
from demotic.learn.online.rule import DataSize
from demotic.learn.options import SearchOptions
from demotic.learn.registry import make_learner
from demotic.learn.workers.decoding import Recipe
from demotic.learn.workers.epoch_statistics import EpochStatistics
from demotic.learn.workers.shards import Shard
from evaluate.lists import exhaustive, uniform_lm
from learn.fitting import run_learner

WEIGHTS = {"A": -0.71, "B": 0.43, "Glue": -0.2, "WordPenalty": 0.3, "PassThrough": -0.5}


Parsed = tuple[
    tuple[str, ...], float, tuple[tuple[int, float], ...]
]  # words, score, (node, score) of all parts


def all_below(graph: Hypergraph) -> list[list[Parsed]]:
    """Every derivation of every node, by plain recursion."""
    native = graph.native
    edges, scores = native.edges(), native.edge_scores.tolist()
    below: list[list[Parsed]] = []
    for node, (first, last, *_) in enumerate(native.nodes()):
        below.append([])
        for e in range(first, last):
            rule, _, tails, _ = edges[e]
            _, _, target, _ = native.rule(rule)
            for children in itertools.product(*(below[tail] for tail in tails)):
                words = tuple(w for s in target for w in ((s,) if isinstance(s, str) else children[s - 1][0]))
                score = scores[e] + sum(child[1] for child in children)
                parts = ((node, score), *(part for child in children for part in child[2]))
                below[-1].append((words, score, parts))
                assume(len(below[-1]) <= ENOUGH)
    return below


def rivals(graph: Hypergraph, below: list[list[Parsed]]) -> dict[tuple[object, ...], float]:
    """The best score of each span and label."""
    best: dict[tuple[object, ...], float] = {}
    for (_, _, *place), derivations in zip(graph.native.nodes(), below, strict=True):
        score = max(score for _, score, _ in derivations)
        best[tuple(place)] = max(score, best.get(tuple(place), score))
    return best


@settings(max_examples=60, deadline=None)
@given(problems, st.data())
def test_the_worst_span_of_the_best_forced_derivation(problem, data):
    graph = exhaustive(*problem, WEIGHTS)
    below = all_below(graph)
    reference = list(data.draw(st.sampled_from(sorted({words for words, _, _ in below[-1]}))))
    forced = sorted((one for one in below[-1] if list(one[0]) == reference), key=lambda one: -one[1])
    assume(len(forced) == 1 or forced[0][1] > forced[1][1] + 1e-9)
    best, places = rivals(graph, below), [tuple(place) for _, _, *place in graph.native.nodes()]
    expected = max(best[places[node]] - score for node, score in forced[0][2])
    is_reachable, violation, pair = max_violation(graph, reference)
    assert is_reachable and violation == pytest.approx(max(0.0, expected), abs=1e-9)
    if violation > 1e-9:
        assert pair.scores[1] - pair.scores[0] == pytest.approx(violation)
        assert pair.to_scipy(len(graph.index)) @ Weights.from_dict(
            WEIGHTS, graph.index
        ).values == pytest.approx(pair.scores, abs=1e-6)
    else:
        assert len(pair) <= 2


@settings(max_examples=60, deadline=None)
@given(problems, st.lists(st.sampled_from("xyzqa"), min_size=1, max_size=5))
def test_what_is_reachable(problem, reference):
    graph = exhaustive(*problem, WEIGHTS)
    kbest = graph.kbest(ENOUGH + 1)
    assume(len(kbest) <= ENOUGH)
    is_reachable, violation, pair = max_violation(graph, reference)
    assert is_reachable == any(words == reference for words in kbest.sentences())
    if not is_reachable:
        assert violation == 0 and len(pair) == 0


@settings(max_examples=40, deadline=None)
@given(problems, st.data())
def test_a_parse_of_the_reference_has_the_same_worst_span(problem, data):
    """Where search prunes nothing, it does not matter where the derivations of the reference come from."""
    graph = exhaustive(*problem, WEIGHTS)
    kbest = graph.kbest(ENOUGH + 1)
    assume(len(kbest) <= ENOUGH)
    reference = data.draw(st.sampled_from(sorted(set(map(tuple, kbest.sentences())))))
    rules, sentence = problem
    decoder = Decoder(uniform_lm(), Weights.from_dict(WEIGHTS, graph.index))
    forced = decoder.decode_reference(sentence, reference, grammar=grammar_of(rules))
    assert forced is not None
    _, expected, _ = max_violation(graph, list(reference))
    violation, target, best = forced_violation(graph, forced)
    assert violation == pytest.approx(expected, abs=1e-5)
    if violation > 1e-5:
        assert best.scores[0] - target.scores[0] == pytest.approx(violation)
        assert " ".join(target.sentence(0)) in " ".join(reference)


SOURCE = "die frau trägt einen roten mantel ."


def reachable_example(model: TranslationModel, decoder: Decoder) -> tuple[Example, Hypergraph]:
    """A translation that the model can make but does not prefer."""
    graph = decoder.decode(SOURCE)
    return Example(SOURCE, (" ".join(graph.kbest(30, unique=True).sentence(29)),)), graph


def test_an_update_is_the_difference_and_raises_the_reference(model: TranslationModel):
    weights = Weights.from_dict({"LanguageModel": 0.5, "WordPenalty": -0.5})
    decoder = model.decoder.with_weights(weights)
    example, graph = reachable_example(model, decoder)
    _, violation, pair = max_violation(graph, example.reference_words()[0])
    rows = pair.to_scipy(len(weights.index)).toarray()
    weights.grow()
    before = weights.values.copy()
    statistics = EpochStatistics()
    options = MaxViolationOptions(learning_rate=1e-3, forced="forest")
    options.rule(weights, DataSize(1, 1)).learn(example, graph, 1, statistics)
    assert weights.values[: rows.shape[1]] - before == pytest.approx(1e-3 * (rows[0] - rows[1]), abs=1e-12)
    assert statistics.reachable == statistics.updates == 1 and violation > 0
    assert statistics.loss == pytest.approx(violation)
    _, after, _ = max_violation(graph.rescore(weights), example.reference_words()[0])
    assert after < violation


def test_an_epoch_ends_with_the_mean_of_its_weights(model: TranslationModel):
    """Against a rule that keeps the last weights, looked at after each reachable sentence."""
    ends: dict[bool, dict[str, float]] = {}
    seen: list[dict[str, float]] = []
    for average in (False, True):
        weights = Weights.from_dict({"LanguageModel": 0.5, "WordPenalty": -0.5})
        decoder = model.decoder.with_weights(weights)
        example, graph = reachable_example(model, decoder)
        unreachable, statistics = Example(SOURCE, ("no such words",)), EpochStatistics()
        rule = MaxViolationOptions(forced="forest", epoch_average=average).rule(weights, DataSize(1, 1))
        for each in (example, unreachable, example, example):
            rule.learn(each, graph.rescore(weights), 1, statistics)
            if not average and each is example:
                seen.append(weights.to_dict())
        rule.finish(statistics)
        ends[average] = weights.to_dict()
        assert statistics.reachable == 3 and statistics.updates > 1
    assert ends[False] == seen[-1] != ends[True]
    names = set().union(*seen)
    assert {name: ends[True].get(name, 0.0) for name in names} == pytest.approx(
        {name: np.mean([each.get(name, 0.0) for each in seen]) for name in names}
    )


def test_of_several_references_the_easiest_counts(model: TranslationModel):
    decoder = model.decoder.with_weights(Weights.from_dict({"LanguageModel": 0.5}))
    graph = decoder.decode(SOURCE)
    lists = graph.kbest(30, unique=True)
    example = Example(SOURCE, ("no such words", " ".join(lists.sentence(29)), " ".join(lists.sentence(0))))
    statistics = EpochStatistics()
    MaxViolationOptions(forced="forest").rule(decoder.weights, DataSize(1, 1)).learn(
        example, graph, 1, statistics
    )
    expected = min(max_violation(graph, words)[1] for words in example.reference_words()[1:])
    assert statistics.reachable == 1 and statistics.loss == pytest.approx(expected)


def test_search_need_not_find_the_reference(model: TranslationModel):
    weights = Weights.from_dict({"LanguageModel": 0.5, "WordPenalty": -0.5})
    context = Recipe(model.folder, ("id",)).load()
    example, _ = reachable_example(model, model.decoder.with_weights(weights))
    narrow = SearchOptions(train_pop_limit=1)
    shard = context.decoder(weights, Shard(0, (example,), np.arange(1)), narrow)
    graph = shard.decode(example)
    assert not max_violation(graph, example.reference_words()[0])[0]
    forced = shard.decode_reference(example, example.reference_words()[0])
    assert forced is not None and forced.viterbi().sentence(0) == example.reference_words()[0]
    violation, target, best = forced_violation(graph, forced)
    rows = [kbest.to_scipy(len(weights.index)).toarray()[0] for kbest in (target, best)]
    weights.grow()
    before, statistics = weights.values.copy(), EpochStatistics()
    rule = MaxViolationOptions(learning_rate=1e-3).rule(weights, DataSize(1, 1))
    rule.use_forced(shard.decode_reference)
    rule.learn(example, graph, 1, statistics)
    assert weights.values - before == pytest.approx(1e-3 * (rows[0] - rows[1]), abs=1e-12)
    assert statistics.reachable == statistics.updates == 1
    assert statistics.loss == pytest.approx(violation) and violation > 0
    after, _, _ = forced_violation(graph.rescore(weights), forced.rescore(weights))
    assert after < violation


def test_what_a_model_translates_is_reachable_with_its_score(model: TranslationModel):
    graph = model.decoder.decode(SOURCE)
    best = graph.viterbi()
    forced = model.decoder.decode_reference(SOURCE, best.sentence(0))
    assert forced is not None and forced.viterbi().sentence(0) == best.sentence(0)
    # Search may have missed a better derivation of the same words, never the other way round.
    assert forced.viterbi().scores[0] >= best.scores[0] - 1e-4


def fitted(task: TuningTask, folder: Path, workers: int, forced: str = "parse") -> Tuned:
    learner = make_learner("maxviolation", {"epochs": 2, "shards": 2, "forced": forced})
    return run_learner(learner, task, folder, workers)


@pytest.mark.parametrize("forced", ["parse", "forest"])
def test_workers_change_nothing_and_the_share_is_reported(
    forced: str, model: TranslationModel, tmp_path: Path
):
    decoder = model.decoder.with_weights(model.weights)
    example, _ = reachable_example(model, decoder)
    task = TuningTask(model.folder, ("id",), [example, Example(SOURCE, ("no such words",))] * 2)
    one, two = (fitted(task, tmp_path / str(workers), workers, forced) for workers in (1, 2))
    assert one.weights == two.weights
    assert one.history[0]["reachable"] == 2 and one.history[0]["skipped"] == 2


def test_nothing_reachable_is_an_error(model: TranslationModel, tmp_path: Path):
    decoder = model.decoder.with_weights(Weights.from_dict({"LanguageModel": 0.5}))
    rule = MaxViolationOptions(forced="forest").rule(decoder.weights, DataSize(1, 1))
    statistics = EpochStatistics()
    rule.learn(Example(SOURCE, ("no such words",)), decoder.decode(SOURCE), 1, statistics)
    assert statistics.skipped == 1 and statistics.reachable == 0
    task = TuningTask(model.folder, (), [Example(SOURCE, ("no such words",))] * 3)
    with pytest.raises(DemoticError, match="none of 3 sentences has a derivation that yields its reference"):
        fitted(task, tmp_path, 1)


@pytest.mark.parametrize("bad", [0.0, -1.0, np.nan])
def test_rates_that_make_no_sense(bad: float):
    with pytest.raises(DemoticError, match="learning_rate must be positive"):
        MaxViolationOptions(learning_rate=bad)
