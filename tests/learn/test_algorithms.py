"""Algorithms 1 to 4: against the listings, and the same bytes wherever and however they run."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from demotic import _core
from demotic.base import DemoticError
from demotic.corpus.splits import folds
from demotic.decode import TranslationModel
from demotic.features import PackedWeights, Weights
from demotic.learn import (
    OnlineLearner,
    PerceptronOptions,
    Tuned,
    TuningTask,
    training_examples,
)
from demotic.learn.online.epoch import OnlineWork
from demotic.learn.workers.shards import make_shards
from dying_command import run_and_kill
from learn import reference
from learn.conftest import TEMPLATES
from learn.fitting import run_learner

OPTIONS: dict[str, object] = {"k": reference.K, "learning_rate": 0.01, "margin": 1.0}
Fit = Callable[..., Tuned]


@pytest.fixture
def fit(task: TuningTask, fit_learner: Fit) -> Fit:
    def fit(algorithm: str, workers: int = 2, folder: str = "", seed: int = 1, **options: object) -> Tuned:
        algorithm = "sgd" if algorithm == "perceptron" else algorithm
        learner = OnlineLearner("test", algorithm, PerceptronOptions(**{**OPTIONS, **options}))  # type: ignore[arg-type]
        return fit_learner(learner, task, workers, folder, seed)

    return fit


def as_dict(tuned: Tuned) -> dict[str, float]:
    return Weights.unpack(tuned.weights).to_dict()


def assert_close(tuned: Tuned, expected: reference.Vector) -> None:
    found = as_dict(tuned)
    names = {**found, **expected}
    assert [found.get(name, 0.0) for name in names] == pytest.approx(
        [expected.get(name, 0.0) for name in names]
    )


def test_algorithm_1(fit: Fit, model: TranslationModel, task: TuningTask):
    after: list[reference.Vector] = [{}]
    for _ in range(2):
        after.append(reference.epoch(model, TEMPLATES, task.examples, after[-1], 0.01, 1.0))
    tuned = fit("perceptron", epochs=2)
    assert_close(tuned, reference.mean(after[1:]))
    for vector, expected in zip(tuned.vectors, after[1:], strict=True):  # each epoch's own: what votes
        assert_close(replace(tuned, weights=vector), expected)


def shards_of(task: TuningTask, model: TranslationModel, z: int) -> list[list]:
    options = PerceptronOptions(shards=z)
    return [list(shard.examples) for shard in make_shards(task, options, len(model.index), 1)]


def test_algorithm_2(fit: Fit, model: TranslationModel, task: TuningTask):
    averages = []
    for examples in shards_of(task, model, 3):
        after: list[reference.Vector] = [{}]
        for _ in range(2):
            after.append(reference.epoch(model, TEMPLATES, examples, after[-1], 0.01, 1.0))
        averages.append(reference.mean(after[1:]))
    assert_close(fit("mix", epochs=2, shards=3), reference.mean(averages))


@pytest.mark.parametrize("k", [10_000_000, 40])
def test_algorithms_3_and_4(fit: Fit, model: TranslationModel, task: TuningTask, k: int):
    v: reference.Vector = {}
    for _ in range(2):
        ends = [reference.epoch(model, TEMPLATES, part, v, 0.01, 1.0) for part in shards_of(task, model, 3)]
        v = reference.select(ends, k)
    tuned = fit("itersel", epochs=2, shards=3, select=k)
    assert_close(tuned, v)
    if k > 1000:  # all of them
        assert fit("itermix", epochs=2, shards=3).weights == tuned.weights
    else:
        assert len(as_dict(tuned)) == k == tuned.history[-1]["kept_features"]


def test_algorithm_2_with_one_shard_is_algorithm_1(fit: Fit):
    assert fit("mix", epochs=2, shards=1).weights == fit("perceptron", epochs=2).weights


@pytest.mark.parametrize("algorithm", ["mix", "itersel"])
def test_the_number_of_workers_changes_nothing(fit: Fit, algorithm: str):
    results = {fit(algorithm, workers, epochs=2, shards=4, select=50).weights for workers in (1, 2, 5)}
    assert len(results) == 1


def test_the_seed_matters(fit: Fit):
    assert fit("itermix", epochs=1, shards=3).weights != fit("itermix", epochs=1, shards=3, seed=2).weights


def test_permuted_feature_ids_change_nothing(fit: Fit, task: TuningTask):
    """Starting weights are read with the ids in any order; what is learnt from them is the same."""
    usual = fit("perceptron", epochs=1, start="model")
    shuffled = task.model.parent / "permuted"
    shutil.copytree(task.model, shuffled, dirs_exist_ok=True)
    lines = (shuffled / "weights.txt").read_text().splitlines(keepends=True)
    (shuffled / "weights.txt").write_text("".join(reversed(lines)))
    other = TuningTask(shuffled, task.templates, task.examples)
    learner = OnlineLearner("test", "sgd", PerceptronOptions(**OPTIONS, epochs=1, start="model"))  # type: ignore[arg-type]
    assert run_learner(learner, other, shuffled / "r", 1).weights == usual.weights


def test_more_epochs_go_on_where_fewer_ended(fit: Fit):
    whole = fit("itersel", epochs=3, shards=3, select=50)
    fit("itersel", epochs=2, shards=3, select=50, folder="same")
    going_on = fit("itersel", epochs=3, shards=3, select=50, folder="same")
    assert going_on.weights == whole.weights
    assert "decode_seconds" not in going_on.history[1] and "decode_seconds" in going_on.history[2]


@pytest.mark.parametrize("leave_out", ["shard", "fold", "none"])
def test_what_is_left_out_of_the_grammar(fit: Fit, leave_out: str):
    assert (
        fit("itermix", shards=3, epochs=1, leave_out=leave_out).weights
        != fit("itermix", shards=3, epochs=1).weights
    )


def test_fold_language_models(fit: Fit):
    tuned = fit("itermix", shards=2, epochs=1, leave_out="fold", folds=2, lm_folds=2)
    other = fit("itermix", shards=2, epochs=1, leave_out="fold", folds=2)
    assert tuned.weights != other.weights


def test_samples_from_the_chart(fit: Fit):
    once = fit("perceptron", epochs=1, candidates="samples", pairs="all")
    assert once.weights == fit("perceptron", epochs=1, candidates="samples", pairs="all").weights
    assert once.weights != fit("perceptron", epochs=1, candidates="samples", pairs="all", seed=2).weights


DENSE_AND_SPARSE: dict[str, object] = {"shards": 3, "select_by": "gradient", "keep_dense": True}


@pytest.mark.parametrize(("penalty", "k"), [(0.0, 30), (0.1, 30), (0.1, 0)])
def test_gradient_based_selection(
    fit: Fit, model: TranslationModel, task: TuningTask, penalty: float, k: int
):
    v: reference.Vector = {}
    active = set(model.dense_features())
    for _ in range(3):
        ends, gradients = [], []
        for part in shards_of(task, model, 3):
            w, gradient = reference.partial_epoch(model, TEMPLATES, part, v, active, 0.01, 1.0)
            ends.append(w)
            gradients.append(gradient)
        v = reference.shrunk(ends, penalty)
        entering = {name: norm for name, norm in reference.norms(gradients).items() if norm >= penalty}
        longest = sorted(entering, key=lambda name: (-entering[name], name))
        active = {*v, *(longest[:k] if k else longest), *model.dense_features()}
    tuned = fit("itersel", epochs=3, select=k, penalty=penalty, **DENSE_AND_SPARSE)
    assert sum(":" in name for name in v) > 5
    assert_close(tuned, v)
    assert active <= {*task_features(tuned), *model.dense_features()}


def task_features(tuned: Tuned) -> set[str]:
    weights = Weights.unpack(tuned.weights)
    return {weights.index.name(i) for i in range(len(weights.index))}


def test_dense_weights_learn_in_the_first_epoch(fit: Fit):
    first = fit("itersel", epochs=1, select=30, **DENSE_AND_SPARSE)
    learnt = as_dict(first)
    assert len(learnt) > 3 and not any(":" in name for name in learnt)
    entered = {name for name in task_features(first) if ":" in name}
    assert len(entered) == 30  # active, not yet learnt
    second = as_dict(fit("itersel", epochs=2, select=30, **DENSE_AND_SPARSE))
    assert {name for name in second if ":" in name} <= entered


def test_a_large_penalty_lets_nothing_in(fit: Fit):
    options = {**DENSE_AND_SPARSE, "penalty": 1e9}
    assert not any(":" in name for name in task_features(fit("itersel", epochs=2, **options)))
    assert as_dict(fit("itersel", epochs=2, **{**options, "keep_dense": False})) == {}


def test_more_shards_than_sentences(fit: Fit):
    with pytest.raises(DemoticError, match="number of sentences, 12 \\(got 13\\)"):
        fit("mix", shards=13)


def test_folds_do_not_change_the_division(model: TranslationModel):
    """A shard may hold examples of several folds: each is decoded without its own."""
    task = TuningTask(model.folder, TEMPLATES, training_examples(model, 90, seed=3))
    without, with_folds = (
        make_shards(task, PerceptronOptions(shards=2, lm_folds=n), len(model.index), 1) for n in (0, 3)
    )
    assert [part.positions.tolist() for part in with_folds] == [part.positions.tolist() for part in without]
    fold_of = folds(len(model.index), 3, 1)
    assert all({fold_of[example.number] for example in part.examples} == {0, 1, 2} for part in with_folds)


def test_shards_by_label(task: TuningTask, model: TranslationModel, tmp_path: Path):
    labels = tmp_path / "labels"
    labels.write_text("".join(f"{'ab'[i % 2]}\n" for i in range(len(model.index))))
    options = PerceptronOptions(shard_by=str(labels))
    parts = make_shards(task, options, len(model.index), 1)
    assert [{example.number % 2 for example in part.examples} for part in parts] == [{0}, {1}]
    for wrong in ("a\n", "a\nb\n" * len(model.index)):
        labels.write_text(wrong)
        with pytest.raises(DemoticError, match=f"expected {len(model.index)} labels \\(got"):
            make_shards(task, options, len(model.index), 1)
    labels.write_text("a\n" * len(model.index))
    with pytest.raises(DemoticError, match="all 12 sentences have the label 'a'"):
        make_shards(task, options, len(model.index), 1)


def test_random_tasks_have_the_sizes_of_natural_ones(model: TranslationModel, tmp_path: Path):
    task = TuningTask(model.folder, TEMPLATES, training_examples(model, 90, seed=3))
    labels = tmp_path / "labels"
    labels.write_text("".join(f"{'abbc'[i % 4]}\n" for i in range(len(model.index))))
    natural, drawn, again, other = (
        make_shards(
            task,
            PerceptronOptions(shard_by=str(labels), random_tasks=random),
            len(model.index),
            seed,
        )
        for random, seed in ((False, 1), (True, 1), (True, 1), (True, 2))
    )
    assert [len(part.examples) for part in drawn] == [len(part.examples) for part in natural]
    assert sorted(i for part in drawn for i in part.positions) == list(range(90))
    positions = [[part.positions.tolist() for part in parts] for parts in (natural, drawn, again, other)]
    assert positions[1] == positions[2] and positions[0] != positions[1] != positions[3]


def test_shards_of_neighbours(model: TranslationModel):
    task = TuningTask(model.folder, TEMPLATES, training_examples(model, 90, seed=3)[::-1])
    parts = make_shards(task, PerceptronOptions(shard_by="order", shards=4), len(model.index), 1)
    numbers = [[example.number for example in part.examples] for part in parts]
    assert list(chain.from_iterable(numbers)) == sorted(example.number or 0 for example in task.examples)
    assert sorted(map(len, numbers)) == [22, 22, 23, 23]
    with pytest.raises(DemoticError, match="a single task"):
        make_shards(task, PerceptronOptions(shard_by="order", shards=1), len(model.index), 1)
    with pytest.raises(DemoticError, match="random_tasks needs the sizes"):
        PerceptronOptions(random_tasks=True)


@pytest.mark.parametrize("select", ["2", "two", "0%", "101%", "-1%", "nan%", -1])
def test_impossible_selections(select: int | str):
    with pytest.raises(DemoticError, match="select must be"):
        PerceptronOptions(select=select)


def test_a_share_of_the_columns():
    columns = _core.FeatureColumns()
    columns.add(Weights.from_dict({"Dense": 9.0, "id:a": 1.0, "id:b": 3.0, "id:c": 2.0, "id:d": 0.5}).pack())

    def kept(**selection: Any) -> list[str]:
        return list(Weights.unpack(PackedWeights(columns.select(_core.Selection(**selection)))).to_dict())

    assert kept(share=0.4) == ["Dense", "id:b"]
    assert kept(share=0.5, keep_dense=True) == ["Dense", "id:b", "id:c"]  # half of the sparse ones
    assert kept(share=0.001) == ["Dense"] and len(kept(share=1.0)) == 5


def test_shards_that_have_ended_are_not_learnt_again(
    fit: Fit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    usual = fit("mix", epochs=2, shards=4, workers=1)
    learn, calls = OnlineWork._learn, []

    def failing(work: OnlineWork, *rest: Any) -> Any:
        calls.append(work.shard.number)
        if len(calls) == 6:
            raise KeyboardInterrupt
        return learn(work, *rest)

    monkeypatch.setattr(OnlineWork, "_learn", failing)
    with pytest.raises(DemoticError, match="shard 3 of 4"):
        fit("mix", epochs=2, shards=4, workers=1, folder="broken")
    assert fit("mix", epochs=2, shards=4, workers=1, folder="broken").weights == usual.weights
    assert [calls.count(shard) for shard in (0, 1, 2)] == [
        2,
        2,
        4,
    ]  # two epochs each; the third was broken off
    assert not (tmp_path / "broken" / "messages").exists()


def arguments(model: Path, out: Path) -> list[str]:
    options = ["epochs=3", "shards=3", "k=20", "select=60", "learning_rate=0.01"]
    sets = [word for option in options for word in ("--set", option)]
    data = ["--on-train", "--sentences", "30", "--features", "id,shape"]
    return ["tune", str(model), "--learner", "itersel", *data, *sets, "--out", str(out)]


def tune(model: Path, out: Path, hash_seed: int) -> bytes:
    """In a process of its own, where strings have other hashes."""
    command = [sys.executable, "-m", "demotic", *arguments(model, out)]
    environment = {**os.environ, "PYTHONHASHSEED": str(hash_seed)}
    subprocess.run(command, check=True, env=environment, capture_output=True)
    return (out / "weights.txt").read_bytes()


@pytest.fixture(scope="module")
def undisturbed(model_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return tune(model_folder, tmp_path_factory.mktemp("tuned"), hash_seed=1)


@pytest.mark.parametrize("stage", ["epoch001", "epoch002"])
def test_killed_and_resumed(model_folder: Path, undisturbed: bytes, tmp_path: Path, stage: str):
    run_and_kill(arguments(model_folder, tmp_path), stage, "kept")
    assert not (tmp_path / "weights.txt").exists()
    assert tune(model_folder, tmp_path, hash_seed=2) == undisturbed
