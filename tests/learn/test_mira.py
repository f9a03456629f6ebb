"""MIRA: its update against a general solver, and the learner as a whole."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from demotic import _core
from demotic.base import DemoticError
from demotic.decode import Hypergraph, KBest, TranslationModel
from demotic.evaluate import References, sentence_metric
from demotic.features import Weights
from demotic.learn import Example, MiraOptions
from demotic.learn.online.rule import DataSize
from demotic.learn.workers.epoch_statistics import EpochStatistics

EXAMPLE = Example("die frau trägt einen roten mantel .", ("the woman wears a red coat .",))
START = {"LanguageModel": 1.0, "WordPenalty": -1.0}
K = 12


@pytest.fixture(scope="module")
def graph(model: TranslationModel) -> Hypergraph:
    return model.decoder.with_weights(Weights.from_dict(START)).decode(EXAMPLE.source)


@pytest.fixture(scope="module")
def kbest(graph: Hypergraph) -> KBest:
    return graph.kbest(K, unique=True)


def learnable(graph: Hypergraph, learn: str = "all") -> _core.LearnableFeatures:
    result = _core.LearnableFeatures(learn)
    result.classify(graph.index)
    return result


def update(
    kbest: KBest, graph: Hypergraph, scores: np.ndarray, metric: np.ndarray, c: float, constraints: int
) -> tuple[np.ndarray, float, int]:
    options = _core.MiraOptions(c, constraints)
    return _core.mira_update(kbest.native, scores, metric, learnable(graph), options)


def solved(
    features: np.ndarray, scores: np.ndarray, metric: np.ndarray, c: float
) -> tuple[np.ndarray, float]:
    """The change of the weights and the objective by a solver that knows nothing of duals and cutting planes."""
    hope = int(np.argmax(scores + metric))
    differences = features[hope] - features
    needed = metric[hope] - metric - (scores[hope] - scores)

    def objective(x: np.ndarray) -> float:
        return float(x[:-1] @ x[:-1] / 2 + c * x[-1])

    margins = {
        "type": "ineq",
        "fun": lambda x: differences @ x[:-1] + x[-1] - needed,
        "jac": lambda x: np.column_stack([differences, np.ones(len(needed))]),
    }
    start = np.append(np.zeros(features.shape[1]), max(0.0, needed.max()))
    gradient = lambda x: np.append(x[:-1], c)  # noqa: E731
    found = minimize(
        objective,
        start,
        jac=gradient,
        constraints=margins,
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 500},
    )
    return found.x[:-1], objective(found.x)


# Eighths, so that sums are exact and ties are ties for everyone.
numbers = st.lists(st.integers(-24, 24), min_size=K, max_size=K).map(lambda values: np.array(values) / 8)


@settings(max_examples=60, deadline=None)
@given(scores=numbers, metric=numbers, c=st.sampled_from([0.001, 0.01, 0.1, 10.0]))
def test_equals_a_quadratic_programme(
    kbest: KBest, graph: Hypergraph, scores: np.ndarray, metric: np.ndarray, c: float
):
    features = kbest.to_scipy().toarray()
    coefficients, loss, _ = update(kbest, graph, scores, metric, c, 1000)
    change = coefficients @ features
    expected, objective = solved(features, scores, metric, c)
    hope = int(np.argmax(scores + metric))
    slack = max(
        0.0, np.max(metric[hope] - metric - (scores + features @ change)[hope] + scores + features @ change)
    )
    assert change @ change / 2 + c * slack == pytest.approx(objective, rel=1e-5, abs=1e-9)
    assert change == pytest.approx(expected, rel=1e-3, abs=1e-4)
    assert loss == pytest.approx(max(0.0, np.max(scores - metric) - (scores - metric)[hope]))


@settings(deadline=None)
@given(scores=numbers, metric=numbers, c=st.sampled_from([0.001, 1.0]))
def test_with_one_constraint_it_is_the_step_from_fear_to_hope(
    kbest: KBest, graph: Hypergraph, scores: np.ndarray, metric: np.ndarray, c: float
):
    """Chiang (2012), equation for one pair: alpha = min(C, loss / ||f(hope) - f(fear)||^2)."""
    features = kbest.to_scipy().toarray()
    hope, fear = int(np.argmax(scores + metric)), int(np.argmax(scores - metric))
    difference = features[hope] - features[fear]
    coefficients, loss, constraints = update(kbest, graph, scores, metric, c, 1)
    if hope == fear:
        assert constraints == 0 and not coefficients.any()
        return
    expected = np.zeros(K)
    expected[[hope, fear]] = np.array([1, -1]) * min(c, loss / (difference @ difference))
    assert coefficients == pytest.approx(expected)


def test_what_may_not_change_does_not_enter_the_programme(kbest: KBest, graph: Hypergraph):
    metric = np.arange(K, dtype=float)
    features = kbest.to_scipy()
    frozen = _core.mira_update(
        kbest.native, np.zeros(K), metric, learnable(graph, "sparse"), _core.MiraOptions(0.5, 1)
    )[0]
    assert features.nnz and abs(frozen).max() == 0.5  # nothing to learn with, so all of C is of no avail


Learn = Callable[..., tuple[Weights, EpochStatistics]]


@pytest.fixture
def learn(model: TranslationModel) -> Learn:
    def learn(
        example: Example = EXAMPLE, seed: int = 1, **options: object
    ) -> tuple[Weights, EpochStatistics]:
        weights = Weights.from_dict(START)
        rule = MiraOptions(**options).rule(weights, DataSize(1, 400))  # type: ignore[arg-type]
        statistics = EpochStatistics()
        rule.learn(example, model.decoder.with_weights(weights).decode(example.source), seed, statistics)
        rule.finish(statistics)
        return weights, statistics

    return learn


def test_an_update_lowers_the_loss(learn: Learn, graph: Hypergraph):
    weights, statistics = learn(c=0.001)
    kbest = graph.kbest(250, unique=True)
    document = sentence_metric("pseudo")
    metric = document.scores(References(EXAMPLE.reference_words()), kbest) * document.source_words(kbest)
    changed = {name: weights.get(name) for name in weights.to_dict()}
    scores = kbest.to_scipy() @ [
        changed.get(graph.index.name(i), 0.0) for i in range(kbest.features.max() + 1)
    ]
    hope = int(np.argmax(kbest.scores + metric))
    after = np.max(metric[hope] - metric - (scores[hope] - scores))
    assert statistics.updates == 1 and after < statistics.loss


def test_a_sample_depends_on_the_seed(learn: Learn):
    drawn = [learn(candidates="samples", seed=seed)[0].to_dict() for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]


def test_a_single_hypothesis_teaches_nothing(learn: Learn):
    weights, statistics = learn(k=1)
    assert (weights.to_dict(), statistics.skipped, statistics.updates) == (START, 1, 0)


def test_hypotheses_that_are_equally_bad_teach_nothing(learn: Learn):
    weights, statistics = learn(Example(EXAMPLE.source, ("xyzzy",)), metric="liang")
    assert (weights.to_dict(), statistics.skipped, statistics.updates) == (START, 1, 0)


def test_weights_that_have_exploded_are_not_decoded_with(model: TranslationModel):
    weights = Weights.from_dict(START)
    weights.values[:] = math.nan
    with pytest.raises(DemoticError, match=r"the weight of '.*' is not a finite number"):
        model.decoder.with_weights(weights).decode(EXAMPLE.source)


@pytest.mark.parametrize("options", [{"c": 0.0}, {"c": math.inf}, {"constraints": 0}])
def test_options_that_learn_nothing(options: dict[str, float]):
    with pytest.raises(DemoticError, match="must be"):
        MiraOptions(**options)  # type: ignore[arg-type]
