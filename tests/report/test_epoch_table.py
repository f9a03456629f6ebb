"""What learners report, as columns."""

from __future__ import annotations

import pytest

from demotic.report.epoch_table import epoch_columns, epoch_figure


def test_what_the_recipe_takes_comes_after_the_bleu_that_it_goes_by():
    chosen = {"chosen": {"mbr": "none", "penalty": 0.0}, "chosen_dev_bleu": 41.0}
    rows = [{"epoch": 1, "step": "start", "dev_bleu": 40.0, "held_out_bleu": 39.0}, {"epoch": 2, **chosen}]
    assert list(epoch_columns(rows).values()) == [
        "epoch",
        "step",
        "held-out BLEU",
        "dev BLEU",
        "decoded by",
        "then dev BLEU",
    ]


@pytest.mark.parametrize(
    ("key", "value", "text"),
    [
        ("shares", {"dense": 0.0, "sparse": 0.25}, "0, 0.25"),
        ("shares", {"dense": 0.5, "sparse": 1.0, "penalty": 0.02}, "0.5, 1, word penalty +0.02"),
        (
            "chosen",
            {"mbr": "consensus", "mbr_scale": 10.0, "penalty": -0.02},
            "consensus, scale 10, word penalty -0.02",
        ),
        ("chosen", {"mbr": "none", "mbr_scale": 10.0, "penalty": 0.0}, "best score"),
        ("metric", 0.5, "0.5000"),
    ],
)
def test_figures_as_people_write_them(key: str, value: object, text: str):
    assert epoch_figure(key, value) == text


@pytest.mark.parametrize(
    "value", [{}, {"dense": "much", "sparse": 1}, {"dense": 10**400, "sparse": 1}, {"mbr": []}]
)
def test_a_damaged_row_is_shown_as_it_is(value: object):
    assert epoch_figure("shares", value) == str(value)
    assert epoch_figure("chosen", value) == str(value)
