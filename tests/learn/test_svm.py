"""The structured SVM: its subgradient, and lists that teach nothing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic.decode import TranslationModel
from demotic.features import Weights
from demotic.learn import Example, SvmOptions
from demotic.learn.online.rule import DataSize
from demotic.learn.online.svm import SvmRule
from demotic.learn.workers.epoch_statistics import EpochStatistics
from learn.lists import list_of

EXAMPLE = Example("die frau trägt einen roten mantel .", ("the woman wears a red coat .",))
START = {"LanguageModel": 1.0, "WordPenalty": -1.0}
eighths = st.integers(-16, 16).map(lambda number: number / 8)


def rule(weights: Weights, **options: object) -> SvmRule:
    return SvmRule(SvmOptions(**options), weights, DataSize(10, 400))  # type: ignore[arg-type]


@settings(deadline=None)
@given(st.lists(st.tuples(eighths, eighths, eighths, st.integers(0, 20)), min_size=1, max_size=6))
def test_hope_against_the_fear_with_its_cost(rows: list[tuple[float, float, float, int]]):
    scores, costs = (np.array([row[i] for row in rows], dtype=float) for i in (2, 3))
    kbest, matrix = list_of([(a, b) for a, b, _, _ in rows])
    loss, ids, values = rule(Weights.from_dict({})).loss_and_gradient(kbest, scores, costs)
    hope = max(range(len(rows)), key=lambda i: scores[i] - costs[i])
    fear = max(range(len(rows)), key=lambda i: scores[i] + costs[i])
    gradient = np.zeros(matrix.shape[1])
    gradient[ids] = values
    assert loss == scores[fear] + costs[fear] - scores[hope] - costs[hope] >= 0
    assert gradient == pytest.approx(matrix[fear] - matrix[hope])


@pytest.mark.parametrize(
    ("example", "options"),
    [(EXAMPLE, {"k": 1}), (Example(EXAMPLE.source, ("xyzzy",)), {})],
    ids=["one hypothesis", "equal costs"],
)
def test_nothing_to_learn_from(model: TranslationModel, example: Example, options: dict[str, object]):
    weights = Weights.from_dict(START)
    learner, statistics = rule(weights, l2=1.0, **options), EpochStatistics()
    learner.learn(example, model.decoder.with_weights(weights).decode(example.source), 1, statistics)
    learner.finish(statistics)
    assert (statistics.skipped, statistics.updates) == (1, 0)
    assert {name: weights.get(name) for name in START} == START
