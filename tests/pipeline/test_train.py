"""`demotic train`: a rerun does nothing, a killed run ends with the same bytes."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from demotic.base import DemoticError
from demotic.base.options import options_from
from demotic.cli.main import run
from demotic.corpus.embedded import EmbeddedOptions, write
from demotic.decode import DecodeOptions
from demotic.decode.model_folder import ALIGN, ModelFolder
from demotic.decode.options import HAND_SET_WEIGHTS
from demotic.features import Weights
from demotic.grammar import ExtractOptions
from demotic.pipeline.train import train
from demotic.pipeline.train_options import TrainInput, TrainOptions
from dying_command import Moment, run_and_kill
from small_model import QUICK_ALIGNER, contents

CONFIG = 'learner = "none"\n'


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus")
    write(folder, EmbeddedOptions(train=400, dev=20, devtest=20, test=20))
    (folder / "c.toml").write_text(CONFIG)
    return folder


def arguments(corpus: Path, out: Path) -> list[str]:
    files = [
        "--src",
        "train.de",
        "--tgt",
        "train.en",
        "--dev-src",
        "dev.de",
        "--dev-ref",
        "dev.en",
        "--config",
        "c.toml",
    ]
    return ["train", *(str(corpus / word) if "." in word else word for word in files), "--out", str(out)]


@pytest.fixture(scope="module")
def finished(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    out = tmp_path_factory.mktemp("model")
    assert run(arguments(corpus, out)) == 0
    return contents(out)


def test_what_a_model_folder_holds(finished: dict[str, bytes]):
    expected = {
        "model.toml",
        "casing.target.txt",
        "run/prepare/train.src",
        "run/dev/dev.ref0",
        "run/align/train.align",
        "align.bin",
        "run/bitext/bitext.bin",
    }
    assert expected <= set(finished)
    assert b"source_language" in finished["model.toml"]


def test_a_rerun_does_nothing(corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert run(arguments(corpus, tmp_path)) == 0
    times = {
        path: path.stat().st_mtime_ns
        for path in (tmp_path / "run").rglob("*")
        if path.name.startswith("train.")
    }
    capsys.readouterr()
    assert run(arguments(corpus, tmp_path)) == 0
    assert "nothing to do" in capsys.readouterr().out
    assert all(path.stat().st_mtime_ns == before for path, before in times.items())


@pytest.mark.parametrize(("stage", "moment"), [("prepare", "worked"), ("align", "worked"), ("align", "kept")])
def test_killed_and_run_again_ends_with_the_same_bytes(
    corpus: Path, tmp_path: Path, finished: dict[str, bytes], stage: str, moment: Moment
):
    run_and_kill(arguments(corpus, tmp_path), stage, moment)
    assert (tmp_path / "run" / (f".{stage}.tmp" if moment == "worked" else stage)).is_dir()
    assert not (tmp_path / "model.toml").exists()
    assert run(arguments(corpus, tmp_path)) == 0
    assert contents(tmp_path) == finished


def test_the_number_of_workers_changes_nothing(corpus: Path, tmp_path: Path, finished: dict[str, bytes]):
    assert run([*arguments(corpus, tmp_path), "--threads", "1"]) == 0
    assert contents(tmp_path) == finished


def test_references_of_another_length(corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    wrong = [argument.replace("dev.en", "train.en") for argument in arguments(corpus, tmp_path)]
    assert run(wrong) == 1
    assert "400 lines, but" in capsys.readouterr().err
    assert (
        run(
            [
                argument
                for argument in arguments(corpus, tmp_path)
                if "dev.en" not in argument and argument != "--dev-ref"
            ]
        )
        == 2
    )


@pytest.mark.parametrize(("copies", "is_told"), [(4, True), (1, False)])
def test_a_corpus_that_cleaning_takes_apart_is_told(
    tmp_path: Path, copies: int, is_told: bool, capsys: pytest.CaptureFixture[str]
):
    for side in ("src", "tgt"):
        lines = [f"{side}{i} and {side}{i % 3}\n" for i in range(5)] * copies
        (tmp_path / side).write_text("".join([*lines, "a " * 90 + "\n"]))
    files = ["--src", str(tmp_path / "src"), "--tgt", str(tmp_path / "tgt"), "--out", str(tmp_path / "model")]
    assert run(["train", *files]) == 0
    told = "only 5 of 21 sentence pairs are used (1 too long, 15 duplicate)"
    assert (told in capsys.readouterr().err) is is_told


def test_unknown_table_in_the_config(corpus: Path, tmp_path: Path):
    config = tmp_path / "c.toml"
    config.write_text("[aling]\n")
    with pytest.raises(DemoticError, match="unknown option 'aling'\n  hint: did you mean 'align'"):
        run([*arguments(corpus, tmp_path / "m"), "--config", str(config), "--debug"])


def test_training_ends_with_a_learner(corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "c.toml").write_text('learner = "perceptron"\n[align]\nmodel = "fast_align"\n')
    files = [
        word if not word.endswith("c.toml") else str(tmp_path / "c.toml")
        for word in arguments(corpus, tmp_path / "m")
    ]
    assert run(files) == 0
    weights = (tmp_path / "m" / "weights.txt").read_text()
    assert "LanguageModel 1\n" not in weights and weights.count("\n") == 12
    capsys.readouterr()
    assert run(files) == 0
    assert "nothing to do" in capsys.readouterr().out
    assert run([*files, "--learner", "mirt"]) == 1
    assert "unknown learner 'mirt'" in capsys.readouterr().err


def test_a_tuning_set_from_the_training_text_is_warned_of(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    (tmp_path / "c.toml").write_text('learner = "perceptron"\n[align]\niterations = 0.2\n')
    for side, language in (("src", "de"), ("ref", "en")):
        lines = (corpus / f"train.{language}").read_text().splitlines()[:5]
        (tmp_path / f"dev.{side}").write_text("\n".join(lines) + "\n")
    files = ["--src", str(corpus / "train.de"), "--tgt", str(corpus / "train.en")]
    dev = ["--dev-src", str(tmp_path / "dev.src"), "--dev-ref", str(tmp_path / "dev.ref")]
    config = ["--config", str(tmp_path / "c.toml"), "--out", str(tmp_path / "m")]
    assert run(["train", *files, *dev, *config]) == 0
    assert "5 of 5 sentences of the tuning set are in the training corpus with" in capsys.readouterr().err


def test_weights_by_hand_follow_the_features(corpus: Path, tmp_path: Path):
    """No learner runs: weights that lie in the folder are of another set of features, or were learnt before."""
    out = tmp_path / "m"
    files = TrainInput(corpus / "train.de", corpus / "train.en", corpus / "dev.de", [corpus / "dev.en"])

    def trained(features: str, learner: str, **tune: object) -> dict[str, float]:
        options = TrainOptions(
            align=QUICK_ALIGNER,
            grammar=ExtractOptions(features=features),
            learner=learner,
            tune=tune,
        )
        train(files, out, options)
        return Weights.load(out / "weights.txt").to_dict()

    assert trained("cdec12", "none") == HAND_SET_WEIGHTS["cdec12"]
    assert trained("hiero8", "none") == HAND_SET_WEIGHTS["hiero8"]
    tuned = trained("hiero8", "mert", iterations=1, restarts=0)
    assert tuned != HAND_SET_WEIGHTS["hiero8"]
    assert trained("hiero8", "none") == HAND_SET_WEIGHTS["hiero8"]
    assert trained("hiero8", "mert", iterations=1, restarts=0) == tuned


def test_a_learner_that_starts_from_the_model_starts_there_again(corpus: Path, tmp_path: Path):
    """Not from what it has learnt before: the same command, the same bytes."""
    (tmp_path / "c.toml").write_text(
        'learner = "perceptron"\n[align]\niterations = 0.2\n[tune]\nstart = "model"\nepochs = 1\n'
    )
    command = [*arguments(corpus, tmp_path / "m"), "--config", str(tmp_path / "c.toml")]
    assert run(command) == 0
    first = (tmp_path / "m" / "weights.txt").read_bytes()
    assert run(command) == 0
    assert (tmp_path / "m" / "weights.txt").read_bytes() == first


def test_options_of_the_learner(corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "c.toml").write_text("[align]\niterations = 0.2\n[tune]\niterations = 2\nrestarts = 0\n")
    command = [*arguments(corpus, tmp_path / "m"), "--config", str(tmp_path / "c.toml"), "--json"]
    assert run(command) == 0
    weights = tmp_path / "m" / "run" / "tune"
    assert sorted(path.name for path in weights.glob("weights*")) == ["weights001", "weights002"]
    assert run([*command, "--set", "iterations=3"]) == 0  # goes on where two iterations ended
    assert sorted(path.name for path in weights.glob("weights*"))[-1] == "weights003"
    assert list(json.loads(capsys.readouterr().out.splitlines()[-1])["seconds"]) == ["tune"]
    log = [json.loads(line) for line in (weights / "metrics.jsonl").read_text().splitlines()]
    assert sum(row.get("stage") == "weights001" for row in log) == 1


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["--learner", "mert", "--set", "iteration=3"], "unknown option 'iteration'"),
        (["--learner", "mert", "--set", "iterations=many"], "option 'iterations' must be a whole number"),
        (["--set", "iterations=3"], "options of a learner (iterations), but none is to run"),
    ],
)
def test_wrong_options_of_the_learner_are_refused_before_any_work(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], given: list[str], message: str
):
    assert run([*arguments(corpus, tmp_path / "m"), *given]) == 1
    assert message in capsys.readouterr().err
    assert not (tmp_path / "m").exists()


def test_learning_is_a_stage_of_its_own(corpus: Path, tmp_path: Path):
    """The clock of the stage before it has stopped when the learner begins."""
    events: list[str] = []
    files = TrainInput(corpus / "train.de", corpus / "train.en", corpus / "dev.de", [corpus / "dev.en"])
    options = TrainOptions(align=QUICK_ALIGNER, tune={"iterations": 1, "restarts": 0})
    started = time.perf_counter()
    result = train(
        files,
        tmp_path / "m",
        options,
        on_stage=lambda name, seconds: events.append(f"{name} {'done before' if seconds is None else 'ran'}"),
        on_epoch=lambda row: events.append("epoch"),
    )
    stages = ["prepare", "dev", "align", "bitext", "lm", "index"]
    assert events == [*(f"{name} ran" for name in stages), "epoch", "tune ran"]
    assert list(result.seconds) == [*stages, "tune"]
    assert sum(result.seconds.values()) <= time.perf_counter() - started  # no second is counted twice
    events.clear()
    again = train(files, tmp_path / "m", options, on_stage=lambda name, seconds: events.append(name))
    assert events == [*stages, "tune"] and not again.seconds


def test_an_alignment_from_elsewhere(corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Of all pairs of the input, or of those that are kept: the same model either way, without one of an aligner."""
    first = (corpus / "train.de").read_text("utf-8").splitlines()
    second = (corpus / "train.en").read_text("utf-8").splitlines()
    (tmp_path / "s").write_text(
        "\n".join([first[0], *first]) + "\n", "utf-8"
    )  # the second line is a duplicate
    (tmp_path / "t").write_text("\n".join([second[0], *second]) + "\n", "utf-8")
    files = ["--src", str(tmp_path / "s"), "--tgt", str(tmp_path / "t"), "--learner", "none"]
    assert run(["train", *files, "--out", str(tmp_path / "own")]) == 0
    kept = (tmp_path / "own/run/align/train.align").read_text().splitlines()
    lines = [int(line) for line in (tmp_path / "own/run/prepare/train.lines").read_text().splitlines()]
    assert len(lines) == len(kept) < len(first) + 1 and 2 not in lines
    whole = ["0-0"] * (len(first) + 1)
    for line, links in zip(lines, kept, strict=True):
        whole[line - 1] = links
    for name, given in (("kept", kept), ("whole", whole)):
        (tmp_path / f"{name}.align").write_text("".join(line + "\n" for line in given))
        assert (
            run(["train", *files, "--align", f"{tmp_path / name}.align", "--out", str(tmp_path / name)]) == 0
        )
        assert (tmp_path / name / "index.bin").read_bytes() == (tmp_path / "own/index.bin").read_bytes()
        with pytest.raises(DemoticError, match=r"no align\.bin"):
            _ = ModelFolder(tmp_path / name).aligner
    own = ModelFolder(tmp_path / "own")
    assert own.parts()[ALIGN] == own.aligner.path  # tuned models have it, too
    words = [
        (own.folder / "run/prepare" / name).read_text("utf-8").split("\n")[0]
        for name in ("train.src", "train.tgt")
    ]
    assert own.aligner.align(*words).links
    capsys.readouterr()
    (tmp_path / "bad.align").write_text("0-0\n")
    assert run(["train", *files, "--align", str(tmp_path / "bad.align"), "--out", str(tmp_path / "m")]) == 1
    assert f"bad.align: 1 lines, but there are {len(first) + 1} pairs" in capsys.readouterr().err
    assert run(["train", *files, "--align", str(tmp_path / "none"), "--out", str(tmp_path / "n")]) == 1
    assert not (tmp_path / "n").exists()


def test_models_copy_unknown_words_only_and_tables_keep_that(finished: dict[str, bytes]):
    assert b'copy = "unknown"' in finished["model.toml"]
    options = options_from(TrainOptions, {"lm": {}, "decode": {"pop_limit": 50}})
    assert options.lm.order == 3
    assert options.decode == DecodeOptions(pop_limit=50, copy="unknown")
