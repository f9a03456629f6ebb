"""HOLS: conditioning, the two synthetic features, folds that hide a sentence from itself, and the whole learner."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic.base import DemoticError
from demotic.base.run import Run
from demotic.cluster import executor
from demotic.corpus.embedded import EmbeddedOptions, write
from demotic.corpus.splits import folds
from demotic.decode import TranslationModel
from demotic.features import FeatureIndex, Weights
from demotic.learn import (
    Example,
    HolsLearner,
    HolsOptions,
    LearnSettings,
    Tuned,
    TuningTask,
    read_examples,
    soft_ramp3,
    training_examples,
)
from demotic.learn.batch.basis import Basis
from demotic.learn.batch.line_search import ClimbOptions
from demotic.learn.batch.mert import ListCorpus
from demotic.learn.fitting.feature_split import FeatureSplit
from demotic.learn.fitting.fold_models import train_fold_models
from demotic.learn.hols.data_split import divide
from demotic.learn.hols.gradient_work import GradientSum, GradientWork
from demotic.learn.hols.hols_fitting import HolsFitting
from demotic.learn.hols.step_search import StepSearch
from demotic.learn.options import CandidateOptions, LeaveOutOptions
from demotic.learn.workers.candidates import Candidates
from demotic.learn.workers.decoding import DecodingContext, Recipe
from demotic.learn.workers.epoch_statistics import EpochStatistics
from demotic.learn.workers.shards import make_blocks
from demotic.pipeline.train import train
from demotic.pipeline.train_options import TrainInput, TrainOptions
from demotic.report.history import read_history
from demotic.report.learning import minutes
from demotic.report.parts import SystemPart
from learn.fitting import run_learner
from learn.lists import list_of
from learn.toy_pool import toy_pool
from small_model import QUICK_ALIGNER

SMALL: dict[str, Any] = {
    "k": 20,
    "search_k": 15,
    "start_sentences": 6,
    "start_iterations": 2,
    "search_sentences": 10,
    "search_iterations": 2,
    "final_iterations": 2,
    "restarts": 0,
    "directions": 2,
}


# --- the gradient ------------------------------------------------------------------------------------------------------------


def test_conditioning_by_hand():
    index = FeatureIndex()
    total = GradientSum.empty(index)
    for rows, metric in (([(1, 0), (0, 0)], [1.0, 0.5]), ([(1, 2), (0, 0)], [0.2, 0.4])):
        kbest, _ = list_of(rows, index)
        kbest.rate(np.array(metric), 1.0)
        total.add_list(kbest, cost=1.0)
    # All scores are 0, so hope and fear are softmaxes of -cost and cost; fear less hope is - tanh(half the difference of costs).
    first, second = -np.tanh(0.25), np.tanh(0.1)
    conditioned = total.conditioned()
    assert conditioned.get("A") == pytest.approx((first + second) / 2)  # in both lists
    assert conditioned.get("B") == pytest.approx(2 * second)  # in the second only
    assert total.lists.get("Same") == 2
    assert conditioned.get("Same") == 0


def test_sums_travel_and_add_up():
    other_index = FeatureIndex()
    kbest, _ = list_of([(1, 0), (0, 3), (2, 2)], other_index)
    part = GradientSum.empty(other_index)
    kbest.rate(np.array([0.1, 0.9, 0.4]), 1.0)
    part.add_list(kbest, cost=20.0)
    total = GradientSum.empty(FeatureIndex())
    for _ in range(3):
        total.add(part.message())
    for name in ("A", "B"):
        assert total.gradient.get(name) == pytest.approx(3 * part.gradient.get(name))
        assert total.conditioned().get(name) == pytest.approx(part.conditioned().get(name))
    assert total.statistics.loss == pytest.approx(3 * part.statistics.loss)


def test_gradient_of_a_corpus_against_finite_differences(model: TranslationModel):
    """The lists are those of the starting weights; the loss over them is differentiated numerically."""
    options, weights = CandidateOptions(k=30), model.weights.pack()
    task = TuningTask(model.folder, ("id",), training_examples(model, 6))
    (block,) = make_blocks(task, 10, LeaveOutOptions(), 1)
    context = DecodingContext(Recipe(model.folder, ("id",)))
    total = GradientSum.empty(FeatureIndex())
    total.add(GradientWork(block, options, "nakov", 20.0, 1, 1).run(context, weights))
    own = Weights.unpack(weights)
    decoder = context.decoder(own, block)
    lists = []
    for example in block.examples:
        kbest = Candidates(options, "nakov").rated(example, decoder.decode(example), 1, EpochStatistics())
        lists.append((kbest, 20.0 * (1 - kbest.metric)))
    own.grow()

    def loss(values: np.ndarray) -> float:
        return sum(
            soft_ramp3(kbest, costs, kbest.to_scipy(len(values)) @ values)[0] for kbest, costs in lists
        )

    sparse = [name for name in total.gradient.to_dict() if ":" in name]
    names = ["LanguageModel", *sorted(sparse, key=lambda name: -abs(total.gradient.get(name)))[:6]]
    for name in names:
        step = np.zeros(len(own.values))
        step[own.index.find(name)] = 1e-5
        numeric = (loss(own.values + step) - loss(own.values - step)) / 2e-5
        assert total.gradient.get(name) == pytest.approx(numeric, rel=1e-4, abs=1e-6)


# --- the synthetic features --------------------------------------------------------------------------------------------------


@given(st.integers(0, 1000))
@settings(max_examples=25, deadline=None)
def test_folding_in_changes_nothing(seed: int):
    """1-best and BLEU with (f1, f2) are those of the weights that have w1 ws + alpha g folded in."""
    pool, rng = toy_pool(seed=seed % 5), np.random.default_rng(seed)
    sparse = [Weights.from_dict({"id:noise|x": float(value), "good": 7.0}) for value in rng.normal(size=2)]
    basis = Basis(["bad", "good"], sparse)
    point = rng.normal(size=4)
    features = basis.features(pool)
    folded = basis.weights(point, pool.index)
    assert np.allclose(features @ point, pool.scores(folded))
    assert ListCorpus(features, pool).score(point) == pytest.approx(pool.bleu(folded) / 100)
    assert np.allclose(
        basis.weights(basis.point(folded, basis.coefficients(folded)), pool.index).values, folded.values
    )


def test_the_first_update_has_no_f1_and_steps_against_the_gradient():
    pool = toy_pool()
    # The loss rises with the weight of what makes translations bad, and falls with that of what makes them good.
    gradient = Weights.from_dict({"bad": 1.0, "good": -0.5})
    search = StepSearch(ClimbOptions(), Weights.from_dict({}), gradient, FeatureSplit(sparse=("bad", "good")))
    assert len(search.basis(pool).sparse) == 1
    found = search.optimize(pool, Weights(pool.index), 1, 0)
    alpha = found.report["alpha"]
    assert alpha < 0
    assert (found.weights.get("bad"), found.weights.get("good")) == (alpha, -0.5 * alpha)
    assert found.report["searched_objective"] == pytest.approx(
        100 * ListCorpus(pool.dense(["good"]), pool).score(np.ones(1))
    )
    assert found.report["outermost"] == 1  # nothing in the lists speaks against a larger step


def test_later_updates_scale_what_was_learnt():
    pool = toy_pool()
    before = Weights.from_dict({"good": 0.1, "id:noise|x": 1.0})
    search = StepSearch(ClimbOptions(), before, Weights.from_dict({"id:noise|x": 1.0}))
    found = search.optimize(pool, Weights.unpack(before.pack(), pool.index), 1, 0)
    assert found.weights.get("id:noise|x") == pytest.approx(found.report["w1"] + found.report["alpha"])
    assert pool.bleu(found.weights) == pytest.approx(found.report["searched_objective"])


def test_any_split():
    split = FeatureSplit(dense=("Shape:*",), sparse=("Phrase*",))
    assert [split.is_dense(name) for name in ("Shape:X", "id:a|b", "PhraseEgivenF", "LanguageModel")] == [
        True,
        False,
        False,
        True,
    ]
    index = FeatureIndex()
    for name in ("id:a|b", "Shape:X", "LanguageModel", "PhraseEgivenF"):
        index.intern(name)
    assert split.dense_names(index) == ["LanguageModel", "Shape:X"]
    assert FeatureSplit().dense_names(index) == ["LanguageModel", "PhraseEgivenF"]


# --- folds -------------------------------------------------------------------------------------------------------------------


@given(st.integers(10, 200), st.integers(2, 6), st.integers(1, 3), st.integers(0, 10**6))
@settings(max_examples=50, deadline=None)
def test_gradients_and_line_searches_share_no_sentence(size: int, n: int, parts: int, seed: int):
    examples = [Example("a", ("b",), number) for number in range(size)]
    task = TuningTask(Path(), (), examples)
    sizes = {"n": n, "parts": parts, "search_sentences": 20, "start_sentences": 5, "seed": seed}
    data = divide(task, size, held_in=False, **sizes)
    gradient = {example.number for part in data.gradient for example in part}
    search = {example.number for example in data.search}
    assert not gradient & search
    assert {example.number for example in data.start_examples} <= search
    assert len(gradient) == sum(map(len, data.gradient))
    held_in = divide(task, size, held_in=True, **sizes)
    assert held_in.search == data.search
    assert sum(map(len, held_in.gradient)) == size


def test_a_sentence_is_never_decoded_with_what_saw_it(tmp_path: Path):
    """A pair with words that are nowhere else: whoever knows their translation has seen it."""
    write(tmp_path, EmbeddedOptions(train=60, dev=4, devtest=4, test=4))
    for side, line in (("de", "ein blaupunkt schläft"), ("en", "a quokka sleeps")):
        with open(tmp_path / f"train.{side}", "a", encoding="utf-8") as file:
            file.write(line + "\n")
    options = TrainOptions(align=QUICK_ALIGNER, learner="none")
    train(TrainInput(tmp_path / "train.de", tmp_path / "train.en"), tmp_path / "model", options)
    model = TranslationModel(tmp_path / "model")
    examples = training_examples(model)
    planted = next(example for example in examples if "blaupunkt" in example.source.split())
    chosen = HolsOptions(folds=3, lm_folds=3)
    with Run(tmp_path / "run") as run, executor("local", 1) as workers:
        lms = train_fold_models(model, 3, LearnSettings(run, workers))
    context = DecodingContext(Recipe(model.folder, (), lms))
    known = Weights.unpack(model.weights.pack())
    blocks = make_blocks(TuningTask(model.folder, (), examples), 20, chosen, 1)
    (own,) = [block for block in blocks if planted in block.examples]
    best = context.decoder(known, own).decode(planted).viterbi()
    assert "blaupunkt" in best.sentence(0)  # passed through: no rule has it
    features = dict(zip(map(known.index.name, best.features.tolist()), best.values.tolist(), strict=True))
    assert features["LanguageModel_OOV"] != 0
    fold_of = folds(len(model.index), 3, 1)
    other = next(i for i in range(len(model.index)) if fold_of[i] != fold_of[planted.number])
    elsewhere = replace(planted, number=other)  # the same words, as if they stood in another fold
    assert "quokka" in context.decoder(known, own).decode(elsewhere).viterbi().sentence(0)


# --- the learner -------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def task(model: TranslationModel, corpus: Path) -> TuningTask:
    dev = read_examples(corpus / "dev.de", [corpus / "dev.en"], model.preprocessor)[:8]
    held_out = read_examples(corpus / "devtest.de", [corpus / "devtest.en"], model.preprocessor)[:5]
    return TuningTask(model.folder, ("id",), training_examples(model, 60), held_out, dev=dev)


def fit(task: TuningTask, folder: Path, workers: int = 2, **options: Any) -> Tuned:
    return run_learner(HolsLearner(HolsOptions(**{**SMALL, **options})), task, folder, workers)


@pytest.fixture(scope="module")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("hols")


@pytest.fixture(scope="module")
def whole(task: TuningTask, run_folder: Path) -> Tuned:
    """Two passes and four updates that nobody disturbed."""
    return fit(task, run_folder, passes=2, updates=4)


def test_rows(whole: Tuned):
    assert [row["epoch"] for row in whole.history] == [1, 2, 3, 4, 5]
    assert whole.history[0]["w1"] == 0  # there is nothing to scale yet
    assert any(row["alpha"] != 0 for row in whole.history[:-1])
    assert all("held_out_bleu" in row for row in whole.history)
    assert any(":" in name for name in Weights.unpack(whole.weights).to_dict())


def test_every_update_says_what_it_cost(task: TuningTask, whole: Tuned, run_folder: Path):
    """The report adds these up to minutes; a run that finds everything done costs nothing, and the report keeps the first figures."""
    clocks = ("decode_seconds", "learn_seconds")
    assert all(row[clock] > 0 for row in whole.history for clock in clocks)
    again = fit(task, run_folder, passes=2, updates=4)
    assert not any(clock in row for row in again.history for clock in clocks)
    known = read_history(run_folder)
    assert known == whole.history  # and not those of a line search inside
    time = minutes(SystemPart("hols", history=known))
    assert time == pytest.approx(sum(row[clock] for row in whole.history for clock in clocks) / 60)


def test_the_number_of_workers_changes_nothing(task: TuningTask, whole: Tuned, tmp_path: Path):
    assert fit(task, tmp_path, workers=1, passes=2, updates=4).vectors == whole.vectors


def test_killed_and_started_again(
    task: TuningTask, whole: Tuned, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    class Killed(Exception):
        pass

    search = HolsFitting.search

    def dies(self: Any, update: int, *rest: Any) -> Any:
        if update == 3:
            raise Killed
        return search(self, update, *rest)

    with monkeypatch.context() as patch:
        patch.setattr(HolsFitting, "search", dies)
        with pytest.raises(Killed):
            fit(task, tmp_path, passes=2, updates=4)
    decoded: list[int] = []
    gradients = HolsFitting._gradient_work
    monkeypatch.setattr(
        HolsFitting,
        "_gradient_work",
        lambda self, update, *rest: decoded.append(update) or gradients(self, update, *rest),
    )
    assert fit(task, tmp_path, passes=2, updates=4).vectors == whole.vectors
    assert decoded == [4]


@pytest.mark.parametrize(
    "options",
    [{"held_in": True}, {"leave_out": "none", "lm_folds": 0}, {"condition": False}, {"start": "model"}],
)
def test_ablations_are_options(task: TuningTask, whole: Tuned, tmp_path: Path, options: dict[str, Any]):
    tuned = fit(replace(task, held_out=(), examples=task.examples[:30]), tmp_path, **options)
    assert len(tuned.history) == 2
    assert tuned.weights != whole.weights


def test_on_other_sentences(corpus: Path, model: TranslationModel, tmp_path: Path):
    """Sentences that no grammar has seen need no folds; without a dev set the last line search has the last word."""
    examples = read_examples(corpus / "dev.de", [corpus / "dev.en"], model.preprocessor)
    tuned = fit(TuningTask(model.folder, ("id",), examples), tmp_path, folds=4, lm_folds=4)
    assert [row["epoch"] for row in tuned.history] == [1]


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"passes": 2, "updates": 3}, "multiple of passes"),
        ({"cost": 0.0}, "cost must be positive"),
        ({"search_sentences": 0}, "search_sentences must be at least 1"),
        ({"final_iterations": 0}, "iterations must be at least 1"),
        ({"leave_out": "shard"}, "hols has no shards"),
    ],
)
def test_options_that_make_no_sense(options: dict[str, Any], complaint: str):
    with pytest.raises(DemoticError, match=complaint):
        HolsOptions(**options)


def test_fewer_sentences_than_folds(task: TuningTask, tmp_path: Path):
    with pytest.raises(DemoticError, match="too few sentences for 5 folds"):
        fit(replace(task, examples=task.examples[:3]), tmp_path)


def test_a_gradient_of_zero(task: TuningTask, tmp_path: Path):
    with pytest.raises(DemoticError, match="the gradient is 0"):
        fit(replace(task, templates=()), tmp_path, start="model")
