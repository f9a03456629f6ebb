"""What every online learner must do, whatever its rule: shards, templates, training data, reports on the way."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import sacrebleu

from demotic.base import DemoticError
from demotic.cluster import executor
from demotic.decode import TranslationModel
from demotic.features import Weights
from demotic.learn import Tuned, TuningTask, read_examples, training_examples
from demotic.learn.fitting.held_out import translate
from demotic.learn.registry import LEARNERS, make_learner
from demotic.learn.workers.decoding import DecodingJob, Recipe
from learn.fitting import run_learner

NAMES = ["mira", "softramp3", "onlinexbleu", "rampion", "svm"]
Fit = Callable[..., Tuned]


@pytest.fixture(scope="module")
def task(model: TranslationModel, corpus: Path) -> TuningTask:
    dev = read_examples(corpus / "dev.de", [corpus / "dev.en"], model.preprocessor)[:4]
    templates = ("id", "src_ngram", "shape")
    return TuningTask(model.folder, templates, training_examples(model, 12, seed=3), watched={"dev": dev})


@pytest.fixture
def fit(task: TuningTask, fit_learner: Fit) -> Fit:
    def fit(name: str, workers: int = 2, folder: str = "", seed: int = 1, **options: object) -> Tuned:
        learner = make_learner(name, {"k": 20, "epochs": 2, **options})
        return fit_learner(learner, task, workers, folder, seed)

    return fit


@pytest.mark.parametrize("name", NAMES)
def test_learns_sparse_features_on_training_data(fit: Fit, name: str):
    tuned = fit(name)
    names = Weights.unpack(tuned.weights).to_dict()
    assert {name.partition(":")[0] for name in names if ":" in name} == {"id", "src_ngram", "shape"}
    assert [row["epoch"] for row in tuned.history] == [1, 2]
    for row in tuned.history:
        assert row["updates"] > 0 and row["loss"] > 0 and 0 <= row["skipped"] < 12
        assert 0 < row["train_bleu"] < 100 and 0 < row["dev_bleu"] < 100


@pytest.mark.parametrize("name", NAMES)
def test_shards_are_mixed_and_workers_change_nothing(fit: Fit, name: str):
    results = {fit(name, workers, shards=3, epochs=1).weights for workers in (1, 3)}
    assert len(results) == 1 and results != {fit(name, epochs=1).weights}


@pytest.mark.parametrize("name", NAMES)
def test_samples_depend_on_the_seed(fit: Fit, name: str):
    drawn = [fit(name, seed=seed, epochs=1, candidates="samples").weights for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]


@pytest.mark.parametrize("name", [*NAMES, "perceptron"])
def test_hope_and_fear_of_the_hypergraph_are_candidates(fit: Fit, name: str):
    results = {fit(name, workers, epochs=1, candidates="hope_fear", shards=2).weights for workers in (1, 2)}
    assert len(results) == 1 and results != {fit(name, epochs=1, shards=2).weights}


@pytest.mark.parametrize("name", ["mira", "svm"])
def test_dense_weights_only(fit: Fit, name: str):
    assert not any(":" in feature for feature in Weights.unpack(fit(name, learn="dense").weights).to_dict())


def test_reports_on_the_way_do_not_change_the_way(fit: Fit):
    """In one shard the next stretch goes on where the last one ended."""
    options = {"average": False, "l2": 0.0, "step": 0.05}
    whole = fit("svm", epochs=1, **options)
    reported = fit("svm", epochs=1, report_every=5, **options)
    ends = [Weights.unpack(tuned.weights).to_dict() for tuned in (whole, reported)]
    assert ends[0] == pytest.approx(ends[1])
    assert [row["sentences"] for row in reported.history] == [4, 4, 4]
    assert reported.history[-1]["dev_bleu"] == whole.history[-1]["dev_bleu"]
    assert len({row["dev_bleu"] for row in reported.history}) > 1
    assert [row["epoch"] for row in reported.history] == [1, 1, 1] and reported.epoch == 1


def test_a_stretch_that_was_learnt_is_not_learnt_again(fit: Fit):
    first = fit("softramp3", report_every=6, folder="same")
    again = fit("softramp3", report_every=6, folder="same")
    assert first.weights == again.weights
    assert "decode_seconds" in first.history[-1] and "decode_seconds" not in again.history[-1]


def test_shards_that_never_meet_cannot_report(fit: Fit):
    with pytest.raises(DemoticError, match="report_every cannot be used with `mix`"):
        fit("mix", report_every=5)


def test_all_of_them_are_registered():
    assert set(NAMES) <= set(LEARNERS)


@pytest.mark.parametrize("name", [*NAMES, "perceptron", "l1", "pro"])
def test_a_corpus_metric_ranks_hypotheses_and_chooses_the_epoch(
    model: TranslationModel, corpus: Path, tmp_path: Path, name: str
):
    """chrF of the held-out sentences is reported beside BLEU, and decides."""
    dev = read_examples(corpus / "dev.de", [corpus / "dev.en"], model.preprocessor)[:8]
    task = TuningTask(model.folder, (), dev[:5], dev[5:])
    length = {"iterations": 2} if name == "pro" else {"epochs": 2}
    more = {"strengths": [0.01]} if name == "l1" else {}
    tuned = {}
    for metric in ("chrf", "bleu+1"):
        learner = make_learner(name, {"k": 20, "metric": metric, **length, **more})
        tuned[metric] = run_learner(learner, task, tmp_path / metric)
    found = tuned["chrf"]
    assert found.weights != tuned["bleu+1"].weights
    assert all(row["held_out_chrf"] == row["held_out_objective"] > 0 for row in found.history)
    assert found.quality == max(row["held_out_chrf"] for row in found.history)
    assert not any("held_out_chrf" in row for row in tuned["bleu+1"].history)
    references = [[example.references[0] for example in task.held_out]]
    with executor("local", 2) as workers:
        outputs = translate(workers, DecodingJob(Recipe(model.folder, ())), task.held_out, found.weights)
    assert found.quality == pytest.approx(sacrebleu.CHRF().corpus_score(outputs, references).score)


@pytest.mark.parametrize("name", [*NAMES, "perceptron", "l1", "pro", "oscar", "hols"])
def test_unknown_metrics_are_refused(name: str):
    with pytest.raises(DemoticError, match="no sentence metric is called 'crhf'"):
        make_learner(name, {"metric": "crhf"})
