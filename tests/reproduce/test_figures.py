"""Figures of `demotic reproduce` on a tiny corpus."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from statistics import fmean

import pytest

from demotic.reproduce import CorpusFolder
from tiny_experiment import BLEU, experiment, run

pytestmark = pytest.mark.usefixtures("quick_figures")


def test_figures(corpus_folder: CorpusFolder, out: Path, tmp_path: Path):
    curve = experiment(
        tmp_path,
        BLEU
        + '[[rows]]\nid = "m"\nhidden = true\nlearner = "mert"\n[[rows]]\nid = "s"\nlearner = "svm"\non = "train"\nstart = "m"\nwatch = ["dev", "test"]\n',
    )
    result, cells = run(replace(curve, kind="curve", name="curve"), corpus_folder, out)
    assert {"train/last", "dev/last", "test/last"} <= set(cells)
    assert (out / "curve-full" / "curve.png").exists() and (out / "curve-full" / "curve.svg").exists()
    boxes = experiment(tmp_path, BLEU + '[[rows]]\nid = "m"\nlearner = "mert"\nreplicas = 2\n')
    _, cells = run(replace(boxes, kind="boxes", name="boxes"), corpus_folder, out)
    assert cells["m/runs"] == "2" and (out / "boxes-full" / "boxes.svg").exists()
    effect = replace(
        boxes, kind="effect", name="effect", columns=(), figure={"rules": 1, "points": 3, "k": 5}
    )
    result, _ = run(effect, corpus_folder, out)
    frequent, once = result.data["frequent"][0], result.data["once"][0]
    assert frequent["lists"] >= once["lists"] == 1 and len(once["bleu"]) == 3
    assert frequent["weights"] == [-2.0, 0.0, 2.0] and once["weights"] == [-10.0, 0.0, 10.0]


def test_weights_over_bins(corpus_folder: CorpusFolder, out: Path, tmp_path: Path):
    text = BLEU + '[figure.plots]\nb = "ProbEgivenF"\nz = "ProbEgivenF"\n'
    for row, start in (("b", ""), ("z", ",start=zero")):
        text += f'[[rows]]\nid = "{row}"\nlearner = "pro"\ndiscretize = "bits=2,input=p{start}"\n'
    tiny = replace(experiment(tmp_path, text), kind="bins", name="bins")
    tiny = replace(tiny, base=replace(tiny.base, grammar=replace(tiny.base.grammar, features="clark8")))
    result, cells = run(tiny, corpus_folder, out)
    assert cells["b/bins"] == "4" and (out / "bins-full" / "bins-ProbEgivenF.png").exists()
    curves = result.data["curves"]
    assert [row["low"] for row in curves["b"]["bins"]] == sorted(row["low"] for row in curves["b"]["bins"])
    assert (cells["b/start"], cells["z/start"]) == ("linear", "zero")
    assert len(set(curves["b"]["start"])) == 4 and curves["z"]["start"] == [0.0] * 4
    learnt = {row: [each["weight"] for each in curves[row]["bins"]] for row in curves}
    assert float(cells["b/r start"]) == pytest.approx(pearson(curves["b"]["start"], learnt["b"]), abs=0.005)
    assert cells["z/r start"] == "–"  # all begin at 0
    both = f"the curves of b and z correlate {pearson(learnt['b'], learnt['z']):.2f}"
    assert any(both in note for note in result.notes)


def pearson(a: list[float], b: list[float]) -> float:
    means = sum(a) / len(a), sum(b) / len(b)
    x, y = [value - means[0] for value in a], [value - means[1] for value in b]
    return (
        sum(i * j for i, j in zip(x, y, strict=True)) / (sum(i * i for i in x) * sum(j * j for j in y)) ** 0.5
    )


MINUTES = """
[[columns]]
title = "size"
[[columns]]
title = "test"
value = "bleu"
[figure]
by_minutes = "size"
baseline = "m"
[[rows]]
id = "m"
learner = "mert"
replicas = 2
labels = { size = "none" }
"""


def test_bleu_against_minutes(corpus_folder: CorpusFolder, out: Path, tmp_path: Path):
    """A line has the rows of its label, in the order of their minutes; the baseline is not on a line."""
    text = MINUTES
    for name, epochs, label in (("a", 3, "one"), ("b", 1, "one"), ("c", 1, "two")):
        text += f'[[rows]]\nid = "{name}"\nlearner = "perceptron"\nstart = "m"\noptions = {{ start = "model", epochs = {epochs} }}\n'
        text += f'labels = {{ size = "{label}" }}\n'
    result, _ = run(replace(experiment(tmp_path, text), name="minutes"), corpus_folder, out)
    (figure,) = result.figures
    found = {
        each["row"]: (fmean(each["cpu_minutes"]), fmean(each["bleu"]["test"]))
        for each in result.data["systems"]
    }
    one = sorted((found["a"], found["b"]))
    assert figure.description == "; ".join(
        [
            "one: " + ", ".join(f"{bleu:.2f} after {minutes:.1f}" for minutes, bleu in one),
            f"two: {found['c'][1]:.2f} after {found['c'][0]:.1f}",
        ]
    )
    assert (out / "minutes-full" / "minutes-minutes.png").exists()
