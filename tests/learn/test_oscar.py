"""OSCAR as a whole: groups from training data, weights from a dev set; groups with other learners."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from demotic.base import DemoticError
from demotic.cluster import executor
from demotic.decode import TranslationModel
from demotic.evaluate import BLEU
from demotic.features import FeatureGroups, Weights
from demotic.learn import (
    OscarLearner,
    OscarOptions,
    ProOptions,
    Tuned,
    TuningTask,
    read_examples,
    training_examples,
)
from demotic.learn.fitting.held_out import held_out_figures, translate
from demotic.learn.oscar import oscar_fitting
from demotic.learn.oscar.grouping import group_features
from demotic.learn.registry import make_learner
from demotic.learn.workers.decoding import DecodingJob, Recipe
from demotic.pipeline.tune import TuneInput, tune
from demotic.pipeline.usage import feature_usage
from learn.fitting import run_learner
from learn.killing import killed_at

PRO = ProOptions(k=15, iterations=2, interpolation=0.5, samples=500)
OSCAR: dict[str, Any] = {"k": 15, "iterations": 2, "samples": 500, "passes": 5, "lambda2": 1e-8, "pro": PRO}
Fit = Callable[..., Tuned]


@pytest.fixture(scope="module")
def task(model: TranslationModel, corpus: Path) -> TuningTask:
    dev = read_examples(corpus / "dev.de", [corpus / "dev.en"], model.preprocessor)[:8]
    held_out = read_examples(corpus / "devtest.de", [corpus / "devtest.en"], model.preprocessor)[:5]
    return TuningTask(model.folder, ("id", "shape"), training_examples(model, 45), held_out, dev=dev)


@pytest.fixture
def fit(task: TuningTask, fit_learner: Fit) -> Fit:
    def fit(workers: int = 2, folder: str = "", task: TuningTask = task, **options: Any) -> Tuned:
        learner = OscarLearner(OscarOptions(**{**OSCAR, **options}))
        return fit_learner(learner, task, workers, folder)

    return fit


@pytest.fixture(scope="module")
def whole(task: TuningTask, tmp_path_factory: pytest.TempPathFactory) -> Tuned:
    """A run that nobody disturbed."""
    return run_learner(OscarLearner(OscarOptions(**OSCAR)), task, tmp_path_factory.mktemp("oscar"))


def test_weights_are_those_of_groups(whole: Tuned):
    groups = FeatureGroups.from_text(whole.groups)
    row = whole.history[whole.epoch - 1]
    assert 1 < len(groups) == row["groups"] < groups.features == row["kept_features"] < row["active_features"]
    weights = Weights.unpack(whole.weights).to_dict()
    members = {name for names in groups.members() for name in names}
    assert {name for name in weights if ":" in name} <= members
    for names in groups.members():
        assert len({weights.get(name, 0.0) for name in names}) == 1
    assert any(weights.get(name) for name in members) and weights["LanguageModel"] != 0
    assert all(row[clock] > 0 for row in whole.history for clock in ("decode_seconds", "learn_seconds"))


def test_groups_and_their_members_translate_alike(whole: Tuned, task: TuningTask, tmp_path: Path):
    """The sum of a group's members times its weight is the sum of each times its own."""
    groups = FeatureGroups.from_text(whole.groups)
    groups.save(tmp_path / "groups.txt")
    plain = DecodingJob(Recipe(task.model, task.templates))
    tied = DecodingJob(Recipe(task.model, task.templates, groups=tmp_path / "groups.txt"))
    with executor("local", 2) as workers:
        lines = translate(workers, plain, task.dev, whole.weights)
        assert lines == translate(workers, tied, task.dev, groups.tie(whole.weights))
        row = whole.history[whole.epoch - 1]
        assert (
            row["held_out_bleu"]
            == held_out_figures(workers, plain, task.held_out, whole.weights, BLEU)["bleu"]
        )
        assert row["bleu"] == pytest.approx(
            held_out_figures(workers, plain, task.dev, whole.weights, BLEU)["bleu"]
        )


@pytest.mark.parametrize(
    "options", [{}, {"shards": 3, "iterations": 1}, {"leave_out": "fold", "iterations": 1}]
)
def test_the_number_of_workers_changes_nothing(fit: Fit, whole: Tuned, options: dict[str, Any]):
    one = fit(workers=1, **options)
    other = whole if not options else fit(workers=5, **options)
    assert (one.weights, one.vectors, one.groups) == (other.weights, other.vectors, other.groups)


def test_mixing_is_something_else_than_one_shard(fit: Fit):
    assert len({fit(shards=z, iterations=1).groups for z in (1, 3)}) == 2


def test_folds_do_not_divide_the_tuples(fit: Fit, monkeypatch: pytest.MonkeyPatch):
    divided = []

    def spy(tuples: Any, weights: Any, options: Any, shards: Any, *rest: Any) -> Any:
        divided.append(len(shards))
        return group_features(tuples, weights, options, shards, *rest)

    monkeypatch.setattr(oscar_fitting, "group_features", spy)
    fit(iterations=1, lm_folds=3)
    fit(iterations=1, lm_folds=3, shards=2)
    assert divided == [1, 2]


@pytest.mark.parametrize("stage", ["groups001", "weights002", "tuples002"])
def test_killed_and_resumed(fit: Fit, whole: Tuned, stage: str, monkeypatch: pytest.MonkeyPatch):
    with killed_at(stage, monkeypatch):
        fit(folder="broken", iterations=1 if stage != "tuples002" else 2)
    again = fit(folder="broken")
    assert (again.weights, again.vectors, again.groups) == (whole.weights, whole.vectors, whole.groups)


def test_tuples_are_kept_as_wished(fit: Fit, whole: Tuned):
    newest = fit(keep=1)
    first, second = (row["pairs"] for row in newest.history)
    assert [row["tuples"] for row in newest.history] == [first, second]
    assert [row["tuples"] for row in whole.history] == [first, first + whole.history[1]["pairs"]]


def test_too_strong_a_penalty_leaves_dense_features_alone(fit: Fit):
    tuned = fit(lambda2=1.0, iterations=1)
    assert tuned.groups == b"" and tuned.history[0]["groups"] == 0
    assert all(":" not in name for name, _ in Weights.unpack(tuned.weights).items())


def test_what_is_missing(fit: Fit, task: TuningTask):
    with pytest.raises(DemoticError, match="a dev set for tuning"):
        fit(task=replace(task, dev=()))
    with pytest.raises(DemoticError, match="no sparse features"):
        fit(task=replace(task, templates=()))
    for bad in (
        {"lambda1": -1.0},
        {"iterations": 0},
        {"keep": -1},
        {"leave_out": "shard"},
        {"metric": "wer"},
    ):
        with pytest.raises(DemoticError):
            OscarOptions(**bad)


@pytest.fixture(scope="module")
def grouped(model: TranslationModel, corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model with groups, by the command's own path."""
    files = TuneInput(
        model.folder, corpus / "dev.de", [corpus / "dev.en"], on_train=True, sentences=40, templates=("id",)
    )
    values = {"iterations": 1, "k": 15, "lambda2": 1e-8, "pro": {"k": 15, "iterations": 1}}
    out = tmp_path_factory.mktemp("grouped")
    with executor("local", 2) as workers:
        tune(files, make_learner("oscar", values), out, workers)
    return out


@pytest.mark.parametrize(
    ("learner", "values"),
    [
        ("perceptron", {"epochs": 1, "k": 15, "start": "model"}),
        ("mert", {"iterations": 1, "k": 15}),
        ("pro", {"iterations": 1, "k": 15}),
    ],
)
def test_any_learner_tunes_groups(
    grouped: Path, corpus: Path, tmp_path: Path, learner: str, values: dict[str, Any]
):
    files = TuneInput(grouped, corpus / "dev.de", [corpus / "dev.en"])
    with executor("local", 2) as workers:
        tuned = tune(files, make_learner(learner, values), tmp_path, workers)
        assert (tmp_path / "groups.txt").read_bytes() == (grouped / "groups.txt").read_bytes()
        weights = TranslationModel(tmp_path).weights
        assert weights.to_dict() == Weights.unpack(tuned.weights).to_dict()
        for names in FeatureGroups.load(grouped).members():
            assert len({weights.get(name) for name in names}) == 1
        alone = replace(files, groups="none")
        tune(alone, make_learner(learner, values), tmp_path / "alone", workers)
    assert not (tmp_path / "alone" / "groups.txt").exists()
    if learner != "mert":  # which scales sparse weights as a whole
        assert any(
            len({TranslationModel(tmp_path / "alone").weights.get(name) for name in names}) > 1
            for names in FeatureGroups.load(grouped).members()
        )


def test_groups_of_unknown_features(grouped: Path, model: TranslationModel, corpus: Path, tmp_path: Path):
    files = TuneInput(model.folder, corpus / "dev.de", [corpus / "dev.en"], templates=("shape",))
    with executor("local", 1) as workers:
        for groups, message in (
            (str(grouped), "no template produces it"),
            (str(model.folder), "has no groups.txt"),
        ):
            with pytest.raises(DemoticError, match=message):
                tune(replace(files, groups=groups), make_learner("pro", {}), tmp_path / "out", workers)
        with pytest.raises(DemoticError, match="its own groups"):
            tune(replace(files, groups=str(grouped)), make_learner("oscar", {}), tmp_path / "out", workers)


def test_active_and_reused_features(grouped: Path, model: TranslationModel, corpus: Path):
    lines = (corpus / "test.de").read_text("utf-8").splitlines()
    dense = feature_usage(model, lines, k=20)
    assert dense.active == len(model.weights) >= dense.reused > 5 and dense.features == dense.active
    usage = feature_usage(TranslationModel(grouped), lines, k=20)
    groups, weights = FeatureGroups.load(grouped), TranslationModel(grouped).weights
    active = {name for name, _ in weights.items()}
    wanted = {frozenset(names) for names in groups.members() if active & set(names)}
    lists = list(TranslationModel(grouped).kbest(lines, 20))
    assert len(lists) == usage.sentences == len(lines)
    assert usage.active == len(wanted) + sum(":" not in name for name in active)
    assert usage.features == len(active) and usage.reused <= usage.active
    assert usage.tuning_seconds > 0 and dense.tuning_seconds == 0
