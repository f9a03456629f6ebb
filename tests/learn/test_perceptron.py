"""The perceptron on one list."""

from __future__ import annotations

import math

import numpy as np
import pytest

from demotic import _core
from demotic.base import DemoticError
from demotic.decode import KBest, TranslationModel
from demotic.evaluate import References, sentence_metric
from demotic.features import Weights
from demotic.learn import Example, PerceptronOptions
from demotic.learn.registry import learner_options
from learn.reference import learn_pair, pairs_of, rows

EXAMPLE = Example("die frau trägt einen roten mantel .", ("the woman wears a red coat .",))


@pytest.fixture(scope="module")
def kbest(model: TranslationModel) -> KBest:
    decoder = model.decoder.with_weights(Weights.from_dict({"LanguageModel": 1.0, "WordPenalty": -1.0}))
    return decoder.decode(EXAMPLE.source).kbest(100, unique=True)


@pytest.fixture(scope="module")
def metric(kbest: KBest) -> np.ndarray:
    return sentence_metric("liang").scores(References(EXAMPLE.reference_words()), kbest)


def learnt(
    model: TranslationModel, metric: np.ndarray, start: dict[str, float], **options: object
) -> tuple[Weights, _core.UpdateCounts]:
    decoder = model.decoder.with_weights(Weights.from_dict({"LanguageModel": 1.0, "WordPenalty": -1.0}))
    again = decoder.decode(EXAMPLE.source).kbest(100, unique=True)  # a list is numbered by one index
    weights = Weights(decoder.weights.index)
    for name, value in start.items():
        weights.set(name, value)
    settings = PerceptronOptions(**options)  # type: ignore[arg-type]
    pairs = _core.make_pairs(metric, again.scores, np.zeros(0), settings.native_pairs(), 1)
    counts = settings.native().update(again.native, pairs, metric, weights.index, weights.values, np.zeros(0))
    return weights, counts


@pytest.mark.parametrize("margin", [0.0, 0.05])
def test_equals_the_printed_update(model: TranslationModel, kbest: KBest, metric: np.ndarray, margin: float):
    start = {"LanguageModel": 0.3, "Glue": -0.1}
    expected = dict(start)
    weights, counts = learnt(model, metric, start, margin=margin, learning_rate=0.01)
    vectors = rows(kbest, _names(weights))
    for i, j in pairs_of(metric):
        learn_pair(expected, vectors[i], vectors[j], 0.01, margin, _names(weights))
    assert weights.to_dict() == pytest.approx(expected, abs=1e-12)
    assert counts.pairs == len(pairs_of(metric)) and 0 < counts.errors <= counts.updates < counts.pairs


def _names(weights: Weights) -> list[str]:
    return [weights.index.name(i) for i in range(len(weights.index))]


def test_from_zero_the_first_list_updates_on_all_its_pairs(model: TranslationModel):
    """<w, x> = 0 counts as an error: "<=" is the paper's. Scores are those of decoding, all 0."""
    decoder = model.decoder.with_weights(Weights.from_dict({}))
    zero = decoder.decode(EXAMPLE.source).kbest(100, unique=True)
    scores = sentence_metric("liang").scores(References(EXAMPLE.reference_words()), zero)
    options = PerceptronOptions(frozen=True, margin=0.0)
    pairs = _core.make_pairs(scores, zero.scores, np.zeros(0), options.native_pairs(), 1)
    weights = Weights(decoder.weights.index)
    counts = options.native().update(zero.native, pairs, scores, weights.index, weights.values, np.zeros(0))
    assert counts.updates == counts.errors == counts.pairs > 100


@pytest.mark.parametrize(("preset", "margin"), [("paper", 0.0), ("dtrain", 1.0)])
def test_presets_compare_the_scores_of_decoding(
    model: TranslationModel, kbest: KBest, metric: np.ndarray, preset: str, margin: float
):
    """The update is the sum over all pairs that decoding had within the margin, in whatever order they come."""
    options = learner_options("perceptron", {"preset": preset})
    chosen = {"learning_rate": 0.5, "margin": options.margin, "frozen": options.frozen}
    weights, counts = learnt(model, metric, {"Glue": -0.1}, **chosen)
    vectors = rows(kbest, _names(weights))
    moved = [(i, j) for i, j in pairs_of(metric) if kbest.scores[i] - kbest.scores[j] <= margin]
    assert 0 < counts.updates == len(moved) < counts.pairs
    for name in _names(weights):
        change = sum(vectors[i].get(name, 0.0) - vectors[j].get(name, 0.0) for i, j in moved)
        assert weights.get(name) == pytest.approx((name == "Glue") * -0.1 + 0.5 * change, abs=1e-9)


@pytest.mark.parametrize("learner", ["perceptron", "mix", "itermix", "itersel"])
def test_presets_and_what_overrides_them(learner: str):
    def chosen(**values: object) -> tuple[float, bool]:
        options = learner_options(learner, values)
        return options.margin, options.frozen

    assert chosen() == chosen(preset="default") == (1.0, False)
    assert chosen(preset="paper") == (0.0, True) and chosen(preset="dtrain") == (1.0, True)
    assert chosen(preset="paper", margin=0.5) == (0.5, True)
    assert chosen(preset="dtrain", frozen=False) == (1.0, False)
    with pytest.raises(DemoticError, match="unknown preset 'acl2012'"):
        chosen(preset="acl2012")


def test_doubling_the_learning_rate_doubles_the_weights(
    model: TranslationModel, kbest: KBest, metric: np.ndarray
):
    once, _ = learnt(model, metric, {}, learning_rate=0.25, margin=0.0)
    twice, _ = learnt(model, metric, {}, learning_rate=0.5, margin=0.0)
    assert (twice.values == 2 * once.values).all() and np.count_nonzero(once.values) > 3


def test_scaled_updates(model: TranslationModel, kbest: KBest, metric: np.ndarray):
    plain, _ = learnt(model, metric, {}, frozen=True, margin=1e9, learning_rate=1.0)
    scaled, _ = learnt(model, metric, {}, frozen=True, margin=1e9, learning_rate=1.0, scale=True)
    vectors = rows(kbest, _names(plain))
    for name in ("LanguageModel", "WordPenalty"):
        differences = [
            (metric[i] - metric[j], vectors[i].get(name, 0) - vectors[j].get(name, 0))
            for i, j in pairs_of(metric)
        ]
        assert plain.get(name) == pytest.approx(sum(x for _, x in differences))
        assert scaled.get(name) == pytest.approx(sum(s * x for s, x in differences))


def test_only_the_weights_that_may_change_do(model: TranslationModel, kbest: KBest, metric: np.ndarray):
    sparse, _ = learnt(model, metric, {"Glue": 0.5}, learn="sparse")
    assert sparse.to_dict() == {"Glue": 0.5}
    dense, _ = learnt(model, metric, {"Glue": 0.5}, learn="dense")
    assert len(dense) > 3


def test_inactive_features_gain_a_gradient_instead(model: TranslationModel, kbest: KBest, metric: np.ndarray):
    everything, _ = learnt(model, metric, {}, frozen=True, margin=1e9)
    decoder = model.decoder.with_weights(Weights.from_dict({"LanguageModel": 1.0, "WordPenalty": -1.0}))
    again = decoder.decode(EXAMPLE.source).kbest(100, unique=True)
    options = PerceptronOptions(frozen=True, margin=1e9)
    pairs = _core.make_pairs(metric, again.scores, np.zeros(0), options.native_pairs(), 1)
    active, gradient = np.zeros(2), np.zeros(len(decoder.weights.index))
    options.native().update(again.native, pairs, metric, decoder.weights.index, active, gradient)
    assert (np.concatenate([active, gradient[2:]]) == everything.values).all()
    assert (gradient[:2] == 0).all()


@pytest.mark.parametrize("rate", [0.0, -1.0, math.nan, math.inf])
def test_a_learning_rate_that_learns_nothing(rate: float):
    with pytest.raises(DemoticError, match="learning_rate must be positive"):
        PerceptronOptions(learning_rate=rate)
