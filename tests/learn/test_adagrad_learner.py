"""AdaGrad under algorithms 1, 3 and 4: what is handed on, how shards are mixed, and the same bytes always."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from demotic.decode import TranslationModel
from demotic.evaluate import References, sentence_metric
from demotic.features import TemplateSet, Weights
from demotic.learn import AdaGradOptions, Example, Tuned, TuningTask
from demotic.learn.registry import make_learner
from demotic.learn.workers.shards import make_shards
from learn import reference
from learn.conftest import TEMPLATES
from learn.killing import killed_at

OPTIONS: dict[str, object] = {"k": 20, "epochs": 2, "shards": 3, "pairs": "multipartite", "loss": "hinge"}
Fit = Callable[..., Tuned]
Vector = reference.Vector


@pytest.fixture
def fit(task: TuningTask, fit_learner: Fit) -> Fit:
    def fit(
        workers: int = 1,
        folder: str = "",
        learner: str = "adagrad",
        task: TuningTask = task,
        **options: object,
    ) -> Tuned:
        values = {**OPTIONS, **options}
        if learner != "adagrad":
            del values["loss"]
        made = make_learner(learner, values)
        return fit_learner(made, task, workers, folder)

    return fit


def naive_epoch(
    model: TranslationModel, examples: Sequence[Example], start: Vector, squares: Vector, rate: float
) -> tuple[Vector, Vector]:
    """Weights and sums of squares after one pass, without a regulariser; all by name."""
    w, squares = dict(sorted(start.items())), dict(squares)
    weights = Weights.from_dict(w)
    decoder = model.decoder.with_weights(weights)
    decoder.templates = TemplateSet(TEMPLATES)
    for example in examples:
        for name, value in w.items():
            weights.set(name, value)
        kbest = decoder.decode(example.source, exclude=example.number).kbest(20, unique=True)
        metric = sentence_metric("liang").scores(References(example.reference_words()), kbest)
        vectors = reference.rows(kbest, [weights.index.name(i) for i in range(len(weights.index))])
        gradient: Vector = {}
        for i, j in reference.pairs_of(metric):
            x = {
                name: vectors[i].get(name, 0.0) - vectors[j].get(name, 0.0)
                for name in {**vectors[i], **vectors[j]}
            }
            if sum(w.get(name, 0.0) * value for name, value in x.items()) <= 1.0:
                for name, value in x.items():
                    gradient[name] = gradient.get(name, 0.0) - value
        for name, value in gradient.items():
            if abs(value) > 1e-9:
                squares[name] = squares.get(name, 0.0) + value**2
                w[name] = w.get(name, 0.0) - rate * value / squares[name] ** 0.5
    return w, squares


@pytest.mark.parametrize("accumulate", [True, False])
def test_mixing_with_and_without_memory(
    fit: Fit, model: TranslationModel, task: TuningTask, accumulate: bool
):
    v: Vector = Weights.from_dict(dict(model.weights.items())).to_dict()
    squares: Vector = {}
    shards = make_shards(task, AdaGradOptions(shards=3), len(model.index), 1)
    for _ in range(2):
        ends = [naive_epoch(model, shard.examples, v, squares, 0.02) for shard in shards]
        v = reference.mean([w for w, _ in ends])
        squares = reference.mean([each for _, each in ends]) if accumulate else {}
    found = Weights.unpack(fit(scale=0, accumulate=accumulate).weights).to_dict()
    names = {**found, **v}
    assert len(names) > 500
    assert [found.get(name, 0.0) for name in names] == pytest.approx(
        [v.get(name, 0.0) for name in names], abs=1e-9
    )


REGULARIZED: dict[str, object] = {"l1": 0.01, "l2": 0.001, "pairs": "pro", "loss": "logistic"}


def test_the_number_of_workers_changes_nothing(fit: Fit):
    results = {fit(workers, **REGULARIZED, select="20%").weights for workers in (1, 2, 4)}
    assert len(results) == 1


def test_killed_and_resumed(fit: Fit, monkeypatch: pytest.MonkeyPatch):
    usual = fit(folder="usual", **REGULARIZED)
    with killed_at("epoch002", monkeypatch):
        fit(folder="killed", **REGULARIZED)
    assert fit(2, folder="killed", **REGULARIZED).weights == usual.weights
    assert usual.weights != fit(**REGULARIZED, accumulate=False).weights


def test_lost_hypergraphs_are_made_again_from_the_whole_state(
    fit: Fit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """The third epoch decodes from weights and sums of squares, and the fourth rescores."""
    options = {**REGULARIZED, "epochs": 4, "redecode_every": 2}
    usual = fit(folder="usual", **options)
    with killed_at("epoch004", monkeypatch):
        fit(folder="lost", **options)
    shutil.rmtree(tmp_path / "lost" / "forests")
    shutil.rmtree(tmp_path / "lost" / "messages", ignore_errors=True)
    assert fit(folder="lost", **options).weights == usual.weights


def test_a_share_of_the_features(fit: Fit):
    """As many columns as a tenth of the active features; those whose shards cancel out are selected and then have no weight."""
    some = fit(epochs=1, select="10%")
    columns = round(0.1 * some.history[0]["active_features"])
    assert some.weights == fit(epochs=1, select=columns).weights
    kept = [fit(epochs=1, select=columns + more).history[0]["kept_features"] for more in (-5, 5)]
    assert kept[0] < some.history[0]["kept_features"] < kept[1]


def test_l1_gives_fewer_features(fit: Fit):
    counts = [fit(l1=l1).history[-1]["kept_features"] for l1 in (0.0, 1.0)]
    assert counts[0] > counts[1] > 0


def test_a_cut_off_gives_fewer_features(fit: Fit):
    assert fit(min_lists=2).history[-1]["kept_features"] < fit().history[-1]["kept_features"]


@pytest.mark.parametrize("learner", ["adagrad", "itermix"])
def test_shards_by_their_sentences(
    fit: Fit, model: TranslationModel, task: TuningTask, tmp_path: Path, learner: str
):
    """Tasks of two and of ten sentences."""
    labels = ["large"] * len(model.index)
    for example in task.examples[:2]:
        labels[example.number or 0] = "small"
    (tmp_path / "labels").write_text("".join(f"{label}\n" for label in labels))
    both = {"learner": learner, "shard_by": str(tmp_path / "labels"), "epochs": 1, "start": "model"}
    small, large = (
        Weights.unpack(
            fit(task=replace(task, examples=part), learner=learner, shards=1, epochs=1, start="model").weights
        )
        for part in (task.examples[:2], task.examples[2:])
    )
    for mixing, share in (("all", 1 / 2), ("sentences", 1 / 6)):
        for name, weight in Weights.unpack(fit(**both, mixing=mixing).weights).items():
            expected = share * small.get(name) + (1 - share) * large.get(name)
            assert weight == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("learner", ["adagrad", "itermix"])
def test_an_epoch_that_ends_with_its_average(fit: Fit, task: TuningTask, learner: str):
    """The mean of what one epoch on the first sentence, on the first two, ... ends with."""
    once: dict[str, Any] = {"learner": learner, "shards": 1, "epochs": 1, "start": "model"}
    after = [
        Weights.unpack(fit(task=replace(task, examples=task.examples[:n]), **once).weights) for n in (1, 2, 3)
    ]
    averaged = fit(task=replace(task, examples=task.examples[:3]), **once, epoch_average=True)
    found = Weights.unpack(averaged.weights)
    assert averaged.history[0]["skipped"] == 0 and len(found) > 100
    for name in {**found.to_dict(), **after[-1].to_dict()}:
        assert found.get(name) == pytest.approx(np.mean([w.get(name) for w in after]), abs=1e-12)
