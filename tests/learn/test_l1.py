"""L1 ranking: the cumulative penalty against the paper's loop, and the learner as a whole."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from demotic.base import DemoticError
from demotic.base.run import Run
from demotic.cluster import executor
from demotic.decode import TranslationModel
from demotic.features import Weights
from demotic.learn import (
    L1Learner,
    L1Options,
    LearnSettings,
    Tuned,
    TuningTask,
    read_examples,
    training_examples,
)
from demotic.learn.fitting import fold_models
from demotic.learn.online.l1 import CumulativePenalty
from demotic.lm import train_folds
from learn import reference

SIZE = 3
STEPS = st.lists(
    st.tuples(
        st.dictionaries(st.integers(0, SIZE - 1), st.integers(-8, 8).map(lambda n: n / 8)),
        st.sampled_from([0.0, 0.05, 0.1, 0.5]),
    ),
    max_size=12,
)


@given(STEPS)
def test_paying_late_is_paying_at_once(steps: list[tuple[dict[int, float], float]]):
    """Figure 2 of the paper applies the penalty to the features of a sample; eagerly it is applied to all of them."""
    w, u, q = [0.0] * SIZE, 0.0, [0.0] * SIZE
    lazy, weights = CumulativePenalty(), np.zeros(SIZE)
    last = np.arange(SIZE, dtype=np.uint32)
    for step, (gradient, amount) in enumerate(steps):
        u += amount
        for i in range(SIZE):
            w[i] += gradient.get(i, 0.0)
            z = w[i]
            if w[i] > 0:
                w[i] = max(0.0, w[i] - (u + q[i]))
            elif w[i] < 0:
                w[i] = min(0.0, w[i] + (u - q[i]))
            q[i] += w[i] - z
        for i, change in gradient.items():
            weights[i] += change
        # The others pay when they are touched, or at the end.
        touched = last if step == len(steps) - 1 else np.array(sorted(gradient), dtype=np.uint32)
        late = set(range(SIZE)) - {int(i) for i in touched}
        lazy.apply(weights, touched, amount)
        assert [weights[i] for i in touched] == pytest.approx([w[i] for i in touched])
        assert all(abs(weights[i]) >= abs(w[i]) - 1e-12 for i in late)


def test_who_could_not_pay_owes_on():
    penalty, weights = CumulativePenalty(), np.zeros(1)
    one = np.zeros(1, dtype=np.uint32)
    for _ in range(10):
        penalty.apply(weights, one, 0.1)
    weights[0] = 0.9
    penalty.apply(weights, one, 0.1)
    assert weights[0] == 0.0  # clipping would have taken 0.1 only
    weights[0] = 0.9
    penalty.apply(weights, one, 0.0)
    assert weights[0] == pytest.approx(0.7)


@pytest.fixture(scope="module")
def task(model: TranslationModel, corpus: Path) -> TuningTask:
    examples = read_examples(corpus / "dev.de", [corpus / "dev.en"], model.preprocessor)[:8]
    held_out = read_examples(corpus / "devtest.de", [corpus / "devtest.en"], model.preprocessor)[:5]
    return TuningTask(model.folder, ("id", "shape"), examples, held_out)


def fit(task: TuningTask, folder: Path, **options: Any) -> tuple[Tuned, list[Any]]:
    learner = L1Learner(L1Options(**{"k": reference.K, "epochs": 2, "learning_rate": 0.01, **options}))
    rows: list[Any] = []
    with Run(folder) as run, executor("local", 2) as workers:
        return learner.fit(task, LearnSettings(run, workers, 1, rows.append)), rows


def test_stronger_penalties_leave_fewer_features_and_the_best_is_chosen(task: TuningTask, tmp_path: Path):
    tuned, rows = fit(task, tmp_path, strengths=(0.0, 0.02, 0.4))
    assert [row["strength"] for row in rows] == [0.4, 0.4, 0.02, 0.02, 0.0, 0.0]
    kept = [row["kept_features"] for row in rows[1::2]]
    assert kept[0] < kept[1] < kept[2]
    best = max(rows, key=lambda row: row["held_out_bleu"])
    assert tuned.bleu == best["held_out_bleu"] and tuned.epoch == best["epoch"]
    assert tuned.history == [row for row in rows if row["strength"] == best["strength"]]
    assert len(Weights.unpack(tuned.weights)) == best["kept_features"]


def test_the_strength_0_is_the_perceptron(task: TuningTask, tmp_path: Path, model: TranslationModel):
    tuned, _ = fit(
        task, tmp_path, strengths=(0.0,), epochs=1, pairs="multipartite", metric="liang", threshold=0.0
    )
    expected = reference.epoch(model, task.templates, task.examples, {}, 0.01, 1.0)
    assert Weights.unpack(tuned.weights).to_dict() == pytest.approx(
        {name: value for name, value in expected.items() if value}
    )


@pytest.mark.parametrize("pairs", [{"pairs": "multipartite", "threshold": 0.0}, {"pairs_kept": 7}])
def test_the_strength_is_per_pair(task: TuningTask, tmp_path: Path, pairs: dict[str, Any]):
    """After one list the penalty is a threshold of rate x strength x pairs, whatever the number of pairs."""
    one = replace(task, examples=task.examples[:1])
    free, _ = fit(one, tmp_path / "free", strengths=(0.0,), epochs=1, **pairs)
    paid, _ = fit(one, tmp_path / "paid", strengths=(0.003,), epochs=1, **pairs)
    owed = 0.01 * 0.003 * free.history[0]["pairs"]
    before = Weights.unpack(free.weights).to_dict()
    expected = {name: np.sign(w) * max(0.0, abs(w) - owed) for name, w in before.items()}
    kept = {name: w for name, w in expected.items() if w}
    assert Weights.unpack(paid.weights).to_dict() == pytest.approx(kept)
    assert 0 < len(kept) <= len(before) and free.history[0]["pairs"] > 1


def test_fold_models_are_trained_once_for_all_strengths(
    model: TranslationModel, task: TuningTask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    trained: list[Path] = []

    def counting(text: Path, fold_of: Any, options: Any, folder: Path, **more: Any) -> Any:
        trained.append(folder)
        return train_folds(text, fold_of, options, folder, **more)

    monkeypatch.setattr(fold_models, "train_folds", counting)
    on_train = replace(task, examples=training_examples(model, 8, seed=3))
    _, rows = fit(on_train, tmp_path, strengths=(0.0, 0.01, 0.1), epochs=1, lm_folds=2)
    assert len(rows) == 3 and len(trained) == 1


def test_weights_that_may_not_change_pay_nothing(task: TuningTask, tmp_path: Path, model: TranslationModel):
    tuned, _ = fit(task, tmp_path, strengths=(0.4,), epochs=1, learn="sparse", start="model")
    found = Weights.unpack(tuned.weights)
    dense = {name: value for name, value in found.items() if ":" not in name}
    assert dense == model.weights.to_dict()


def test_bad_options(task: TuningTask, tmp_path: Path):
    with pytest.raises(DemoticError, match="strengths"):
        L1Options(strengths=())
    with pytest.raises(DemoticError, match="strengths"):
        L1Options(strengths=(-1.0,))
    with pytest.raises(DemoticError, match="needs a held-out set"):
        fit(TuningTask(task.model, (), task.examples), tmp_path)
