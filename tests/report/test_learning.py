"""Curves of what learners report."""

from __future__ import annotations

from demotic.report.learning import learning_figures
from demotic.report.parts import SystemPart


def test_rows_that_are_no_numbers_are_left_out_of_curves():
    history = [
        {"epoch": 1, "bleu": 20.0, "decode_seconds": 2.0, "learn_seconds": "soon"},
        {"epoch": "two", "bleu": 21.0},
        {"epoch": 3, "bleu": None, "kept_features": float("nan")},
        {"epoch": 4, "bleu": 10**400, "decode_seconds": [1]},
        {"bleu": 22.0},
    ]
    figures = {figure.name: figure for figure in learning_figures([SystemPart("x", history=history)])}
    assert set(figures) == {"learning-bleu", "learning-seconds"}
    assert "20 in epoch 1, 22 in epoch 5" in figures["learning-bleu"].description
    assert "2 in epoch 1, 2 in epoch 1" in figures["learning-seconds"].description
