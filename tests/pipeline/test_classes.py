"""Word classes in models: made by train, classes and tune, used by translate, forests and bins."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from demotic.base import DemoticError
from demotic.base.errors import DemoticWarning
from demotic.cli.main import run
from demotic.decode import Decoder, TranslationModel
from demotic.decode.model_folder import FeatureOptions, ModelFolder
from demotic.features import Weights
from demotic.pipeline.train import train
from demotic.pipeline.train_options import TrainInput, TrainOptions
from small_model import make_model

FEATURES = "class_word_pair:12,class_src_ngram:5,class_id:12"
FILES = ["classes.src.12", "classes.src.5", "classes.tgt.12", "classes.tgt.5"]


def arguments(model: Path, corpus: Path, out: Path, *more: str) -> list[str]:
    files = ["--src", str(corpus / "dev.de"), "--ref", str(corpus / "dev.en")]
    small = ["--set", "k=10", "--set", "epochs=1", "--features", FEATURES, "--threads", "1"]
    return ["tune", str(model), "--learner", "perceptron", *files, "--out", str(out), *small, *more]


@pytest.fixture(scope="module")
def tuned(model_folder: Path, corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("tuned") / "model"
    assert run(arguments(model_folder, corpus, out)) == 0
    return out


def class_files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("classes.*"))


def test_tuning_makes_the_classes_that_templates_need(model_folder: Path, tuned: Path):
    assert class_files(tuned) == FILES and not class_files(model_folder)
    heads = {name.partition(":")[0] for name in Weights.load(tuned / "weights.txt").to_dict() if ":" in name}
    assert heads == {"class_word_pair", "class_src_ngram", "class_id"}


def test_the_tuned_model_translates_and_explains_wherever_it_lies(
    tuned: Path, corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    moved = tmp_path / "moved"
    shutil.copytree(tuned, moved, ignore=shutil.ignore_patterns("run"))
    assert run(["translate", str(moved), "--input", str(corpus / "test.de"), "--explain"]) == 0
    assert "class_word_pair:12:<" in capsys.readouterr().out
    assert run(["weights", "top", str(moved), "--template", "class_id", "--json"]) == 0
    assert "class_id:12:" in capsys.readouterr().out
    assert run(["weights", "top", str(moved), "--template", "class_word_pair"]) == 0
    shown = capsys.readouterr().out
    assert "<1 " in shown and ModelFolder(moved).read_classes(12)[0].members(1)[0] in shown


def test_classes_that_are_there_give_the_same_bytes(
    model_folder: Path, tuned: Path, corpus: Path, tmp_path: Path
):
    model = tmp_path / "model"
    shutil.copytree(model_folder, model, ignore=shutil.ignore_patterns("run"))
    assert run(["classes", "make", str(model), "12,5", "--threads", "3"]) == 0
    assert run(arguments(model, corpus, tmp_path / "out")) == 0
    assert not (tmp_path / "out" / "run" / "classes").exists()
    for name in [*FILES, "weights.txt"]:
        assert (tmp_path / "out" / name).read_bytes() == (tuned / name).read_bytes()


def test_other_classes_are_other_features(model_folder: Path, corpus: Path, tmp_path: Path):
    """A checkpoint of one clustering is not taken for that of another."""
    model, out = tmp_path / "model", tmp_path / "out"
    shutil.copytree(model_folder, model, ignore=shutil.ignore_patterns("run"))
    assert run(["classes", "make", str(model), "5,12"]) == 0
    assert run(arguments(model, corpus, out)) == 0
    before = (out / "weights.txt").read_bytes()
    for side in ("src", "tgt"):
        lines = (model / f"classes.{side}.5").read_text().splitlines()
        changed = [line if i % 2 else line.rpartition("\t")[0] + "\t1" for i, line in enumerate(lines)]
        (model / f"classes.{side}.5").write_text("\n".join(changed) + "\n")
    assert run(arguments(model, corpus, out)) == 0
    assert (out / "weights.txt").read_bytes() != before


def test_kept_forests_have_the_same_features(tuned: Path):
    model = TranslationModel(tuned)
    templates = model.template_set(model.options.features.templates)
    decoder = Decoder(model.lm, model.weights, model.index, templates, model.options.decode)
    sentence = " ".join(model.index.source(3))
    graph = decoder.decode(sentence, exclude=3)
    again = decoder.unpack(graph.pack(), sentence)
    first, second = graph.kbest(20).to_text(0), again.kbest(20).to_text(0)
    assert first == second and "class_id:12:" in first


def test_classes_and_bins_together(model_folder: Path, corpus: Path, tmp_path: Path):
    assert run(arguments(model_folder, corpus, tmp_path / "out", "--discretize", "bits=2")) == 0
    names = Weights.load(tmp_path / "out" / "weights.txt").to_dict()
    assert {"bin", "class_id"} <= {name.partition(":")[0] for name in names}
    assert class_files(tmp_path / "out") == FILES


def test_training_makes_classes(corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    model = make_model(corpus, tmp_path / "model", features=FeatureOptions(("class_id:9",), (4,)))
    assert class_files(model) == ["classes.src.4", "classes.src.9", "classes.tgt.4", "classes.tgt.9"]
    source, target = ModelFolder(model).classes(9)
    assert (
        2 <= len(source) <= 9 and target.known(ModelFolder(model).index.native.target_vocab) == target.words
    )
    capsys.readouterr()
    assert run(["classes", "show", str(model), "4", "--side", "src", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert sum(map(len, shown["classes"].values())) == ModelFolder(model).classes(4)[0].words


def test_with_fewer_words_than_classes_each_word_is_a_class(tmp_path: Path):
    """The recipe wants 200 classes of any corpus."""
    for side, words in (("src", ["uno", "dos", "tres"]), ("tgt", ["one", "two"] * 2)):
        (tmp_path / side).write_text("".join(f"{word} {words[0]}\n" for word in words for _ in range(9)))
    sources, targets = (tmp_path / side for side in ("src", "tgt"))
    targets.write_text("".join(targets.read_text().splitlines(keepends=True)[:27]))
    options = TrainOptions(learner="none", features=FeatureOptions(("class_id:3",), (200,)))
    with pytest.warns(DemoticWarning) as warned:
        train(TrainInput(sources, targets), tmp_path / "model", options)
    told = [str(each.message) for each in warned if "class" in str(each.message)]
    assert told == [
        "the source side has 3 different words, so each is a class of its own instead of 200 classes",
        "the target side has 2 different words, so each is a class of its own instead of 3 and 200 classes",
    ]
    for size in (3, 200):
        assert [len(side) for side in ModelFolder(tmp_path / "model").classes(size)] == [3, 2]


# --- bad input --------------------------------------------------------------------------------------------------------


def broken(tuned: Path, folder: Path, name: str, text: str) -> TranslationModel:
    shutil.copytree(tuned, folder, ignore=shutil.ignore_patterns("run"))
    (folder / name).unlink()  # it may be a link
    (folder / name).write_text(text)
    return TranslationModel(folder)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nous\t1\navons\t2\n", "do not fit the model: they have 0 of its"),
        ("nous\t1\navons\t13\n", "classes.src.12:2: '13' is not the number of a class from 1 to 12"),
        ("nous\n", "classes.src.12:1: a line must have"),
    ],
)
def test_classes_that_are_wrong(tuned: Path, tmp_path: Path, text: str, message: str):
    model = broken(tuned, tmp_path / "model", "classes.src.12", text)
    with pytest.raises(DemoticError) as error:
        _ = model.decoder
    assert message in str(error.value)


def test_classes_that_are_missing(tuned: Path, tmp_path: Path):
    shutil.copytree(tuned, tmp_path / "model", ignore=shutil.ignore_patterns("run"))
    (tmp_path / "model" / "classes.tgt.5").unlink()
    with pytest.raises(DemoticError, match="no 5 word classes\n  hint: make them with  demotic classes make"):
        _ = TranslationModel(tmp_path / "model").decoder


@pytest.mark.parametrize(
    ("sizes", "message"),
    [("1", "from 2 to 2000 (got 1)"), ("x", "(got x)")],
)
def test_sizes_that_cannot_be(
    model_folder: Path, sizes: str, message: str, capsys: pytest.CaptureFixture[str]
):
    assert run(["classes", "make", str(model_folder), sizes]) == 1
    assert message in capsys.readouterr().err
    assert not class_files(model_folder)
