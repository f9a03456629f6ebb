"""Marks of significance: what the papers' signs mean, on systems whose differences are plain."""

from __future__ import annotations

from pathlib import Path

import pytest

from demotic.evaluate import approximate_randomization
from demotic.reproduce.experiment import Column, Mark, Row
from demotic.reproduce.marks import decorate
from demotic.reproduce.scores import Scores
from demotic.reproduce.system_job import Outcome

REFERENCE = [f"this is sentence number {i} of the small test set" for i in range(40)]
SPOILT = [line.replace("sentence", "phrase").replace("small", "large") for line in REFERENCE]
ONCE = [SPOILT[0], *REFERENCE[1:]]  # differs in one line: no difference to speak of


def outcome(lines: list[str]) -> Outcome:
    return Outcome(Path(), 1, 8, 30.0, 60.0, False, [], {"test": lines}, {"test": [REFERENCE]})


@pytest.fixture
def scores() -> Scores:
    texts = {"good": REFERENCE, "near": ONCE, "bad": SPOILT}
    outcomes = {(name, 1): [outcome(lines)] * 2 for name, lines in texts.items()}
    return Scores({**outcomes, ("other", 2): [outcome(SPOILT)]}, 500, 1, 1)


ROWS = [
    Row("good", group="1"),
    Row("near", group="1"),
    Row("bad", group="2"),
    Row("other", group="2", pair=2),
]
SYSTEMS = {row.id: (row.id, row.pair) for row in ROWS}


def test_scores_are_those_of_the_tests(scores: Scores):
    assert scores.bleu(("good", 1), "test") == [pytest.approx(100.0)] * 2
    assert scores.bleu(("good", 1), "tune") == [30.0, 30.0] and scores.bleu(("good", 1), "dev") == []
    good, bad = scores.statistics(("good", 1), "test"), scores.statistics(("bad", 1), "test")
    metric = scores._metric(("good", 1), "test")
    expected = approximate_randomization(bad, good, metric.scores, 500, 1, 1)
    assert scores.p_value(("good", 1), ("bad", 1), "test", "randomization") == expected < 0.01
    assert scores.p_value(("good", 1), ("bad", 1), "test", "bootstrap") < 0.05
    assert scores.p_value(("near", 1), ("good", 1), "test", "randomization") > 0.05


def test_against_a_row(scores: Scores):
    found = decorate([Mark("row:good", "*")], ROWS, SYSTEMS, scores, Column(set="test"))
    assert {id_: each.symbols for id_, each in found.items()} == {
        "good": "",
        "near": "",
        "bad": "*",
        "other": "",
    }
    assert not decorate([Mark("row:good", "*")], ROWS, SYSTEMS, scores, Column(set="dev"))["bad"].symbols


def test_against_other_algorithms(scores: Scores):
    found = decorate([Mark("peers")], ROWS, SYSTEMS, scores, Column(set="test"))
    assert [found[id_].symbols for id_ in ("good", "near", "bad", "other")] == ["²", "²", "¹", ""]
    other_features = [*ROWS[:2], Row("bad", group="2", features=("id",))]
    assert not any(
        each.symbols
        for each in decorate([Mark("peers")], other_features, SYSTEMS, scores, Column(set="test")).values()
    )


def test_against_the_best(scores: Scores):
    rows = [Row("good", group="1"), Row("near", group="1"), Row("bad", group="1")]
    found = decorate(
        [Mark("best", "†")], rows, {row.id: (row.id, 1) for row in rows}, scores, Column(set="test")
    )
    assert found["good"].is_bold and [found[id_].symbols for id_ in ("good", "near", "bad")] == ["", "", "†"]


def test_better_than_all_others(scores: Scores):
    assert not any(
        each.is_bold
        for each in decorate(
            [Mark("others")], ROWS[:2], {"good": ("good", 1), "near": ("near", 1)}, scores, Column(set="test")
        ).values()
    )
    two = {"good": ("good", 1), "bad": ("bad", 1)}
    assert decorate([Mark("others")], [ROWS[0], ROWS[2]], two, scores, Column(set="test"))["good"].is_bold
