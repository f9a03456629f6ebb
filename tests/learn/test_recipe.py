"""The recipe: MERT, AdaGrad on training pairs, MERT again, and the choice between them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import sacrebleu

from demotic.base import DemoticError
from demotic.base.run import Run
from demotic.cluster import executor
from demotic.decode import (
    Decoder,
    MbrOptions,
    TranslateOptions,
    TranslationModel,
    minimum_bayes_risk,
)
from demotic.features import TemplateSet, Weights
from demotic.learn import LearnSettings, Tuned, TuningTask, read_examples, training_examples
from demotic.learn.recipe.recipe_fitting import set_aside
from demotic.learn.recipe.recipe_learner import TEMPLATES
from demotic.learn.registry import make_learner
from demotic.pipeline.tune import TuneInput, make_task
from learn.killing import killed_at

MERT = {"k": 10, "iterations": 1, "restarts": 0, "directions": 2}
OPTIONS: dict[str, Any] = {
    "lm_folds": 2,
    "held_out": 4,
    "first": MERT,
    "adagrad": {"k": 10, "epochs": 2, "shards": 2, "redecode_every": 0},
    "last": {**MERT, "start": "model", "factors": "template"},
}
Fit = Callable[..., Tuned]


@pytest.fixture(scope="module")
def task(model: TranslationModel, corpus: Path) -> TuningTask:
    dev = read_examples(corpus / "dev.de", [corpus / "dev.en"], model.preprocessor)[:6]
    return TuningTask(model.folder, ("word_pair", "shape"), training_examples(model, 20), dev=dev)


@pytest.fixture
def fit(task: TuningTask, tmp_path: Path) -> Fit:
    runs = iter(range(100))

    def fit(workers: int = 2, folder: str = "", task: TuningTask = task, **options: Any) -> Tuned:
        learner = make_learner("recipe", {**OPTIONS, **options})
        with Run(tmp_path / (folder or f"run{next(runs)}")) as run, executor("local", workers) as where:
            return learner.fit(task, LearnSettings(run, where, 1))

    return fit


@pytest.fixture(scope="module")
def whole(task: TuningTask, tmp_path_factory: pytest.TempPathFactory) -> Tuned:
    """A run that nobody disturbed."""
    with Run(tmp_path_factory.mktemp("recipe")) as run, executor("local", 2) as where:
        return make_learner("recipe", OPTIONS).fit(task, LearnSettings(run, where, 1))


def test_the_best_step_on_pairs_set_aside_is_kept(whole: Tuned):
    assert [row["step"] for row in whole.history] == ["mert", "adagrad", "last mert"]
    scores = [row["held_out_bleu"] for row in whole.history]
    assert whole.epoch == scores.index(max(scores)) + 1
    kept, changed = (
        Weights.unpack(each).to_dict() for each in (whole.vectors[whole.epoch - 1], whole.weights)
    )
    assert {**kept, "WordPenalty": 0} == {**changed, "WordPenalty": 0}
    sparse = [sum(":" in name for name in Weights.unpack(each).to_dict()) for each in whole.vectors]
    assert sparse[0] == 0 < sparse[1] == sparse[2]


def test_the_last_mert_scales_templates(whole: Tuned):
    before, after = (Weights.unpack(whole.vectors[i]).to_dict() for i in (1, 2))
    for template in ("word_pair:", "shape:"):
        names = [name for name in before if name.startswith(template)]
        factors = [after[name] / before[name] for name in names]
        assert len(names) > 1 and factors == pytest.approx([factors[0]] * len(factors))


def test_pairs_set_aside_are_translated_as_if_they_were_not_there(
    whole: Tuned, task: TuningTask, model: TranslationModel
):
    # With one fold of the language model less to compare with: the model's own, without folds.
    learner_task = replace(task, initial_weights=model.weights.pack())
    options = {**OPTIONS, "lm_folds": 0}
    _, chosen = set_aside(task.examples, OPTIONS["held_out"])
    outputs = []
    for example in chosen:
        graph = model.decoder.decode(example.source, exclude=example.number)
        outputs.append(" ".join(graph.viterbi().sentence(0)))
    expected = sacrebleu.corpus_bleu(
        outputs, [[example.references[0] for example in chosen]], tokenize="none", force=True
    ).score
    learner = make_learner("recipe", options)
    with Run(model.folder.parent / "recipe-exclude") as run, executor("local", 1) as where:
        history = learner.fit(learner_task, LearnSettings(run, where, 1)).history
    assert history[0]["step"] == "start"  # weights were given: no first MERT
    assert history[0]["held_out_bleu"] == pytest.approx(expected)


def test_the_way_of_choosing_is_that_of_best_bleu_on_pairs_set_aside(
    fit: Fit, whole: Tuned, task: TuningTask, model: TranslationModel
):
    """BLEU of each way against a decoder that leaves the pair out, with other word penalties, and sacrebleu."""
    tuned = fit(lm_folds=0, mbr_scales=[3.0, 30.0], penalties=[0.0, 0.05])
    row = tuned.history[tuned.epoch - 1]
    start = Weights.unpack(tuned.vectors[tuned.epoch - 1])
    _, chosen = set_aside(task.examples, OPTIONS["held_out"])
    references = [[example.references[0] for example in chosen]]
    decoder = Decoder(model.lm, start, model.index, TemplateSet(task.templates), model.options.decode)
    graphs = [decoder.decode(example.source, exclude=example.number) for example in chosen]
    start.grow()
    scores = {}
    for scale, penalty in product((None, 3.0, 30.0), (0.0, 0.05)):
        own = Weights(start.index, start.values.copy())
        own.set("WordPenalty", own.get("WordPenalty") + penalty * start.dense_length())
        outputs = []
        for graph in (each.rescore(own) for each in graphs):
            mbr = MbrOptions("consensus", scale / own.dense_length()) if scale else None
            best = minimum_bayes_risk(graph, mbr) if mbr else graph.viterbi()
            outputs.append(" ".join(best.sentence(0)))
        score = sacrebleu.corpus_bleu(outputs, references, tokenize="none", force=True).score
        scores[scale, penalty] = (score, own)
    found = row["chosen"]
    scale = None if found["mbr"] == "none" else found["mbr_scale"]
    score, own = scores[scale, found["penalty"]]
    assert row["chosen_bleu"] == pytest.approx(score) == max(each for each, _ in scores.values())
    assert tuned.translate == (TranslateOptions("consensus", scale) if scale else TranslateOptions())
    assert Weights.unpack(tuned.weights).to_dict() == pytest.approx(own.to_dict())


def test_consensus_and_other_lengths_can_be_left_out(fit: Fit):
    tuned = fit(mbr_scales=[], penalties=[])
    assert tuned.translate == TranslateOptions() and tuned.weights == tuned.vectors[tuned.epoch - 1]


@pytest.mark.parametrize("workers", [1, 3])
def test_the_number_of_workers_changes_nothing(fit: Fit, whole: Tuned, workers: int):
    again = fit(workers)
    assert (again.vectors, again.translate) == (whole.vectors, whole.translate)


@pytest.mark.parametrize("stage", ["epoch002", "set_aside.adagrad", "choice"])
def test_killed_and_resumed(fit: Fit, whole: Tuned, stage: str, monkeypatch: pytest.MonkeyPatch):
    with killed_at(stage, monkeypatch):
        fit(folder="same")
    assert fit(folder="same").vectors == whole.vectors


def test_what_is_set_aside(task: TuningTask):
    learnt, chosen = set_aside(task.examples, 3)
    assert len(chosen) == 3 and len(learnt) == len(task.examples) - 3
    assert sorted([*learnt, *chosen], key=task.examples.index) == list(task.examples)
    assert len(set_aside(task.examples, 1000)[1]) == len(task.examples) // 5
    with pytest.raises(DemoticError, match="at least 5 training pairs"):
        set_aside(task.examples[:4], 1)


def test_what_is_missing_is_said(fit: Fit, task: TuningTask):
    with pytest.raises(DemoticError, match="dev set"):
        fit(task=replace(task, dev=()))
    with pytest.raises(DemoticError, match="no sparse features"):
        fit(task=replace(task, templates=()))


@pytest.mark.parametrize(("asked", "found"), [(None, TEMPLATES), (("shape",), ("shape",))])
def test_it_brings_templates(model: TranslationModel, asked: tuple[str, ...] | None, found: tuple[str, ...]):
    files = TuneInput(model.folder, on_train=True, sentences=5, templates=asked)
    assert make_task(files, make_learner("recipe", {}), 1, model).templates == found
    assert make_task(files, make_learner("adagrad", {}), 1, model).templates == (asked or ())
