"""`demotic tune` and `demotic weights`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from demotic.cli.main import run
from demotic.decode import TranslationModel
from demotic.features import Weights
from demotic.learn import Tuned, TuningTask, make_learner
from demotic.pipeline.tune import _publish as publish


def arguments(model: Path, corpus: Path, out: Path, *more: str) -> list[str]:
    files = ["--src", str(corpus / "dev.de"), "--ref", str(corpus / "dev.en")]
    return ["tune", str(model), "--learner", "perceptron", *files, "--out", str(out), "--set", "k=20", *more]


@pytest.fixture(scope="module")
def tuned(model: Path, corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("tuned")
    held_out = ["--held-out-src", str(corpus / "devtest.de"), "--held-out-ref", str(corpus / "devtest.en")]
    more = ["--features", "id,shape", "--set", "epochs=2", "--held-out-lines", "odd", *held_out]
    assert run(arguments(model, corpus, out, *more)) == 0
    return out


def test_the_tuned_model_translates(tuned: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path):
    text = tmp_path / "in"
    text.write_text("Die Frau trägt einen Mantel.\n")
    assert run(["translate", str(tuned), "--input", str(text)]) == 0
    assert len(capsys.readouterr().out.split()) > 3
    toml = (tuned / "model.toml").read_text()
    assert 'templates = [\n    "id",\n    "shape",\n]' in toml and 'learner = "perceptron"' in toml


def test_weights_are_kept_once(model: Path, tuned: Path, tmp_path: Path):
    """However many they are: a second file would tell another story after an edit of the text."""
    many = Weights.from_dict({f"id:{i}|{i}": 1.0 for i in range(100_000)})
    task = TuningTask(model, ("id",), [])
    publish(task, make_learner("perceptron", {}), Tuned(many.pack(), 1, [{}], []), tmp_path, seed=1)
    assert {path.name for path in tmp_path.iterdir()} == {path.name for path in tuned.iterdir()} - {"run"}
    assert len(TranslationModel(tmp_path).weights) == 100_000


def test_rows_of_every_epoch(tuned: Path):
    events = [json.loads(line) for line in (tuned / "run" / "metrics.jsonl").read_text().splitlines()]
    rows = [event for event in events if "held_out_bleu" in event]
    assert [row["epoch"] for row in rows] == [1, 2]
    assert all(row["pairs"] >= row["errors"] > 0 and row["decode_seconds"] > 0 for row in rows)
    assert rows[1]["active_features"] >= rows[0]["active_features"] > 12


def test_json(model: Path, corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert run(arguments(model, corpus, tmp_path / "out", "--set", "epochs=1", "--json")) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["learner"] == "perceptron" and result["epoch"] == 1 and len(result["history"]) == 1


def test_top_show_and_diff(model: Path, tuned: Path, capsys: pytest.CaptureFixture[str]):
    assert run(["weights", "top", str(tuned), "--template", "id", "-n", "3", "--json"]) == 0
    top = json.loads(capsys.readouterr().out)
    assert len(top["best"]) == len(top["worst"]) == 3
    assert min(top["best"].values()) > 0 > max(top["worst"].values())
    assert all(name.startswith("id:") for name in top["best"])
    assert run(["weights", "show", str(tuned / "weights.txt"), "--template", "dense", "--json"]) == 0
    assert "LanguageModel" in json.loads(capsys.readouterr().out)["weights"]
    assert run(["weights", "diff", str(model), str(tuned), "-n", "5"]) == 0
    assert "weights differ" in capsys.readouterr().out
    assert run(["weights", "diff", str(tuned), str(tuned), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"differ": 0, "changes": {}}


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--set", "epoch=2"], "unknown option 'epoch'"),
        (["--set", "learning_rate=0"], "learning_rate must be positive (got 0"),
        (["--set", "learning_rate=nan"], "must be a finite number"),
        (["--set", "epochs=0"], "epochs must be at least 1 (got 0)"),
        (["--set", "k=0"], "k must be at least 1 (got 0)"),
        (["--set", "metric=blue"], "blue"),
        (["--set", "epochs"], "expected KEY=VALUE"),
        (["--features", "idd"], "unknown template 'idd'"),
        (["--learner", "perceptrom"], "unknown learner 'perceptrom'"),
        (["--cluster", "rey"], "unknown cluster 'rey'"),
    ],
)
def test_bad_input(
    model: Path,
    corpus: Path,
    tmp_path: Path,
    more: list[str],
    message: str,
    capsys: pytest.CaptureFixture[str],
):
    assert run(arguments(model, corpus, tmp_path / "out", *more)) == 1
    error = capsys.readouterr().err
    assert message in error and error.startswith("demotic: ") and "Traceback" not in error


def test_bad_files(model: Path, corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    short = tmp_path / "short.en"
    short.write_text("one line\n")
    base = ["tune", str(model), "--learner", "itersel", "--out", str(tmp_path / "out")]
    assert run([*base, "--src", str(corpus / "dev.de"), "--ref", str(short)]) == 1
    assert "short.en: 1 lines, but" in capsys.readouterr().err
    assert run(base) == 1
    assert "no data to learn from" in capsys.readouterr().err
    assert run([*base, "--on-train", "--sentences", "1000"]) == 1
    assert "cannot draw 1,000 sentences" in capsys.readouterr().err
    assert run([*base, "--on-train", "--sentences", "5", "--set", "shards=9"]) == 1
    assert "shards must be at most the number of sentences, 5 (got 9)" in capsys.readouterr().err
    assert run([*base[:-1], str(model), "--on-train"]) == 1
    assert "would overwrite" in capsys.readouterr().err


def test_training_sentences_in_the_tuning_set_are_warned_of(
    model: Path, corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    files = {}
    for language in ("de", "en"):
        lines = [(corpus / f"{name}.{language}").read_text().splitlines()[:3] for name in ("dev", "train")]
        files[language] = tmp_path / f"leaked.{language}"
        files[language].write_text("\n".join(lines[0] + lines[1]) + "\n")
    few = ["--set", "epochs=1", "--set", "k=5"]
    base = ["tune", str(model), "--learner", "perceptron", *few]
    leaked = ["--src", str(files["de"]), "--ref", str(files["en"])]
    assert run([*base, *leaked, "--out", str(tmp_path / "out")]) == 0
    error = capsys.readouterr().err
    assert "sentences of the tuning set are in the training corpus with their translation (lines" in error
    assert "4, 5, 6" in error and 'such as "' in error
    held_out = ["--held-out-src", str(files["de"]), "--held-out-ref", str(files["en"])]
    assert run([*base, "--on-train", "--sentences", "4", *held_out, "--out", str(tmp_path / "out2")]) == 0
    error = capsys.readouterr().err
    assert "sentences of the held-out set are in" in error and "tuning set" not in error


def test_lists_that_teach_nothing(model: Path, tmp_path: Path):
    """A single hypothesis, hypotheses that all score the same: no pair, no update, no error."""
    (tmp_path / "a.de").write_text("unbekanntes\nDie Frau trägt einen Mantel.\n")
    (tmp_path / "a.en").write_text("zzz\nzzz\n")
    files = ["--src", str(tmp_path / "a.de"), "--ref", str(tmp_path / "a.en")]
    out = tmp_path / "out"
    assert (
        run(["tune", str(model), "--learner", "perceptron", *files, "--set", "epochs=1", "--out", str(out)])
        == 0
    )
    assert "LanguageModel 0\n" in (out / "weights.txt").read_text() or (out / "weights.txt").read_text() == ""


def test_a_learner_without_a_dev_set_refuses_two_sets(
    model: Path, corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    assert run(arguments(model, corpus, tmp_path / "out", "--on-train")) == 1
    assert "perceptron learns on either training pairs or a dev set, not on both" in capsys.readouterr().err


def test_oscar_and_its_groups(model: Path, corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    out = tmp_path / "oscar"
    settings = ["iterations=1", "lambda2=1e-8", "pro.k=15", "pro.iterations=1"]
    more = [part for setting in settings for part in ("--set", setting)]
    more += ["--on-train", "--sentences", "30", "--features", "id"]
    assert run([*arguments(model, corpus, out, "--learner", "oscar"), *more]) == 0
    assert "groups" in capsys.readouterr().out
    assert run(["groups", "show", str(out), "-n", "0", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["groups"] == len(shown["shown"]) > 0
    assert shown["features"] == sum(group["size"] for group in shown["shown"])
    assert all(len(group["members"]) == group["size"] for group in shown["shown"])
    lines = (out / "groups.txt").read_text().splitlines()
    assert f"{shown['shown'][0]['members'][0]}\t{shown['shown'][0]['group']}" in lines
    assert run(["groups", "show", str(out), "--group", "1"]) == 0
    assert "group 1: " in capsys.readouterr().out
    assert run(["groups", "show", str(out), "--group", "9999"]) == 1
    assert "(got 9999)" in capsys.readouterr().err
    assert run(["weights", "usage", str(out), "--src", str(corpus / "test.de"), "-k", "10", "--json"]) == 0
    usage = json.loads(capsys.readouterr().out)
    assert usage["active"] >= usage["reused"] > 0 and usage["tuning_seconds"] > 0
    assert run(["groups", "show", str(model)]) == 1
    assert "the model has no groups.txt" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--set", "lambda1=-1"], "lambda1 must be at least 0 (got -1"),
        (["--set", "lambda2=-1e-9"], "lambda2 must be at least 0"),
        (["--set", "pro.kk=3"], "unknown option 'pro.kk'"),
        (["--set", "pro=3", "--set", "pro.k=3"], "pro is not a table"),
        (["--features", "id"], "needs training data for grouping and a dev set for tuning"),
        (["--on-train", "--sentences", "5"], "no sparse features to group"),
    ],
)
def test_bad_input_of_oscar(
    model: Path,
    corpus: Path,
    tmp_path: Path,
    more: list[str],
    message: str,
    capsys: pytest.CaptureFixture[str],
):
    assert run([*arguments(model, corpus, tmp_path / "out", "--learner", "oscar"), *more]) == 1
    assert message in capsys.readouterr().err


def test_labels(model: Path, corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    dev = (corpus / "dev.de").read_text().splitlines()
    lines = len(dev)
    labels, text = tmp_path / "labels", tmp_path / "in"
    labels.write_text("news\n" * lines)
    text.write_text("\n".join(dev[:3]) + "\n")
    more = ["--features", "id,id@label", "--labels", str(labels), "--set", "epochs=1"]
    assert run(arguments(model, corpus, tmp_path / "out", *more)) == 0
    assert "<@news>" in (tmp_path / "out" / "weights.txt").read_text()
    capsys.readouterr()
    scores = []
    for label in ([], ["--label", "news"]):
        assert run(["translate", str(tmp_path / "out"), "--input", str(text), "--json", *label]) == 0
        rows = map(json.loads, capsys.readouterr().out.splitlines())
        scores.append([row["translations"][0]["score"] for row in rows])
    assert len(scores[0]) == 3 and scores[0] != scores[1]
    assert run(["translate", str(model), "--input", str(text), "--label", "news"]) == 1
    assert "this model has no features of labels" in capsys.readouterr().err
    labels.write_text("news\n" * (lines + 1))
    assert run(arguments(model, corpus, tmp_path / "other", *more)) == 1
    assert f"expected {lines:,} labels (got {lines + 1:,})" in capsys.readouterr().err
