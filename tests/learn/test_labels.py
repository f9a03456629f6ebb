"""Learning and translating with labels of sentences."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from demotic.base import DemoticError
from demotic.base.errors import DemoticWarning
from demotic.cluster import executor
from demotic.decode import TranslationModel
from demotic.features import TemplateSet, Weights, known_labels
from demotic.learn import Example, TuningTask, labelled, make_learner, training_examples
from demotic.learn.fitting.keys import examples_digest
from demotic.learn.workers.decoding import Recipe
from demotic.learn.workers.shards import Shard
from demotic.pipeline.tune import TuneInput, make_task, tune
from learn.fitting import run_learner

SOURCE = "die frau trägt einen roten mantel ."
TEMPLATES = ("id", "id@label")


def test_a_label_adds_the_weights_of_its_features(model: TranslationModel):
    decoder = model.decoder.with_weights(Weights.from_dict(model.weights.to_dict()))
    decoder.templates = TemplateSet(TEMPLATES)
    plain = decoder.decode(SOURCE).viterbi()
    used = [plain.index.name(id_) for id_ in plain.row(0)[0].tolist()]
    names = [name for name in used if name.startswith("id:")]
    for name in names:
        decoder.weights.set(f"{name}<@news>", 0.25)
    labelled_best = decoder.with_label("news").decode(SOURCE).viterbi()
    assert labelled_best.sentence(0) == plain.sentence(0)
    counts = dict(zip(used, plain.row(0)[1].tolist(), strict=True))
    gain = 0.25 * sum(counts[name] for name in names)
    assert gain > 0 and labelled_best.scores[0] == pytest.approx(plain.scores[0] + gain, abs=1e-4)
    assert decoder.with_label("sport").decode(SOURCE).viterbi().scores[0] == pytest.approx(plain.scores[0])
    assert decoder.label == "" and decoder.with_label("") is decoder


def test_two_labels_learn_two_translations(model: TranslationModel, tmp_path: Path):
    lists = model.decoder.decode(SOURCE).kbest(12, unique=True)
    wanted = {"news": " ".join(lists.sentence(3)), "sport": " ".join(lists.sentence(8))}
    examples = [Example(SOURCE, (text,), label=label) for label, text in wanted.items()] * 3
    task = TuningTask(model.folder, TEMPLATES, examples)
    last = {"scale": 0, "epoch_average": False}  # large steps, and the weights that they end with
    learner = make_learner("maxviolation", {"epochs": 8, "learning_rate": 0.2, "learn": "sparse", **last})
    tuned = run_learner(learner, task, tmp_path, 1)
    weights = Weights.unpack(tuned.weights)
    assert known_labels(weights) == ["news", "sport"]
    decoder = Recipe(model.folder, TEMPLATES).load().decoder(weights, Shard(0, (), np.arange(0)))
    for example in examples[:2]:
        assert " ".join(decoder.decode(example).viterbi().sentence(0)) == example.references[0]


def test_labels_of_files(model: TranslationModel, tmp_path: Path):
    file = tmp_path / "labels"
    file.write_text("".join(f"part{i % 3}\n" for i in range(len(model.index))))
    drawn = training_examples(model, 5, seed=2)
    found = labelled(drawn, file, len(model.index))
    assert [example.label for example in found] == [f"part{(example.number or 0) % 3}" for example in drawn]
    assert labelled(drawn, None, len(model.index)) == drawn
    assert examples_digest(found) != examples_digest(drawn)
    with pytest.raises(DemoticError, match=f"expected 5 labels .got {len(model.index)}."):
        labelled([Example("a", ("b",))] * 5, file, len(model.index))
    file.write_text("a\n")
    with pytest.raises(DemoticError, match=r"expected .* labels .got 1."):
        labelled(drawn, file, len(model.index))


def test_tuning_and_translating_with_labels(model: TranslationModel, tmp_path: Path):
    (tmp_path / "labels").write_text("news\n" * len(model.index))
    files = TuneInput(
        model.folder, on_train=True, sentences=6, templates=TEMPLATES, labels=tmp_path / "labels"
    )
    learner = make_learner("perceptron", {"epochs": 1, "k": 20})
    with executor("local", 1) as workers:
        tune(files, learner, tmp_path / "out", workers)
    loaded = TranslationModel(tmp_path / "out")
    assert loaded.options.features.templates == TEMPLATES and known_labels(loaded.weights) == ["news"]
    text = "Die Frau trägt einen roten Mantel."
    plain, news = (next(m.kbest([text], 1)) for m in (loaded, loaded.with_label("news")))
    assert plain.scores[0] != pytest.approx(news.scores[0])
    with pytest.warns(
        DemoticWarning, match="no feature with the label 'new' has a weight; labels of the model: news"
    ):
        loaded.with_label("new")
    with pytest.raises(DemoticError, match="no features of labels"):
        model.with_label("news")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"on_train": True, "templates": ("id@label",)}, "'id@label' needs labels"),
        ({"on_train": True, "templates": ("id",), "labels": "labels"}, "no template uses the labels"),
        ({"source": "s", "templates": ("id@label",), "dev_labels": "l"}, "--dev-labels needs --on-train"),
        (
            {"on_train": True, "templates": ("id@label",), "labels": "l", "held_out_source": "s"},
            "'id@label' needs labels",
        ),
    ],
)
def test_labels_and_templates_go_together(model: TranslationModel, options, message: str):
    with pytest.raises(DemoticError, match=message):
        make_task(TuneInput(model.folder, **options), make_learner("perceptron", {}), 1, model)
