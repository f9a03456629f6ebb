"""The loop of batch learners: it ends with the same bytes wherever and however it runs, and says what goes wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from demotic.base import DemoticError
from demotic.base.errors import DemoticWarning
from demotic.cluster import executor
from demotic.decode import TranslationModel
from demotic.evaluate import BLEU
from demotic.features import Weights
from demotic.learn import (
    BatchLearner,
    BatchOptions,
    Example,
    KBestPool,
    MertOptions,
    Optimum,
    ProOptions,
    Tuned,
    TuningTask,
    read_examples,
    training_examples,
)
from demotic.learn.batch import list_fitting
from demotic.learn.batch.batch_fitting import initial_weights
from demotic.learn.fitting import held_out
from demotic.learn.fitting.degenerate import complaints
from demotic.learn.fitting.held_out import held_out_figures
from demotic.learn.workers.decoding import DecodingJob, Recipe
from learn.fitting import run_learner
from learn.killing import killed_at

TEMPLATES = ("id", "shape")
PRO: dict[str, Any] = {"k": 15, "iterations": 3, "interpolation": 0.5, "samples": 500}
Fit = Callable[..., Tuned]


@dataclass(frozen=True)
class FixedOptions(BatchOptions):
    """Weights as if from an optimiser, one after the other."""

    words: tuple[float, ...] = ()  # WordPenalty in each iteration

    def optimizer(self) -> FixedOptions:
        return self

    def optimize(self, pool: KBestPool, weights: Weights, seed: int, iteration: int) -> Optimum:
        other = Weights(pool.index)
        if self.words[iteration]:
            other.set("LanguageModel", 1.0)
            other.set("WordPenalty", self.words[iteration])
        return Optimum(other, {"pool": len(pool)})


@pytest.fixture(scope="module")
def task(model: TranslationModel, corpus: Path) -> TuningTask:
    examples = read_examples(corpus / "dev.de", [corpus / "dev.en"], model.preprocessor)[:8]
    held_out = read_examples(corpus / "devtest.de", [corpus / "devtest.en"], model.preprocessor)[:5]
    return TuningTask(model.folder, TEMPLATES, examples, held_out)


@pytest.fixture(scope="module")
def whole(task: TuningTask, tmp_path_factory: pytest.TempPathFactory) -> Tuned:
    """A run that nobody disturbed."""
    return run_learner(BatchLearner("test", ProOptions(**PRO)), task, tmp_path_factory.mktemp("whole"))


@pytest.fixture
def fit(task: TuningTask, fit_learner: Fit) -> Fit:
    def fit(
        options: BatchOptions | None = None,
        workers: int = 2,
        folder: str = "",
        seed: int = 1,
        task: TuningTask = task,
        **pro: Any,
    ) -> Tuned:
        learner = BatchLearner("test", options or ProOptions(**{**PRO, **pro}))
        return fit_learner(learner, task, workers, folder, seed)

    return fit


def test_the_number_of_workers_changes_nothing(fit: Fit, whole: Tuned):
    assert fit(workers=1).vectors == fit(workers=5).vectors == whole.vectors


def test_rows_tell_what_the_weights_do(whole: Tuned, task: TuningTask):
    tuned = whole
    assert [row["epoch"] for row in tuned.history] == [1, 2, 3]
    assert (
        tuned.history[0]["hypotheses"] + tuned.history[0]["new_hypotheses"] == tuned.history[1]["hypotheses"]
    )
    job = DecodingJob(Recipe(task.model, task.templates))
    with executor("local", 2) as workers:
        for row, vector in zip(tuned.history, tuned.vectors, strict=True):
            for figure, examples in [("bleu", task.examples), ("held_out_bleu", task.held_out)]:
                found = held_out_figures(workers, job, examples, vector, BLEU)
                assert row[figure] == pytest.approx(found["bleu"])
    assert tuned.epoch == 1 + int(np.argmax([row["held_out_bleu"] for row in tuned.history]))
    assert tuned.weights == tuned.vectors[tuned.epoch - 1]


def test_words_of_held_out_translations_may_have_no_break_spaces(
    task: TuningTask, monkeypatch: pytest.MonkeyPatch
):
    line = "we have seen the New\u00a0York"
    monkeypatch.setattr(held_out, "translate", lambda *_: [line])
    job = DecodingJob(Recipe(task.model, task.templates))
    with executor("local", 1) as workers:
        found = held_out_figures(workers, job, [Example("x", (line,))], Weights.from_dict({}).pack(), BLEU)
    assert found["bleu"] == pytest.approx(100)


def test_without_held_out_sentences_the_own_bleu_decides(fit: Fit, task: TuningTask):
    tuned = fit(task=TuningTask(task.model, task.templates, task.examples))
    assert "held_out_bleu" not in tuned.history[0]
    assert tuned.epoch == 1 + int(np.argmax([row["bleu"] for row in tuned.history]))


@pytest.mark.parametrize("stage", ["lists000", "weights001", "decoded001", "lists002"])
def test_killed_and_resumed(fit: Fit, whole: Tuned, stage: str, monkeypatch: pytest.MonkeyPatch):
    with killed_at(stage, monkeypatch):
        fit(folder="broken")
    again = fit(folder="broken")
    assert again.weights == whole.weights and again.vectors == whole.vectors


def test_a_run_that_has_ended_neither_decodes_nor_optimises(
    fit: Fit, whole: Tuned, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    fit(folder="same")
    monkeypatch.setattr(list_fitting, "KBestWork", None)
    monkeypatch.setattr(KBestPool, "add", None)
    again = fit(folder="same")
    assert again.weights == whole.weights and "learn_seconds" not in again.history[-1]
    assert not list((tmp_path / "same").glob("lists*"))


def test_more_iterations_go_on_where_fewer_ended(fit: Fit, whole: Tuned):
    fit(iterations=1, folder="same")
    going_on = fit(iterations=3, folder="same")
    assert "learn_seconds" not in going_on.history[0] and "learn_seconds" in going_on.history[1]
    assert going_on.vectors == whole.vectors


def test_the_seed_matters_for_samples(fit: Fit):
    results = [fit(candidates="samples", iterations=1, seed=seed).weights for seed in (1, 1, 2)]
    assert results[0] == results[1] != results[2]


def test_on_training_data(fit: Fit, model: TranslationModel):
    task = TuningTask(model.folder, TEMPLATES, training_examples(model, 8, seed=3))
    usual = fit(task=task, iterations=1).weights
    folds = [fit(task=task, iterations=1, leave_out="fold", folds=2, workers=w).weights for w in (1, 3)]
    assert folds[0] == folds[1] != usual


def test_random_starts(model: TranslationModel):
    task = TuningTask(model.folder, (), [])
    first, again, other = (initial_weights(task, model, "random", seed).to_dict() for seed in (1, 1, 2))
    assert first == again != other and len(first) == 12
    assert {"LanguageModel", "EgivenFCoherent", "PassThrough"} <= set(first)
    many = [value for seed in range(200) for value in initial_weights(task, model, "random", seed).values]
    assert abs(np.mean(many)) < 0.1 and np.std(many) == pytest.approx(1, abs=0.1)


def test_it_stops_when_nothing_changes(fit: Fit):
    still = fit(FixedOptions(k=5, iterations=5, words=(-1.0, -3.0, -3.0, -2.0, -1.0)))
    assert len(still.history) == 3
    known = fit(FixedOptions(k=5, iterations=5, words=(-1.0, -3.0, -1.0, -2.0, -1.0)))
    assert len(known.history) == 3 and known.history[-1]["new_hypotheses"] == 0
    patient = fit(FixedOptions(k=5, iterations=5, patience=1, words=(-1.0, 30.0, -2.0, -1.0, -1.0)))
    assert len(patient.history) == 2 and patient.epoch == 1


def test_degenerate_weights_are_reported(fit: Fit):
    with pytest.warns(DemoticWarning, match="iteration 1: all weights are zero"):
        tuned = fit(FixedOptions(k=5, iterations=1, words=(0.0,)))
    assert "all weights are zero" in tuned.history[0]["degenerate"]


def test_references_too_short_for_bleu_are_told(fit: Fit, task: TuningTask, recwarn: pytest.WarningsRecorder):
    def warnings_with(options: BatchOptions, reference: str) -> list[str]:
        recwarn.clear()
        examples = [Example(each.source, (reference,)) for each in task.examples[:2]]
        fit(options, task=TuningTask(task.model, task.templates, examples))
        return [str(each.message) for each in recwarn if "no reference has 4 words" in str(each.message)]

    quick: dict[str, Any] = {"k": 5, "iterations": 1, "restarts": 0, "directions": 0}
    [told] = warnings_with(MertOptions(**quick), "the old house")
    assert "--set metric=chrf" in told
    assert not warnings_with(MertOptions(**quick), "the old house here")
    assert not warnings_with(MertOptions(**quick, metric="chrf"), "the old house")


def test_complaints():
    fine, large, none = (Weights.from_dict({"Glue": value}) for value in (1.0, 2e6, 0.0))
    assert complaints(fine, fine, 1.0) == complaints(fine, none, 1.0) == []
    assert "explode: the largest is 2e+06" in complaints(large, large, 1.0)[0]
    assert "grew from 1 to 5e+03" in complaints(Weights.from_dict({"Glue": 5e3}), fine, 1.0)[0]
    assert "2.50 times" in complaints(fine, fine, 2.5)[0]
    assert len(complaints(none, fine, 0.1)) == 2


def test_one_sentence_and_an_empty_one(fit: Fit, task: TuningTask):
    one = TuningTask(task.model, task.templates, task.examples[:1])
    assert fit(task=one, iterations=1).history[0]["bleu"] >= 0
    with_empty = TuningTask(task.model, task.templates, [Example("", ("",)), *task.examples[:2]])
    assert fit(task=with_empty, iterations=1).history[0]["bleu"] > 0
    with pytest.raises(DemoticError, match="differ enough"):
        fit(task=TuningTask(task.model, task.templates, [Example("", ("",))]), iterations=1)


def test_bad_options():
    with pytest.raises(DemoticError, match="needs an online learner"):
        ProOptions(leave_out="shard")
    with pytest.raises(DemoticError, match="iterations must be at least 1"):
        ProOptions(iterations=0)


class Clocked:
    """A fitting whose steps take known times; None: found done before."""

    def __init__(self, decode: list[float | None], learn: list[float | None]) -> None:
        self.initial_weights = Weights.from_dict({"LanguageModel": 1.0}).pack()
        self._decode, self._learn = decode, learn

    def decode(self, t: int, weights: bytes) -> dict[str, Any]:
        spent = self._decode[t]
        return {"bleu": 10.0 + t, **({} if spent is None else {"decode_seconds": spent})}

    def optimize(self, t: int, initial: bytes) -> tuple[bytes, dict[str, Any]]:
        spent = self._learn[t - 1]
        weights = Weights.from_dict({"LanguageModel": 1.0 + t}).pack()
        return weights, {} if spent is None else {"learn_seconds": spent}

    def judge(self, row: dict[str, Any], weights: bytes, previous: bytes) -> dict[str, Any]:
        return row

    def clear(self, iterations: int) -> None:
        pass


def test_the_first_iteration_pays_for_the_lists_it_begins_with():
    def seconds(decode: list[float | None], learn: list[float | None]) -> list[tuple[Any, Any]]:
        learner = BatchLearner("test", ProOptions(iterations=2), lambda *_: Clocked(decode, learn))  # type: ignore[arg-type,return-value]
        rows = learner.fit(None, None).history  # type: ignore[arg-type]
        return [(row.get("decode_seconds"), row.get("learn_seconds")) for row in rows]

    assert seconds([8.0, 4.0, 2.0], [1.0, 0.5]) == [(12.0, 1.0), (2.0, 0.5)]
    assert seconds([None, None, 2.0], [None, 0.5]) == [(None, None), (2.0, 0.5)]  # resumed
