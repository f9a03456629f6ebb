"""RAMPION against the printed loops."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic import _core
from demotic.base import DemoticError
from demotic.decode import TranslationModel
from demotic.features import Weights
from demotic.learn import Example, RampionOptions, training_examples
from demotic.learn.online.rule import DataSize
from demotic.learn.workers.epoch_statistics import EpochStatistics
from learn.lists import list_of


def printed(
    lists: list[tuple[np.ndarray, np.ndarray]],
    start: np.ndarray,
    rounds: int,
    passes: int,
    eta: float,
    c: float,
) -> np.ndarray:
    """Gimpel and Smith (2012), algorithm 1, lines 5 to 14, on fixed lists of (features, costs)."""
    theta = start.copy()
    for _ in range(rounds):
        hopes = [f[np.argmax(f @ theta - cost)] for f, cost in lists]
        for _ in range(passes):
            for (f, cost), hope in zip(lists, hopes, strict=True):
                fear = f[np.argmax(f @ theta + cost)]
                theta = theta - eta * c * (theta - start) / len(lists) + eta * (hope - fear)
    return theta


halves = st.integers(-4, 4).map(lambda number: number / 2)
hypotheses = st.lists(st.tuples(halves, halves, st.integers(0, 16)), min_size=2, max_size=5)


@settings(deadline=None, max_examples=50)
@given(st.lists(hypotheses, min_size=1, max_size=4), st.tuples(halves, halves))
def test_equals_the_printed_loops(drawn: list[list[tuple[float, float, int]]], start: tuple[float, float]):
    eta, c = 0.0173205080757, 0.7  # crooked numbers, as are the costs: no ties
    weights = Weights.from_dict({"A": start[0], "B": start[1]})
    rampion = _core.Rampion(3, 4, eta, c)
    lists, loss, expected_loss = [], 0.0, 0.0
    for rows in drawn:
        kbest, matrix = list_of([(a, b) for a, b, _ in rows], weights.index)
        features = matrix[:, :2]
        costs = np.array([cost * 0.7310585786 + i * 0.0101 for i, (_, _, cost) in enumerate(rows)])
        scores = features @ start
        lists.append((features, costs))
        loss += rampion.add(kbest.native, scores, costs)
        expected_loss += np.max(scores + costs) - np.max(scores - costs)
    learnable = _core.LearnableFeatures("all")
    learnable.classify(weights.index)
    weights.grow()
    rampion.optimize(weights.values, learnable)
    expected = printed(lists, np.array(start), 3, 4, eta, c)
    assert loss == pytest.approx(expected_loss)
    assert [weights.get("A"), weights.get("B")] == pytest.approx(expected, abs=1e-9)
    assert weights.get("Same") == 0


def learnt(
    model: TranslationModel, examples: list[Example], **options: object
) -> tuple[Weights, EpochStatistics]:
    weights = Weights.from_dict({"LanguageModel": 1.0, "WordPenalty": -1.0})
    rule = RampionOptions(**{"k": 50, **options}).rule(weights, DataSize(len(examples), len(model.index)))  # type: ignore[arg-type]
    decoder, statistics = model.decoder.with_weights(weights), EpochStatistics()
    for example in examples:
        rule.learn(example, decoder.decode(example.source, exclude=example.number), 1, statistics)
    rule.finish(statistics)
    return weights, statistics


def test_learns_when_the_epoch_ends(model: TranslationModel):
    examples = training_examples(model, 10, seed=3)
    weights, statistics = learnt(model, examples)
    assert len(weights) > 5 and statistics.updates > 100 and statistics.skipped < 5
    nothing, _ = learnt(model, examples, learn="sparse")
    assert nothing.to_dict() == {"LanguageModel": 1.0, "WordPenalty": -1.0}


def test_lists_that_teach_nothing_are_counted(model: TranslationModel):
    weights, statistics = learnt(model, [Example("die frau .", ("xyzzy",))])
    assert (statistics.skipped, statistics.updates, len(weights)) == (1, 0, 2)


@pytest.mark.parametrize("options", [{"rounds": 0}, {"step": 0.0}, {"l2": -1.0}, {"l2": 1e9}, {"cost": 0.0}])
def test_options_that_make_no_sense(options: dict[str, float]):
    with pytest.raises(DemoticError):
        RampionOptions(**options)  # type: ignore[arg-type]
