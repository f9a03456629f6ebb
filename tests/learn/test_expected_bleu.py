"""Expected BLEU: against its formulas, finite differences, BLEU itself, and what it is for."""

from __future__ import annotations

from decimal import Decimal, localcontext
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import check_grad
from scipy.special import softmax

from demotic import _core
from demotic.base import DemoticError
from demotic.decode import Hypergraph, KBest, TranslationModel
from demotic.evaluate import References, sentence_metric
from demotic.evaluate.bleu import bleu_score
from demotic.features import FeatureIndex, TemplateSet, Weights
from demotic.learn import (
    L2,
    Example,
    ExpectedBleuOptions,
    KBestPool,
    XbleuOptions,
    expected_cost,
    expected_linear_bleu,
)
from demotic.learn.batch.expected_bleu import corpus_risk, expected_loss, sentence_risk
from demotic.learn.online.rule import DataSize
from demotic.learn.workers.epoch_statistics import EpochStatistics
from evaluate.lists import exhaustive
from evaluate.slow_linear_bleu import JOINT_REFERENCE, JOINTS, WEIGHTS, linear_bleu
from learn.lists import list_of
from learn.toy_pool import toy_pool

EXAMPLE = Example("die frau trägt einen roten mantel .", ("the woman wears a red coat .",))
START = {"LanguageModel": 0.5, "WordPenalty": -0.5}
BAD = [0.0, -1.0, float("nan"), float("inf")]


@pytest.fixture(scope="module")
def sparse(model: TranslationModel) -> tuple[KBest, np.ndarray]:
    """A list with sparse features, and costs as the learner has them."""
    decoder = model.decoder.with_weights(Weights.from_dict(START))
    decoder.templates = TemplateSet(["id", "src_ngram", "shape"])
    kbest = decoder.decode(EXAMPLE.source).kbest(50, unique=True)
    return kbest, 20 * (1 - sentence_metric("nakov").scores(References(EXAMPLE.reference_words()), kbest))


@pytest.mark.parametrize("temperature", [0.3, 1.0, 4.0])
def test_gradient_of_a_list_against_finite_differences(sparse: tuple[KBest, np.ndarray], temperature: float):
    kbest, costs = sparse
    matrix = kbest.to_scipy().toarray()

    def formula(scores: np.ndarray) -> float:
        return float(softmax(scores / temperature) @ costs)

    loss, ids, values = expected_cost(kbest, costs, temperature=temperature)
    assert loss == pytest.approx(formula(kbest.scores))
    gradient = np.zeros(matrix.shape[1])
    gradient[ids] = values
    h = 1e-5
    numerical = [(formula(kbest.scores + h * f) - formula(kbest.scores - h * f)) / (2 * h) for f in matrix.T]
    assert gradient == pytest.approx(numerical, rel=1e-5, abs=1e-7)
    assert len(ids) > 30  # sparse ones too


@settings(deadline=None)
@given(st.lists(st.tuples(*[st.floats(-500, 500)] * 2, *[st.floats(-3, 3)] * 2), min_size=1, max_size=6))
def test_scores_of_any_size(rows: list[tuple[float, float, float, float]]):
    scores, costs = np.array([row[0] for row in rows]), np.array([abs(row[1]) for row in rows])
    kbest, matrix = list_of([(round(a, 3), round(b, 3)) for _, _, a, b in rows])
    loss, ids, values = expected_cost(kbest, costs, scores, 2.0)
    p = softmax(scores / 2)
    gradient = np.zeros(matrix.shape[1])
    gradient[ids] = values
    assert loss == pytest.approx(p @ costs)
    assert gradient == pytest.approx((p * (costs - p @ costs) / 2) @ matrix, abs=1e-9)


def test_numbers_that_are_not_finite_give_no_gradient():
    kbest, _ = list_of([(1.0, 0.0), (0.0, 1.0)])
    for bad in (np.array([np.nan, 0.0]), np.array([np.inf, 0.0])):
        loss, ids, _ = expected_cost(kbest, np.array([1.0, 2.0]), bad)
        assert not np.isfinite(loss) and len(ids) == 0


def learnt(model: TranslationModel, sentences: int, **options: Any) -> EpochStatistics:
    """Statistics of so many steps on the same sentence."""
    weights = Weights.from_dict(START)
    rule = ExpectedBleuOptions(k=50, **options).rule(weights, DataSize(sentences, len(model.index)))
    decoder = model.decoder.with_weights(weights)
    decoder.templates = TemplateSet(["id", "shape"])
    statistics = EpochStatistics()
    for seed in range(sentences):
        rule.learn(EXAMPLE, decoder.decode(EXAMPLE.source), seed, statistics)
    rule.finish(statistics)
    return statistics


@pytest.mark.parametrize(
    "options", [{}, {"candidates": "samples"}, {"candidates": "hope_fear"}, {"over": "forest"}]
)
def test_an_epoch_lowers_the_loss(model: TranslationModel, options: dict[str, str]):
    once, often = (learnt(model, n, **options) for n in (1, 10))
    assert often.updates == 10 and often.loss / 10 < once.loss


def test_samples_count_alike(model: TranslationModel):
    """They have been drawn from the model's probabilities: the expected cost is their mean."""
    decoder = model.decoder.with_weights(Weights.from_dict(START))
    graph = decoder.decode(EXAMPLE.source)
    samples = graph.sample(50, 7, 2.0)
    costs = 1 - sentence_metric("nakov").scores(References(EXAMPLE.reference_words()), samples)
    options = ExpectedBleuOptions(k=50, candidates="samples", temperature=2.0)
    statistics = EpochStatistics()
    options.rule(decoder.weights, DataSize(1, 1)).learn(EXAMPLE, graph, 7, statistics)
    assert statistics.loss == pytest.approx(costs.mean())


@pytest.mark.parametrize(("l1", "l2"), [(0.0, 0.0), (0.5, 0.0), (0.0, 0.7), (0.3, 0.4)])
def test_a_step_is_that_of_adagrad(l1: float, l2: float):
    """G <- G + g^2, w <- prox(w - rate / sqrt(G) g), also for features that a gradient does not have."""
    index, rate = FeatureIndex(), 0.1
    names = ["id:a|b", "id:c|d"]
    ids = np.array([index.intern(name) for name in names], dtype=np.uint32)
    adagrad = ExpectedBleuOptions(learning_rate=rate, l1=l1, l2=l2).native()
    weights, w, squares = np.zeros(2), np.zeros(2), np.zeros(2)
    for gradient in ([3.0, -1.0], [0.5, 0.0], [-1.0, 2.0]):
        g = np.array(gradient)
        squares += g**2
        eta = rate / np.sqrt(squares)
        w = w - eta * g
        w = np.sign(w) * np.maximum(0, np.abs(w) - eta * l1) / (1 + eta * l2)
        there = g != 0
        adagrad.descend(ids[there], g[there], index, weights)
    adagrad.finish(weights)
    assert weights == pytest.approx(w, rel=1e-9)


@pytest.mark.parametrize("temperature", [0.5, 3.0])
def test_gradient_of_a_hypergraph_against_finite_differences(model: TranslationModel, temperature: float):
    """All features of the forest; its expected linear BLEU is that of all its derivations (tests/evaluate/test_linear_bleu.py)."""
    weights = Weights.from_dict(START)
    decoder = model.decoder.with_weights(weights)
    decoder.templates = TemplateSet(["id", "shape"])
    graph = decoder.decode(EXAMPLE.source).prune_to(150)
    references = References(EXAMPLE.reference_words())
    loss, ids, values = expected_linear_bleu(graph, references, temperature)
    kbest = graph.kbest(10**6)
    native, gains = _core.linear_bleu_forest(graph.native, references.native)
    refined = Hypergraph(native, graph.index).kbest(10**6)
    assert len(refined) == len(kbest) < 10**6
    gain = np.array([gains[refined.derivation(i)].sum() for i in range(len(refined))])
    assert loss == pytest.approx(1 - softmax(refined.scores / temperature) @ gain)
    weights.grow()
    assert len(ids) > 20 and (np.diff(ids.astype(int)) > 0).all()
    h = 1e-4
    for id_, value in list(zip(ids, values, strict=True))[:: len(ids) // 12]:
        around = []
        for step in (h, -h):
            moved = Weights(weights.index, weights.values.copy())
            moved.values[id_] += step
            around.append(expected_linear_bleu(graph.rescore(moved), references, temperature)[0])
        assert value == pytest.approx((around[0] - around[1]) / (2 * h), rel=1e-4, abs=1e-7)


def test_constant_features_of_a_hypergraph_have_no_gradient(model: TranslationModel):
    decoder = model.decoder.with_weights(Weights.from_dict(START))
    graph = decoder.decode(EXAMPLE.source).prune_to(100)
    _, ids, _ = expected_linear_bleu(graph, References(EXAMPLE.reference_words()))
    matrix = graph.kbest(10**5).to_scipy(len(graph.index)).toarray()
    assert set(ids.tolist()) <= set(np.flatnonzero(np.ptp(matrix, axis=0) > 1e-9).tolist())


@pytest.mark.parametrize("temperature", [1.0, 0.02, 0.01, 0.005])
def test_no_gradient_of_a_hypergraph_has_the_wrong_sign(temperature: float):
    """Against decimals of any length: at the lowest temperature all but 1e-16 of the probability is that of one derivation."""
    graph = exhaustive(*JOINTS, WEIGHTS)
    _, ids, values = expected_linear_bleu(graph, References(JOINT_REFERENCE), temperature)
    kbest = graph.kbest(1000)
    matrix = kbest.to_scipy(len(graph.index)).toarray()
    with localcontext(prec=100):
        weights = [(Decimal(float(score)) / Decimal(temperature)).exp() for score in kbest.scores]
        gains = [Decimal(linear_bleu(kbest.sentence(i), JOINT_REFERENCE)) for i in range(len(kbest))]
        mean = sum(w * gain for w, gain in zip(weights, gains, strict=True)) / sum(weights)
        terms = [w * (mean - gain) for w, gain in zip(weights, gains, strict=True)]
        exact = [
            sum(term * Decimal(float(f)) for term, f in zip(terms, matrix[:, i], strict=True)) for i in ids
        ]
    assert np.sign(values).tolist() == [int(Decimal(1).copy_sign(value)) for value in exact]
    assert len(ids) == 7 if temperature > 0.015 else len(ids) > 0


def bleu_rows(rng: np.random.Generator, rows: int) -> np.ndarray:
    """Statistics of BLEU of random hypotheses."""
    lengths = rng.integers(5, 15, rows)
    totals = lengths[:, None] - np.arange(4)
    matches = (totals * rng.random((rows, 4))).astype(int)
    return np.column_stack([matches, totals, lengths, rng.integers(5, 15, rows)]).astype(np.int32)


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 10**6), st.sampled_from(["corpus", "sentence"]), st.sampled_from([0.5, 1.0, 3.0]))
def test_gradient_of_a_pool_against_finite_differences(seed: int, kind: str, temperature: float):
    rng = np.random.default_rng(seed)
    pool = toy_pool(sentences=4, size=5, seed=seed)
    pool.statistics[:] = bleu_rows(rng, len(pool))
    risk = (
        corpus_risk(pool.statistics.astype(float))
        if kind == "corpus"
        else sentence_risk(sentence_metric("bleu+1").scores_of(pool.statistics), 4)  # type: ignore[attr-defined]
    )
    loss = expected_loss(pool, risk, temperature, [L2(0.01)])
    error = check_grad(lambda w: loss(w)[0], lambda w: loss(w)[1], 0.1 * rng.normal(size=3))
    assert error < 1e-4


def test_sharp_probabilities_give_bleu_itself():
    """Of 5,000 sentences, among which the ones that smoothing adds are lost."""
    pool = toy_pool(sentences=5000, size=2, seed=2)
    pool.statistics[:] = bleu_rows(np.random.default_rng(3), len(pool))
    weights = Weights.from_dict({"good": 1.0, "id:noise|x": 0.3}, pool.index)
    loss = expected_loss(pool, corpus_risk(pool.statistics.astype(float)), 1e-4, [])
    best = pool.statistics[pool.best(weights)].sum(axis=0)
    assert 100 * (1 - loss(pool.vector(weights))[0]) == pytest.approx(bleu_score(best).score, abs=0.05)


def test_sentence_risk_is_one_minus_the_mean():
    pool = toy_pool(sentences=3, size=4)
    metric = sentence_metric("bleu+1").scores_of(pool.statistics)  # type: ignore[attr-defined]
    loss = expected_loss(pool, sentence_risk(metric, 3), 2.0, [])
    w = np.array([0.2, -0.1, 0.4])
    p = softmax((pool.matrix @ w).reshape(3, 4) / 2, axis=1).ravel()
    assert loss(w)[0] == pytest.approx(1 - (p * metric).sum() / 3)


def optimum(pool: KBestPool, **options: Any) -> Weights:
    found = (
        XbleuOptions(**options).optimizer().optimize(pool, Weights.from_dict({"bad": 0.5}, pool.index), 1, 0)
    )
    assert 0 < found.report["loss"] < 1
    return found.weights


@pytest.mark.parametrize("expected", ["corpus", "sentence"])
def test_the_best_of_every_list_is_found(expected: str):
    pool = toy_pool()
    weights = optimum(pool, expected=expected)
    best = [pool.statistics[b:e, 0].max() for b, e in zip(pool.begins, pool.begins[1:], strict=False)]
    assert weights.get("good") > 0 > weights.get("bad")
    assert pool.statistics[pool.best(weights), 0].tolist() == best


def test_strength_shortens_the_weights_and_temperature_stretches_them():
    pool = toy_pool()
    length = {
        name: np.linalg.norm(optimum(pool, **options).values)
        for name, options in {"plain": {}, "strong": {"l2": 1e-2}}.items()
    }
    assert length["strong"] < 0.7 * length["plain"]
    at_two = optimum(pool, temperature=2.0, l2=1e-5 / 4).values
    assert at_two == pytest.approx(2 * optimum(pool).values, rel=0.02, abs=0.02)


@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize("options", [XbleuOptions, ExpectedBleuOptions])
def test_temperatures_that_make_no_sense(options: type[XbleuOptions] | type[ExpectedBleuOptions], bad: float):
    with pytest.raises(DemoticError, match="temperature must be positive"):
        options(temperature=bad)
    kbest, _ = list_of([(1.0, 0.0), (0.0, 1.0)])
    with pytest.raises(DemoticError, match="temperature must be a positive number"):
        expected_cost(kbest, np.array([1.0, 2.0]), temperature=bad)


def test_rates_that_make_no_sense():
    for bad in BAD:
        with pytest.raises(DemoticError, match="learning_rate must be positive"):
            ExpectedBleuOptions(learning_rate=bad)


def test_a_strength_below_zero_is_refused():
    for bad in (-1.0, float("nan")):
        with pytest.raises(DemoticError, match="l2 must be at least 0"):
            XbleuOptions(l2=bad)
