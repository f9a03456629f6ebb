"""A language model over word classes from training to forgetting: made, tuned on folds, checked, kept by every copy of the model."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from demotic.adapt import forget
from demotic.base import DemoticError
from demotic.base.files import read_lines
from demotic.base.run import Run
from demotic.cli.main import run
from demotic.cluster import executor
from demotic.corpus import WordClasses
from demotic.corpus.splits import folds
from demotic.decode import TranslationModel, verify_model
from demotic.decode.model_folder import ModelFolder
from demotic.features import Weights
from demotic.learn import TuningTask
from demotic.learn.registry import make_learner
from demotic.lm import ClassLmOptions, LanguageModel, LmOptions, train
from demotic.lm.class_models import train_class_model
from demotic.pipeline.class_lms import with_class_lms
from demotic.pipeline.tune import TuneInput, class_lms_of, tune
from small_model import made_once, make_model

pytestmark = pytest.mark.filterwarnings("ignore::demotic.base.errors.DemoticWarning")

SIZE, ORDER = 8, 4
FILE, FEATURE = "lm.class8.bin", "ClassLanguageModel_8"


@pytest.fixture(scope="module")
def model(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    options = ClassLmOptions((SIZE,), ORDER)
    return made_once(
        tmp_path_factory, "class-lm", lambda folder: make_model(corpus, folder, class_lm=options)
    )


def ngrams(path: Path, folder: Path) -> list[str]:
    """N-grams with their numbers, in an order of their own: that of ids differs between folds."""
    LanguageModel.load(path).save(folder / "model.arpa")
    return sorted(read_lines(folder / "model.arpa"))


def expected_ngrams(lines: list[list[str]], model: Path, folder: Path, order: int = ORDER) -> list[str]:
    """Those of a model of the classes of some lines, class by class as the file says."""
    pairs = (line.split("\t") for line in read_lines(model / f"classes.tgt.{SIZE}"))
    class_of = dict(pairs)
    text = folder / "classes.txt"
    text.write_text("".join(" ".join(class_of[word] for word in words) + "\n" for words in lines))
    train([text], LmOptions(order=order), folder / "expected.bin", threads=1)
    return ngrams(folder / "expected.bin", folder)


def target_text(model: Path) -> list[list[str]]:
    index = TranslationModel(model).index
    return [index.target(i) for i in range(len(index))]


def test_training_makes_a_model_of_the_classes(model: Path, tmp_path: Path):
    assert ngrams(model / FILE, tmp_path) == expected_ngrams(target_text(model), model, tmp_path)
    assert Weights.load(model / "weights.txt").to_dict()[FEATURE] > 0
    loaded = TranslationModel(model)
    assert FEATURE in loaded.dense_features()
    [further] = loaded.lms.further
    assert (further.feature, further.lm.order) == (FEATURE, ORDER)


def test_translations_have_the_feature(model: Path, corpus: Path, capsys: pytest.CaptureFixture[str]):
    loaded = TranslationModel(model)
    [further] = loaded.lms.further
    lines = (corpus / "dev.de").read_text("utf-8").splitlines()[:3]
    for found in loaded.kbest(lines, 3, threads=1):
        ids, values = found.row(0)
        row = {found.index.name(i): value for i, value in zip(ids.tolist(), values.tolist(), strict=True)}
        assert row[FEATURE] == pytest.approx(further.score(found.sentence(0)), abs=1e-3)
    assert run(["translate", str(model), "--input", str(corpus / "test.de"), "--explain"]) == 0
    assert FEATURE in capsys.readouterr().out


def test_a_word_may_have_a_no_break_space(tmp_path: Path):
    """Only the space separates the words of tokenised text."""
    text = tmp_path / "text"
    text.write_text("New\u00a0York is big\n" * 9 + "New\u00a0York\n" * 9)
    (tmp_path / "classes").write_text("New\u00a0York\t1\nis\t2\nbig\t2\n")
    classes = WordClasses.load(tmp_path / "classes", 2)
    train_class_model([text], classes, LmOptions(order=1), tmp_path / "lm.bin")
    words = {line.split("\t")[1] for line in ngrams(tmp_path / "lm.bin", tmp_path) if line.count("\t")}
    assert words == {"<unk>", "<s>", "</s>", "1", "2"}


def test_tuning_uses_models_that_have_not_seen_a_fold(model: Path, tmp_path: Path):
    """Kept forests included: the second epoch decodes nothing."""
    out = tmp_path / "out"
    options = {"epochs": 2, "k": 5, "lm_folds": 2, "redecode_every": 0}
    with executor("local", 1) as workers:
        files = TuneInput(model, on_train=True, sentences=6)
        tuned = tune(files, make_learner("perceptron", options), out, workers)
    assert tuned.history[1]["rescored"] == 6
    text = target_text(model)
    fold_of = folds(len(text), 2, seed=1)
    for fold in range(2):
        rest = [words for words, other in zip(text, fold_of, strict=True) if other != fold]
        found = ngrams(out / f"run/fold_models/lm.class8.{fold}.bin", tmp_path)
        assert found == expected_ngrams(rest, model, tmp_path)
    assert (out / FILE).read_bytes() == (model / FILE).read_bytes()
    before, after = (Weights.load(each / "weights.txt").to_dict()[FEATURE] for each in (model, out))
    assert before != after
    assert all(check.status == "ok" for check in verify_model(out))


def test_another_class_model_is_another_task(model: Path, corpus: Path, tmp_path: Path):
    """A checkpoint of one model is not taken for that of another."""
    changed, out = tmp_path / "model", tmp_path / "out"
    shutil.copytree(model, changed, ignore=shutil.ignore_patterns("run"))
    files = TuneInput(changed, corpus / "dev.de", [corpus / "dev.en"])

    def tuned_weights() -> bytes:
        with executor("local", 1) as workers:
            tune(files, make_learner("perceptron", {"epochs": 1, "k": 5}), out, workers)
        return (out / "weights.txt").read_bytes()

    first = tuned_weights()
    classes = WordClasses.load(changed / f"classes.tgt.{SIZE}", SIZE)
    text = tmp_path / "text"
    text.write_text("".join(f"{classes.of(word)}\n" for words in target_text(model) for word in words))
    (changed / FILE).unlink()  # it may be a hard link
    train([text], LmOptions(order=2), changed / FILE, threads=1)
    assert tuned_weights() != first


def test_mert_tunes_its_weight(model: Path, corpus: Path, tmp_path: Path):
    files = TuneInput(model, corpus / "dev.de", [corpus / "dev.en"])
    weights = []
    for threads in (1, 2):
        with executor("local", threads) as workers:
            tune(files, make_learner("mert", {"iterations": 1, "k": 20}), tmp_path / str(threads), workers)
        weights.append((tmp_path / str(threads) / "weights.txt").read_bytes())
    assert weights[0] == weights[1] and FEATURE.encode() in weights[0]


def test_tuning_adds_one(model_folder: Path, model: Path, corpus: Path, tmp_path: Path):
    """To a tuned model: the new one is that of `train --class-lm`, and dense weights are found anew. What is there is not made again."""

    def tuned(start: Path, out: Path, *sizes: int) -> dict[str, float]:
        files = TuneInput(start, corpus / "dev.de", [corpus / "dev.en"], class_lms=sizes)
        with executor("local", 1) as workers:
            tune(files, make_learner("mert", {"iterations": 1, "k": 20}), out, workers)
        return Weights.load(out / "weights.txt").to_dict()

    assert FEATURE not in tuned(model_folder, tmp_path / "without")
    assert tuned(tmp_path / "without", tmp_path / "with", SIZE)[FEATURE] != 0
    assert ngrams(tmp_path / "with" / FILE, tmp_path) == expected_ngrams(
        target_text(model_folder), model, tmp_path, ClassLmOptions().order
    )
    assert all(check.status == "ok" for check in verify_model(tmp_path / "with"))
    staged = tmp_path / "with" / "run" / "class_lms"
    assert "tuned" not in TranslationModel(staged).values
    tuned(tmp_path / "with", tmp_path / "again", SIZE)
    assert not (tmp_path / "again" / "run" / "class_lms").exists()
    assert (tmp_path / "again" / FILE).read_bytes() == (tmp_path / "with" / FILE).read_bytes()


@pytest.mark.parametrize(
    ("asked", "found"), [(None, (SIZE,)), ((), (SIZE,)), ((SIZE,), (SIZE,)), ((50,), (SIZE, 50))]
)
def test_what_the_model_has_stays(model: Path, asked: tuple[int, ...] | None, found: tuple[int, ...]):
    assert (
        class_lms_of(TuneInput(model, class_lms=asked), make_learner("recipe", {}), ModelFolder(model))
        == found
    )


def test_given_weights_get_one_for_it(model_folder: Path, tmp_path: Path):
    initial = Weights.from_dict({"LanguageModel": 2.0, "Glue": 1.0}).pack()
    with Run(tmp_path / "run") as run_:
        task = with_class_lms(TuningTask(model_folder, (), [], initial_weights=initial), (SIZE,), run_)
    assert task.initial_weights is not None
    assert Weights.unpack(task.initial_weights).to_dict() == {"LanguageModel": 2.0, "Glue": 1.0, FEATURE: 0.4}


def test_forgetting_trains_it_without_the_pairs(model: Path, tmp_path: Path):
    loaded = TranslationModel(model)
    gone = {0, 5, 17}
    done = forget(loaded, gone, tmp_path / "new", threads=1)
    left = [words for i, words in enumerate(target_text(model)) if i not in gone]
    assert ngrams(tmp_path / "new" / FILE, tmp_path) == expected_ngrams(left, model, tmp_path)
    assert "The word classes were made with them." in done.not_exact
    assert TranslationModel(tmp_path / "new").lms.features() == [FEATURE]


def test_files_that_are_missing_or_must_stay(model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    copy = tmp_path / "model"
    shutil.copytree(model, copy, ignore=shutil.ignore_patterns("run"))
    assert run(["classes", "make", str(copy), str(SIZE)]) == 1
    assert "the 8 word classes cannot be replaced" in capsys.readouterr().err
    (copy / FILE).unlink()
    assert [check.name for check in verify_model(copy) if check.status == "missing"] == [FILE]
    with pytest.raises(DemoticError, match=r"the model has no lm\.class8\.bin"):
        _ = TranslationModel(copy).decoder


def test_wrong_numbers_are_refused(
    model: Path, corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    files = ["--src", str(corpus / "train.de"), "--tgt", str(corpus / "train.en"), "--out", str(tmp_path)]
    assert run(["train", *files, "--class-lm", "1"]) == 1
    assert "the number of word classes must be from 2 to 2000 (got 1)" in capsys.readouterr().err
    dev = ["--src", str(corpus / "dev.de"), "--ref", str(corpus / "dev.en"), "--out", str(tmp_path / "out")]
    assert run(["tune", str(model), "--learner", "mert", *dev, "--class-lm", "x"]) == 1
    assert "the number of word classes must be from 2 to 2000 (got x)" in capsys.readouterr().err
    with pytest.raises(DemoticError, match="order must be between 1 and 255"):
        ClassLmOptions((50,), order=0)


def test_training_again_without_it_removes_it(model: Path, corpus: Path, tmp_path: Path):
    copy = tmp_path / "model"
    shutil.copytree(model, copy)
    make_model(corpus, copy)
    assert not (copy / FILE).exists() and not TranslationModel(copy).lms.further
    assert FEATURE not in Weights.load(copy / "weights.txt").to_dict()
