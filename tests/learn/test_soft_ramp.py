"""The soft ramp loss: against its formula, finite differences, and what it is for."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import logsumexp

from demotic import _core
from demotic.base import DemoticError
from demotic.decode import KBest, TranslationModel
from demotic.evaluate import References, sentence_metric
from demotic.features import TemplateSet, Weights
from demotic.learn import Example, MiraOptions, SoftRampOptions, SvmOptions, soft_ramp3
from demotic.learn.fitting.weight_length import stretched
from demotic.learn.online.rule import DataSize
from demotic.learn.workers.epoch_statistics import EpochStatistics
from learn.lists import list_of

EXAMPLE = Example("die frau trägt einen roten mantel .", ("the woman wears a red coat .",))


def printed_loss(scores: np.ndarray, costs: np.ndarray) -> float:
    """Flanigan, Dyer and Carbonell (2013), section 6."""
    return float(-logsumexp(scores - costs) + logsumexp(scores + costs))


@pytest.fixture(scope="module")
def sparse(model: TranslationModel) -> tuple[KBest, np.ndarray]:
    """A list with sparse features, and costs as the learner has them."""
    decoder = model.decoder.with_weights(Weights.from_dict({"LanguageModel": 0.5, "WordPenalty": -0.5}))
    decoder.templates = TemplateSet(["id", "src_ngram", "shape"])
    kbest = decoder.decode(EXAMPLE.source).kbest(50, unique=True)
    metric = sentence_metric("nakov").scores(References(EXAMPLE.reference_words()), kbest)
    return kbest, 20 * (1 - metric)


def test_gradient_against_finite_differences(sparse: tuple[KBest, np.ndarray]):
    kbest, costs = sparse
    matrix = kbest.to_scipy().toarray()
    loss, ids, values = soft_ramp3(kbest, costs)
    assert loss == pytest.approx(printed_loss(kbest.scores, costs))
    gradient = np.zeros(matrix.shape[1])
    gradient[ids] = values
    h = 1e-5
    numerical = [
        (printed_loss(kbest.scores + h * f, costs) - printed_loss(kbest.scores - h * f, costs)) / (2 * h)
        for f in matrix.T
    ]
    assert gradient == pytest.approx(numerical, rel=1e-5, abs=1e-7)
    assert len(ids) > 30  # sparse ones too
    assert set(ids) <= set(np.flatnonzero(np.ptp(matrix, axis=0)))


@settings(deadline=None)
@given(
    st.lists(st.tuples(*[st.floats(-500, 500)] * 2, *[st.floats(-3, 3)] * 2), min_size=1, max_size=6),
)
def test_scores_of_any_size(rows: list[tuple[float, float, float, float]]):
    scores, costs = np.array([row[0] for row in rows]), np.array([abs(row[1]) for row in rows])
    kbest, matrix = list_of([(round(a, 3), round(b, 3)) for _, _, a, b in rows])
    loss, ids, values = soft_ramp3(kbest, costs, scores)
    hope, fear = (np.exp(s - logsumexp(s)) for s in (scores - costs, scores + costs))
    gradient = np.zeros(matrix.shape[1])
    gradient[ids] = values
    assert loss == pytest.approx(printed_loss(scores, costs), abs=1e-9) and loss >= -1e-9
    assert gradient == pytest.approx((fear - hope) @ matrix, abs=1e-9)


def test_a_step_raises_the_posterior_of_the_better_of_two():
    kbest, matrix = list_of([(1.0, 0.0), (0.0, 1.0)])
    better = matrix[:, matrix[0] != matrix[1]].argmax(axis=0)
    w, costs = np.zeros(matrix.shape[1]), np.array([2.0, 6.0])
    losses, posteriors = [], []
    for _ in range(5):
        scores = matrix @ w
        loss, ids, values = soft_ramp3(kbest, costs, scores)
        losses.append(loss)
        posteriors.append(np.exp(scores - logsumexp(scores))[0])
        w[ids] -= 0.5 * values
    assert len(better) == 2
    assert (np.diff(posteriors) > 0).all() and (np.diff(losses) < 0).all()


def test_equal_costs_teach_nothing():
    kbest, _ = list_of([(1.0, 0.0), (0.0, 1.0), (2.0, 2.0)])
    loss, ids, _ = soft_ramp3(kbest, np.full(3, 4.0), np.array([1.0, 2.0, 3.0]))
    assert loss == pytest.approx(8.0) and len(ids) == 0


def test_numbers_that_are_not_finite_give_no_gradient():
    kbest, _ = list_of([(1.0, 0.0), (0.0, 1.0)])
    for bad in (np.array([np.nan, 0.0]), np.array([np.inf, 0.0])):
        loss, ids, _ = soft_ramp3(kbest, np.array([1.0, 2.0]), bad)
        assert not np.isfinite(loss) and len(ids) == 0


def test_a_cost_for_each_hypothesis():
    kbest, _ = list_of([(1.0, 0.0), (0.0, 1.0)])
    with pytest.raises(DemoticError, match="each of 2 hypotheses"):
        soft_ramp3(kbest, np.zeros(3))


def learnt(
    model: TranslationModel, start: dict[str, float], sentences: int = 1, **options: object
) -> tuple[Weights, EpochStatistics]:
    """After so many steps on the same sentence."""
    weights = Weights.from_dict(start)
    rule = SoftRampOptions(**options).rule(weights, DataSize(sentences, len(model.index)))  # type: ignore[arg-type]
    decoder = model.decoder.with_weights(weights)
    decoder.templates = TemplateSet(["id", "shape"])
    statistics = EpochStatistics()
    for _ in range(sentences):
        rule.learn(EXAMPLE, decoder.decode(EXAMPLE.source), 1, statistics)
    rule.finish(statistics)
    return weights, statistics


START = {"LanguageModel": 0.5, "WordPenalty": -0.5, "Glue": 0.2}


def eager(model: TranslationModel, sentences: int, step: float, l2: float, learn: str) -> dict[str, float]:
    """Gradient descent as in a textbook: every weight is shrunk for every sentence."""
    w = dict(START)
    for _ in range(sentences):
        weights = Weights.from_dict(w)
        decoder = model.decoder.with_weights(weights)
        decoder.templates = TemplateSet(["id", "shape"])
        kbest = decoder.decode(EXAMPLE.source).kbest(30, unique=True)
        metric = sentence_metric("nakov").scores(References(EXAMPLE.reference_words()), kbest)
        _, ids, values = soft_ramp3(kbest, 20 * (1 - metric))
        gradient = {weights.index.name(int(i)): v for i, v in zip(ids, values, strict=True)}
        for name in {**w, **gradient}:
            if learn == "all" or (":" in name) == (learn == "sparse"):
                old = w.get(name, 0.0)
                w[name] = old - step * (gradient.get(name, 0.0) + l2 / sentences * old)
    return {name: value for name, value in w.items() if value}


@pytest.mark.parametrize("learn", ["all", "dense", "sparse"])
def test_lazy_shrinking_equals_eager_shrinking(model: TranslationModel, learn: str):
    weights, statistics = learnt(model, START, 6, k=30, step=0.01, l2=20.0, condition=False, learn=learn)
    assert weights.to_dict() == pytest.approx(eager(model, 6, 0.01, 20.0, learn), abs=1e-9)
    assert statistics.updates == 6


def test_an_epoch_lowers_the_loss(model: TranslationModel):
    _, once = learnt(model, START, 1)
    _, often = learnt(model, START, 10)
    assert often.loss / 10 < once.loss


@pytest.mark.parametrize(
    "options", [{"step": 0.0}, {"cost": -1.0}, {"l2": -1.0}, {"l2": 2.0}, {"scale": -1.0}]
)
def test_options_that_make_no_sense(options: dict[str, float]):
    with pytest.raises(DemoticError):
        SoftRampOptions(**options)  # type: ignore[arg-type]


def test_counts_of_features_in_extraction(model: TranslationModel):
    """The count of a rule's own feature is the rule's; of another, the sum over the rules of the sentence."""
    decoder = model.decoder.with_weights(Weights.from_dict(START))
    decoder.templates = templates = TemplateSet(["id", "shape"])
    graph = decoder.decode(EXAMPLE.source)
    kbest = graph.kbest(100, unique=True)
    counts = _core.FeatureCounts()
    counts.observe(graph.native, graph.index)
    ids = np.unique(kbest.features)
    grammar = model.index.grammar(EXAMPLE.source.split())
    expected: dict[str, float] = {}
    sampled = set()
    for rule, vector in zip(grammar, templates.vectors(grammar), strict=True):
        for name in vector:
            count = round(10 ** rule.features["CountEF"] - 1)
            expected[name] = expected.get(name, 0.0) + count
            if round(10 ** rule.features["SampleCountF"] - 1) >= model.index.options.max_samples:
                sampled.add(name)
    found = {graph.index.name(int(i)): count for i, count in zip(ids, counts.counts(ids), strict=True)}
    exact = [name for name in found if name not in sampled]
    assert sum(":" in name for name in exact) > 20
    assert [found[name] for name in exact] == pytest.approx([expected.get(name, 0.0) for name in exact])
    stops = sum(model.index.source(i).count(".") for i in range(len(model.index)))
    assert found["id:.|."] == pytest.approx(stops, rel=0.02)  # of a sample, scaled up; most are aligned
    assert counts.counts(np.array([10**6], dtype=np.uint32)) == 0


def test_conditioning_divides_the_step(model: TranslationModel):
    """Dense features by the number of sentences, those of rules by their count in a corpus of that size."""
    plain, _ = learnt(model, START, 1, k=50, l2=0.0, condition=False, step=1e-3)
    conditioned, _ = learnt(model, START, 1, k=50, l2=0.0, step=1e-3)
    assert plain.to_dict() == pytest.approx(conditioned.to_dict())  # one sentence: all counts are one list

    weights = Weights.from_dict(START)
    n = len(model.index)
    rule = SoftRampOptions(k=50, l2=0.0, step=1e-3).rule(weights, DataSize(n, n))
    decoder = model.decoder.with_weights(weights)
    decoder.templates = TemplateSet(["id", "shape"])
    graph = decoder.decode(EXAMPLE.source)
    rule.learn(EXAMPLE, graph, 1, EpochStatistics())
    counts = _core.FeatureCounts()
    counts.observe(graph.native, graph.index)
    for name, value in plain.to_dict().items():
        id_ = weights.index.find(name)
        count = counts.counts(np.array([id_], dtype=np.uint32))[0]
        divisor = min(max(count, 1.0), n) if ":" in name else n
        change = value - START.get(name, 0.0)
        assert weights.get(name) - START.get(name, 0.0) == pytest.approx(
            change / divisor, rel=1e-6, abs=1e-15
        )


@given(
    st.lists(st.floats(-100, 100).filter(lambda x: abs(x) > 1e-6), min_size=1, max_size=5), st.floats(0.1, 50)
)
def test_stretching_keeps_the_direction(values: list[float], length: float):
    weights = Weights.from_dict({**{f"D{i}": value for i, value in enumerate(values)}, "id:a|b": 2.0})
    longer = stretched(weights, length)
    assert sum(abs(longer.get(f"D{i}")) for i in range(len(values))) == pytest.approx(length)
    assert longer.values * weights.values[0] == pytest.approx(weights.values * longer.values[0])
    nothing = Weights.from_dict({"D0": 0.0, "id:a|b": 2.0})
    assert stretched(nothing, length).to_dict() == {"id:a|b": 2.0}


@pytest.mark.parametrize("options", [SoftRampOptions, SvmOptions, MiraOptions])
def test_learning_starts_from_longer_weights(
    options: type[SoftRampOptions] | type[SvmOptions] | type[MiraOptions],
):
    weights = Weights.from_dict({"LanguageModel": 0.25, "WordPenalty": -0.75})
    assert options().initial(weights).to_dict() == {"LanguageModel": 3.75, "WordPenalty": -11.25}
    assert options(scale=8).initial(weights).to_dict() == {"LanguageModel": 2.0, "WordPenalty": -6.0}
    assert options(scale=0).initial(weights) is weights
    with pytest.raises(DemoticError, match="scale must be at least 0"):
        options(scale=-1.0)
