"""Monolingual text of the language model: in the model, in the models of folds, in what is kept and warned of."""

from __future__ import annotations

import gzip
import json
import lzma
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from demotic.base.files import read_lines
from demotic.base.run import Run
from demotic.cli.main import run
from demotic.cluster import executor
from demotic.corpus import Preprocessor
from demotic.corpus.embedded import EmbeddedOptions, write
from demotic.corpus.splits import folds
from demotic.decode import TranslationModel
from demotic.learn import LearnSettings, make_learner
from demotic.learn.fitting.fold_models import train_fold_models
from demotic.lm import LanguageModel, LmOptions
from demotic.lm import train as train_lm
from demotic.pipeline.train import train
from demotic.pipeline.train_options import TrainInput, TrainOptions
from demotic.pipeline.tune import TuneInput, tune
from small_model import QUICK_ALIGNER, contents

pytestmark = pytest.mark.filterwarnings("ignore::demotic.base.errors.DemoticWarning")

PACKED = ["A wombat's burrow is deep.", "", "The man sits.", "A man's wombat sleeps on the street."] * 3
PLAIN = ["Two wombats (and a dog) sleep.", "A woman walks in the park."] * 3


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus")
    write(folder, EmbeddedOptions(train=120, dev=8, devtest=8, test=8))
    with gzip.open(folder / "mono.gz", "wt", encoding="utf-8") as packed:
        packed.write("\n".join(PACKED) + "\n")
    with lzma.open(folder / "mono.xz", "wt", encoding="utf-8") as packed:
        packed.write("\n".join(PLAIN) + "\n")
    (folder / "c.toml").write_text('learner = "none"\n[align]\niterations = 0.2\n')
    return folder


def make(corpus: Path, folder: Path, lm: LmOptions | None = None, mono: bool = True) -> Path:
    options = TrainOptions(align=QUICK_ALIGNER, lm=lm or LmOptions(order=3), learner="none")
    texts = [corpus / "mono.gz", corpus / "mono.xz"] if mono else []
    train(TrainInput(corpus / "train.de", corpus / "train.en", mono=texts), folder, options)
    return folder


@pytest.fixture(scope="module")
def model(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(corpus, tmp_path_factory.mktemp("model"))


@pytest.fixture(scope="module")
def closed(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Monolingual words that the parallel text lacks are unknown."""
    return make(corpus, tmp_path_factory.mktemp("closed"), LmOptions(order=3, vocabulary="parallel"))


def parallel_text(model: Path) -> list[list[str]]:
    return [line.split() for line in read_lines(model / "run/prepare/train.tgt")]


def mono_text(model: Path) -> list[list[str]]:
    """The monolingual text as words, by the preprocessor alone."""
    preprocessor = Preprocessor.load(model)
    return [preprocessor.words(line, "target") for line in [*PACKED, *PLAIN] if line]


def closed_over(known: list[list[str]], text: list[list[str]]) -> list[list[str]]:
    words = {word for sentence in known for word in sentence}
    return [[word if word in words else "<unk>" for word in sentence] for sentence in text]


def ngrams(lm: Path, folder: Path) -> set[str]:
    """With their values; words have other ids in a fold model, so the order differs."""
    LanguageModel.load(lm).save(folder / "lm.arpa")
    return set((folder / "lm.arpa").read_text("utf-8").split("\n"))


def ngrams_of(text: list[list[str]], folder: Path, options: LmOptions | None = None) -> set[str]:
    (folder / "text").write_text("".join(" ".join(words) + "\n" for words in text), "utf-8")
    train_lm([folder / "text"], options or LmOptions(order=3), folder / "text.bin")
    return ngrams(folder / "text.bin", folder)


def test_the_model_is_that_of_both_texts(model: Path, tmp_path: Path):
    assert "wombat" in LanguageModel.load(model / "lm.bin")
    assert ngrams(model / "lm.bin", tmp_path) == ngrams_of(
        [*parallel_text(model), *mono_text(model)], tmp_path
    )
    kept = [line.split() for line in read_lines(model / "mono.txt.gz")]
    assert kept == mono_text(model)


def test_words_outside_the_parallel_text_are_unknown(closed: Path, tmp_path: Path):
    text = parallel_text(closed)
    replaced = closed_over(text, mono_text(closed))
    assert any("<unk>" in words for words in replaced)
    assert ngrams(closed / "lm.bin", tmp_path) == ngrams_of([*text, *replaced], tmp_path)


@pytest.mark.parametrize("vocabulary", ["all", "parallel"])
def test_fold_models_of_a_tuned_model_elsewhere(
    vocabulary: str, model: Path, closed: Path, corpus: Path, tmp_path: Path
):
    """All monolingual text and the parallel text outside the fold, from nothing but the tuned model's folder."""
    trained = closed if vocabulary == "parallel" else model
    first, second = tmp_path / "tuned", tmp_path / "again"
    options = {"epochs": 1, "k": 5}
    with executor("local", 1) as workers:
        files = TuneInput(trained, corpus / "dev.de", [corpus / "dev.en"])
        tune(files, make_learner("perceptron", options), first, workers)
        shutil.move(first, tmp_path / "moved")
        files = TuneInput(tmp_path / "moved", on_train=True, sentences=4)
        tune(files, make_learner("perceptron", {**options, "lm_folds": 2}), second, workers)
    assert (second / "mono.txt.gz").read_bytes() == (trained / "mono.txt.gz").read_bytes()
    text, mono = parallel_text(trained), mono_text(trained)
    fold_of = folds(len(text), 2, seed=1)
    for fold in range(2):
        rest = [words for words, other in zip(text, fold_of, strict=True) if other != fold]
        extra = closed_over(rest, mono) if vocabulary == "parallel" else mono
        found = ngrams(second / f"run/fold_models/lm.{fold}.bin", tmp_path)
        assert found == ngrams_of([*rest, *extra], tmp_path)


def test_fold_models_have_the_options_of_the_model(corpus: Path, tmp_path: Path):
    """Pruning and vocabulary too, although the list of words stays where it was."""
    (tmp_path / "words").write_text("the a man wombat sleeps .\n")
    options = LmOptions(order=3, prune=(0, 0, 1), vocab_from=(tmp_path / "words",))
    model = make(corpus, tmp_path / "model", options)
    words = {"the", "a", "man", "wombat", "sleeps", "."}
    (tmp_path / "words").unlink()
    with Run(tmp_path / "run") as stages, executor("local", 1) as workers:
        folder = train_fold_models(TranslationModel(model), 2, LearnSettings(stages, workers))
    assert folder is not None and sorted(path.name for path in folder.iterdir()) == [
        "lm.0.bin",
        "lm.1.bin",
        "stage.json",
    ]
    text, mono = parallel_text(model), mono_text(model)
    fold_of = folds(len(text), 2, seed=1)
    rest = [sentence for sentence, other in zip(text, fold_of, strict=True) if other != 0]
    replaced = closed_over([list(words)], [*rest, *mono])
    expected = ngrams_of(replaced, tmp_path, LmOptions(order=3, prune=(0, 0, 1)))
    assert ngrams(folder / "lm.0.bin", tmp_path) == expected


def arguments(corpus: Path, out: Path, *more: str) -> list[str]:
    files = ["--src", "train.de", "--tgt", "train.en", "--config", "c.toml"]
    names = [str(corpus / word) if "." in word else word for word in files]
    return ["train", *names, "--out", str(out), "--threads", "1", *more]


def fold_model_time(model: Path, runs: Path) -> int:
    with Run(runs) as stages, executor("local", 1) as workers:
        folder = train_fold_models(TranslationModel(model), 2, LearnSettings(stages, workers))
    assert folder is not None
    return (folder / "lm.0.bin").stat().st_mtime_ns


def test_other_text_repeats_what_depends_on_it(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    mono = tmp_path / "mono.en"
    command = arguments(corpus, tmp_path / "m", "--mono", str(mono), "--json")

    def stages_run() -> set[str]:
        assert run(command) == 0
        return set(json.loads(capsys.readouterr().out)["seconds"])

    mono.write_text("A wombat sleeps.\n\nA man.\n")
    assert stages_run() == {"prepare", "mono", "align", "bitext", "lm", "index"}
    first = fold_model_time(tmp_path / "m", tmp_path / "folds")
    assert stages_run() == set()
    assert fold_model_time(tmp_path / "m", tmp_path / "folds") == first
    mono.write_text("A wombat sleeps here.\n")
    assert stages_run() == {"mono", "lm"}
    assert fold_model_time(tmp_path / "m", tmp_path / "folds") != first
    command += ["--vocabulary", "parallel"]
    assert stages_run() == {"lm"}
    assert run(command) == 0
    summary = json.loads(capsys.readouterr().out)["mono"]
    assert (summary["read"], summary["lines"], summary["words"], summary["shared"]) == (1, 1, 5, 0)
    assert run(arguments(corpus, tmp_path / "m")) == 0
    assert not (tmp_path / "m" / "mono.txt.gz").exists()
    assert "wombat" not in LanguageModel.load(tmp_path / "m" / "lm.bin")


def test_killed_and_run_again_ends_with_the_same_bytes(corpus: Path, tmp_path: Path):
    texts = ["--mono", str(corpus / "mono.gz"), "--mono", str(corpus / "mono.xz")]
    assert run(arguments(corpus, tmp_path / "whole", *texts)) == 0
    out = tmp_path / "killed"
    with subprocess.Popen(
        [sys.executable, "-m", "demotic", *arguments(corpus, out, *texts)], stderr=subprocess.DEVNULL
    ) as process:
        while process.poll() is None and not (out / "run" / "mono" / "stage.json").exists():
            time.sleep(0.001)
        os.kill(process.pid, signal.SIGKILL)
    assert not (out / "model.toml").exists(), "killed too late to test anything"
    assert run([*arguments(corpus, out, *texts), "--threads", "2"]) == 0
    assert contents(out) == contents(tmp_path / "whole")


@pytest.mark.parametrize(
    ("text", "more", "message"),
    [
        (None, [], "mono.en: no such file or directory\n  hint: check the path"),
        (b"", [], "mono.en: the file has no words"),
        (b"\n \n\n", [], "mono.en: the file has no words"),
        (b"A dog.\nCaf\xe9.\n", [], "mono.en:2: not valid UTF-8 (byte 0xe9 at column 4)"),
        (
            gzip.compress(b"A dog.\n" * 50, mtime=0)[:-12],
            [],
            "mono.en:1: the archive is truncated or damaged",
        ),
        (b"a dog\n<s> a dog\n", ["--tokenized"], "mono.en:2: '<s>' is not allowed in the text"),
        (b"a dog\na ||| dog\n", ["--tokenized"], "mono.en:2: '|||' inside tokenised text"),
        (b"A dog.\n", ["--vocabulary", "closed"], "unknown value for 'lm.vocabulary': 'closed'"),
    ],
)
def test_bad_monolingual_text(
    corpus: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    text: bytes | None,
    more: list[str],
    message: str,
):
    if text is not None:
        (tmp_path / "mono.en").write_bytes(text)
    assert run(arguments(corpus, tmp_path / "m", "--mono", str(tmp_path / "mono.en"), *more)) == 1
    assert message in capsys.readouterr().err
    assert not (tmp_path / "m" / "model.toml").exists()


def test_tokenised_text_is_taken_as_it_is(corpus: Path, tmp_path: Path):
    (tmp_path / "mono.en").write_text("A dog&apos;s  Bone\n<unk> Dog\n")
    command = arguments(corpus, tmp_path / "m", "--mono", str(tmp_path / "mono.en"), "--tokenized")
    assert run(command) == 0
    assert list(read_lines(tmp_path / "m" / "mono.txt.gz")) == ["A dog&apos;s Bone", "<unk> Dog"]


def test_references_in_the_monolingual_text_are_warned_of(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    dev = ["--dev-src", str(corpus / "dev.de"), "--dev-ref", str(corpus / "dev.en")]
    mono = ["--mono", str(corpus / "dev.en"), "--mono", str(corpus / "test.en")]
    assert run(arguments(corpus, tmp_path / "m", *dev, *mono, "--learner", "perceptron")) == 0
    said = capsys.readouterr().err
    assert "8 of 8 references of the tuning set are in the monolingual text of the language model" in said
    assert "of the target sentences of the training text" not in said
    tested = ["evaluate", "--hyp", str(corpus / "test.en"), "--ref", str(corpus / "test.en")]
    assert run([*tested, "--model", str(tmp_path / "m"), "--json"]) == 0
    printed = capsys.readouterr()
    assert "8 of 8 references of the test set are in the monolingual text" in printed.err
    assert json.loads(printed.out)["leaks"]["monolingual"]["whole"] == list(range(1, 9))


def test_training_text_in_the_monolingual_text_is_warned_of(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    assert run(arguments(corpus, tmp_path / "m", "--mono", str(corpus / "train.en"))) == 0
    assert "100% of the target sentences of the training text are also in the monolingual text" in (
        capsys.readouterr().err
    )
