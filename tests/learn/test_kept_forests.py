"""Hypergraphs kept across epochs: what decoding would give on the same derivations, within the space, and the same bytes always."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from demotic.base import DemoticError
from demotic.decode import TranslationModel
from demotic.features import Weights
from demotic.learn import Tuned, TuningTask
from demotic.learn.registry import make_learner
from demotic.learn.task import Example
from learn.killing import killed_at

OPTIONS: dict[str, object] = {"k": 20, "epochs": 3, "redecode_every": 0, "start": "model"}
Fit = Callable[..., Tuned]


@pytest.fixture
def fit(task: TuningTask, fit_learner: Fit) -> Fit:
    def fit(
        name: str,
        workers: int = 1,
        folder: str = "",
        task: TuningTask = task,
        **options: object,
    ) -> Tuned:
        learner = make_learner(name, {**OPTIONS, **options})
        return fit_learner(learner, task, workers, folder)

    return fit


NAMES = ["perceptron", "mix", "itermix", "itersel", "mira", "softramp3", "svm", "rampion", "l1"]


@pytest.mark.parametrize("name", NAMES)
def test_every_online_learner_rescores(fit: Fit, name: str):
    tuned = fit(name, **({"strengths": [0.01]} if name == "l1" else {}))
    assert [row.get("rescored", 0) for row in tuned.history] == [0, 12, 12]


@pytest.mark.parametrize("name", ["itermix", "mix", "mira"])
def test_rescoring_everything_is_decoding(fit: Fit, task: TuningTask, name: str):
    """With exhaustive search and whole hypergraphs, weights have no influence on what is found."""
    short = [
        Example(" ".join(example.source.split()[:4]), (" ".join(example.references[0].split()[:4]),))
        for example in task.examples
    ]
    short_task = replace(task, examples=short)
    options: dict[str, Any] = {"shards": 2, "train_pop_limit": 1_000_000, "forest_edges": 10_000_000}
    usual = fit(name, task=short_task, **{**options, "redecode_every": 1})
    kept = fit(name, task=short_task, **options)
    assert kept.history[-1]["rescored"] == len(short)
    assert Weights.unpack(kept.weights).to_dict() == pytest.approx(Weights.unpack(usual.weights).to_dict())


def test_the_first_epoch_decodes_as_usual(fit: Fit):
    assert fit("itermix", shards=2).vectors[0] == fit("itermix", shards=2, redecode_every=1).vectors[0]


def test_every_nth_epoch_decodes(fit: Fit):
    rows = fit("itermix", shards=2, epochs=5, redecode_every=2).history
    assert [row.get("rescored", 0) for row in rows] == [0, 12, 0, 12, 0]


@pytest.mark.parametrize("name", ["mix", "itersel"])
def test_the_number_of_workers_changes_nothing(fit: Fit, name: str):
    options = {"shards": 4, "select": 50, "epochs": 4, "redecode_every": 2, "shuffle": True}
    assert len({fit(name, workers, **options).weights for workers in (1, 2, 4)}) == 1


def test_parts_of_epochs_and_sentences_in_any_order(fit: Fit):
    options = {"shards": 2, "shuffle": True, "report_every": 5}
    results = [fit("itermix", workers, **options) for workers in (1, 2)]
    assert results[0].weights == results[1].weights
    assert [row.get("rescored", 0) for row in results[0].history] == [0, 0, 0, 4, 4, 4, 4, 4, 4]


def test_lost_files_of_parts_of_epochs_are_made_again(
    fit: Fit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    options = {"shards": 2, "shuffle": True, "report_every": 5, "epochs": 2}
    whole = fit("itermix", **options)
    with killed_at("epoch002.2", monkeypatch):
        fit("itermix", folder="killed", **options)
    shutil.rmtree(tmp_path / "killed" / "forests")
    shutil.rmtree(tmp_path / "killed" / "messages")
    assert fit("itermix", folder="killed", **options).weights == whole.weights


def remove(file: Path) -> None:
    file.unlink()


def truncate(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-100])


def flip_a_bit(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 4
    file.write_bytes(content)


def take_that_of_another_shard(file: Path) -> None:
    file.write_bytes(max(file.parent.glob("*.forests")).read_bytes())


def remove_everything(file: Path) -> None:
    shutil.rmtree(file.parent)


DAMAGES = [remove, truncate, flip_a_bit, take_that_of_another_shard, remove_everything]


@pytest.mark.parametrize("damage", DAMAGES)
def test_lost_files_are_made_again(
    fit: Fit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: Callable[[Path], None]
):
    whole = fit("itermix", shards=2)
    with killed_at("epoch002", monkeypatch):
        fit("itermix", shards=2, folder="killed")
    damage(tmp_path / "killed" / "forests" / "00000.0.forests")
    shutil.rmtree(tmp_path / "killed" / "messages")  # answers of epoch 2
    assert fit("itermix", shards=2, folder="killed").weights == whole.weights


@pytest.mark.parametrize("stage", ["epoch001", "epoch002", "epoch003"])
def test_killed_and_resumed(fit: Fit, monkeypatch: pytest.MonkeyPatch, stage: str):
    options = {"shards": 2, "redecode_every": 2}
    whole = fit("itermix", **options)
    with killed_at(stage, monkeypatch):
        fit("itermix", folder="killed", **options)
    assert fit("itermix", folder="killed", **options).weights == whole.weights


def test_more_epochs_go_on_where_fewer_ended(fit: Fit):
    fit("itermix", shards=2, epochs=1, folder="same")
    fit("itermix", shards=2, epochs=2, folder="same")
    assert fit("itermix", shards=2, folder="same").weights == fit("itermix", shards=2).weights


def test_nothing_is_left_on_disk(fit: Fit, tmp_path: Path):
    fit("itermix", shards=2, folder="done")
    assert not (tmp_path / "done" / "forests").exists()


def test_the_disk_space_is_bounded_and_other_sentences_are_decoded(
    fit: Fit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def kept_bytes(folder: str, **options: object) -> int:
        with killed_at("epoch002", monkeypatch):
            fit("itermix", folder=folder, shards=3, **options)
        return sum(file.stat().st_size for file in (tmp_path / folder / "forests").glob("*.forests"))

    everything = kept_bytes("all")
    half = everything / 2 / 1e9
    assert 0.5 * everything / 2 < kept_bytes("half", forest_gb=half) <= everything / 2
    results = [fit("itermix", workers, shards=3, forest_gb=half) for workers in (1, 3)]
    assert results[0].weights == results[1].weights
    assert 0 < results[0].history[1]["rescored"] == results[0].history[2]["rescored"] < 12
    nothing = fit("itermix", shards=3, forest_gb=0)
    assert nothing.weights == fit("itermix", shards=3, redecode_every=1).weights


def test_fewer_edges_take_less_space(fit: Fit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    sizes = []
    for edges in (10, 100, 1000):
        with killed_at("epoch001", monkeypatch):
            fit("perceptron", folder=f"edges{edges}", forest_edges=edges)
        sizes.append((tmp_path / f"edges{edges}" / "forests" / "00000.0.forests").stat().st_size)
    assert sizes == sorted(sizes) and sizes[0] < sizes[1] / 2 < sizes[2] / 4


@pytest.mark.parametrize(("name", "same", "other"), [("pop_limit", 200, 2), ("scan_limit", 2048, 1)])
def test_search_for_learning_alone(fit: Fit, model: TranslationModel, name: str, same: int, other: int):
    usual = fit("itermix", shards=2, epochs=1)
    assert same in (model.options.decode.pop_limit, model.options.grammar.scan_limit)
    assert fit("itermix", shards=2, epochs=1, **{f"train_{name}": same}).weights == usual.weights
    assert fit("itermix", shards=2, epochs=1, **{f"train_{name}": other}).weights != usual.weights


def test_the_search_of_learning_does_not_translate(task: TuningTask, fit: Fit):
    """Held-out sentences are decoded as the model says."""
    watched = replace(task, held_out=task.examples[:4])
    few = fit("itermix", shards=2, epochs=1, learning_rate=1e-9, train_pop_limit=1, task=watched)
    usual = fit("itermix", shards=2, epochs=1, learning_rate=1e-9, task=watched)
    assert few.history[0]["held_out_bleu"] == usual.history[0]["held_out_bleu"]
    assert few.history[0]["train_bleu"] != usual.history[0]["train_bleu"]


@pytest.mark.parametrize(
    "values",
    [
        {"redecode_every": -1},
        {"forest_edges": 0},
        {"forest_gb": -1},
        {"train_pop_limit": -1},
        {"train_lazy_corners": -0.5},
        {"train_scan_limit": -1},
    ],
)
def test_impossible_values(values: dict[str, object]):
    (name,) = values
    with pytest.raises(DemoticError, match=f"{name} must be at least"):
        make_learner("itermix", values)
