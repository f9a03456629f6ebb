"""Learning weights of words where rules meet."""

from __future__ import annotations

from pathlib import Path

import pytest

from demotic.decode import TranslationModel
from demotic.features import Weights
from demotic.learn import Tuned, TuningTask, make_learner, training_examples
from learn.fitting import run_learner


@pytest.fixture(scope="module")
def border_task(model: TranslationModel) -> TuningTask:
    return TuningTask(model.folder, ("tgt_border",), training_examples(model, 8, seed=3))


def fitted(task: TuningTask, folder: Path, workers: int, learner: str, **options: object) -> Tuned:
    return run_learner(make_learner(learner, dict(options)), task, folder, workers)


def test_workers_and_kept_hypergraphs(border_task: TuningTask, tmp_path: Path):
    """Hypergraphs of the first epoch are packed and rescored in the second."""
    options = {"epochs": 2, "shards": 2, "k": 30, "start": "model", "redecode_every": 0}
    one, two = (fitted(border_task, tmp_path / str(w), w, "itermix", **options) for w in (1, 2))
    assert one.weights == two.weights
    learnt = [name for name, _ in Weights.unpack(one.weights).items() if name.startswith("tgt_border:")]
    assert (
        len(learnt) > 10 and any("<s>_" in name for name in learnt) and any("</s>" in name for name in learnt)
    )


def test_the_reference_gains_on_its_rivals(border_task: TuningTask, tmp_path: Path):
    tuned = fitted(border_task, tmp_path, 1, "perceptron", epochs=6, k=30, start="model", learn="sparse")
    metric = [row["metric"] for row in tuned.history]
    assert max(metric[1:]) > metric[0]
