"""`demotic tune --replicas`, the batch learners by name, and `demotic compare --plot`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from demotic.cli.main import run
from demotic.features import Weights


def arguments(model: Path, corpus: Path, out: Path, learner: str, *more: str) -> list[str]:
    files = ["--src", str(corpus / "dev.de"), "--ref", str(corpus / "dev.en")]
    held_out = ["--held-out-src", str(corpus / "devtest.de"), "--held-out-ref", str(corpus / "devtest.en")]
    return ["tune", str(model), "--learner", learner, *files, *held_out, "--out", str(out), "--json", *more]


SMALL = ["--set", "k=10", "--set", "iterations=1"]
ALONE = ["--replicas", "2", "--threads", "1"]  # one after the other: no processes to start


def test_replicas(model: Path, corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    out = tmp_path / "out"
    assert run(arguments(model, corpus, out, "mert", "--replicas", "2", "--threads", "2", *SMALL)) == 0
    result = json.loads(capsys.readouterr().out)
    replicas = result["replicas"]
    assert [replica["seed"] for replica in replicas] == [1, 2]
    weights = [(Path(replica["model"]) / "weights.txt").read_bytes() for replica in replicas]
    assert weights[0] != weights[1]
    scores = [replica["bleu"] for replica in replicas]
    assert scores == [replica["history"][replica["epoch"] - 1]["held_out_bleu"] for replica in replicas]
    assert (out / "weights.txt").read_bytes() == weights[scores.index(max(scores))]
    assert result["mean"] == pytest.approx(sum(scores) / 2)
    alone = tmp_path / "alone"
    more = ["--seed", "2", "--replicas", "2", "--threads", "1", *SMALL]
    assert run(arguments(model, corpus, alone, "mert", *more)) == 0
    assert (alone / "replicas" / "1" / "weights.txt").read_bytes() == weights[1]
    capsys.readouterr()
    shown = [word for word in arguments(model, corpus, alone, "mert", *more) if word != "--json"]
    assert run(shown) == 0
    assert "held-out BLEU" in capsys.readouterr().out
    (tmp_path / "in").write_text("Die Frau trägt einen Mantel.\n")
    assert run(["translate", str(out), "--input", str(tmp_path / "in")]) == 0


def test_draws_learn_from_samples_of_their_own(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    still = ["--sentences", "4", "--set", "k=5", "--set", "epochs=1", "--threads", "1", "--json"]
    begin = ["tune", str(model), "--learner", "perceptron", "--on-train", *still]
    assert run([*begin, "--draws", "2", "--out", str(tmp_path / "draws")]) == 0
    draws = json.loads(capsys.readouterr().out)["replicas"]
    assert [draw["seed"] for draw in draws] == [1, 2]
    assert run([*begin, "--seed", "2", "--out", str(tmp_path / "second")]) == 0  # the sample of seed 2
    second = (tmp_path / "second" / "weights.txt").read_bytes()
    assert (Path(draws[1]["model"]) / "weights.txt").read_bytes() == second
    assert (Path(draws[0]["model"]) / "weights.txt").read_bytes() != second


@pytest.mark.parametrize("more", [["--draws", "2"], ["--draws", "2", "--replicas", "2"]])
def test_draws_need_a_sample(model: Path, corpus: Path, tmp_path: Path, more: list[str]):
    assert run(arguments(model, corpus, tmp_path / "out", "perceptron", *more)) == 2


def test_replicas_start_from_those_of_another_learner(
    model: Path, corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """Flanigan et al. (2013): each learner starts from MERT's weights of the same replica; new features from 0."""
    mert, other = tmp_path / "mert", tmp_path / "other"
    assert run(arguments(model, corpus, mert, "mert", *ALONE, *SMALL)) == 0
    still = ["--set", "learning_rate=1e-9", "--set", "epochs=1", "--set", "k=10", "--features", "shape"]
    start = ["--start-from", str(mert)]
    assert run(arguments(model, corpus, other, "perceptron", *ALONE, *start, *still)) == 0
    for r in "12":
        before, after = (Weights.load(out / "replicas" / r / "weights.txt") for out in (mert, other))
        assert {name: after.get(name) for name in before.to_dict()} == pytest.approx(
            before.to_dict(), abs=1e-3
        )
        assert all(abs(value) < 1e-3 for name, value in after.items() if ":" in name)
    capsys.readouterr()
    assert run(arguments(model, corpus, other, "perceptron", "--replicas", "3", *start, *still)) == 1
    assert "no replica 3 to start from" in capsys.readouterr().err
    assert run(arguments(model, corpus, other, "perceptron", *start, "--set", "start=zero")) == 2


@pytest.mark.parametrize("options", [["on=hypergraphs", "restarts=0", "density=20"], ["metric=bleu-ter"]])
def test_forms_of_mert(
    model: Path, corpus: Path, tmp_path: Path, options: list[str], capsys: pytest.CaptureFixture[str]
):
    more = [part for option in options for part in ("--set", option)]
    assert run(arguments(model, corpus, tmp_path / "out", "mert", *ALONE, *SMALL, *more)) == 0
    replicas = json.loads(capsys.readouterr().out)["replicas"]
    best = max(replicas, key=lambda replica: replica["quality"])
    assert (tmp_path / "out" / "weights.txt").read_text() == (Path(best["model"]) / "weights.txt").read_text()


@pytest.mark.parametrize("learner", ["pro", "batchmira"])
def test_batch_learners_by_name(
    model: Path, corpus: Path, tmp_path: Path, learner: str, capsys: pytest.CaptureFixture[str]
):
    assert run(arguments(model, corpus, tmp_path / "out", learner, *SMALL)) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["learner"] == learner and result["history"][0]["bleu"] > 0


def test_presets(model: Path, corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    preset = ["--set", "preset=cdec", "--set", "pull=0"]
    assert run(arguments(model, corpus, tmp_path / "out", "pro", *SMALL, *preset)) == 0
    assert run(arguments(model, corpus, tmp_path / "no", "pro", "--set", "preset=moses")) == 1
    assert "unknown preset 'moses'" in capsys.readouterr().err
    assert run(arguments(model, corpus, tmp_path / "no", "mert", "--set", "preset=cdec")) == 1
    assert "unknown option 'preset'" in capsys.readouterr().err


def test_lists_of_strengths(model: Path, corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    more = ["--set", "k=10", "--set", "epochs=1", "--set", "strengths=[0.1, 10]"]
    assert run(arguments(model, corpus, tmp_path / "out", "l1", *more)) == 0
    assert json.loads(capsys.readouterr().out)["history"][0]["strength"] in (0.1, 10.0)
    assert {path.name for path in (tmp_path / "out" / "run").iterdir()} >= {"strength-0.1", "strength-10"}


def test_the_model_is_not_replaced(model: Path, corpus: Path, capsys: pytest.CaptureFixture[str]):
    assert run(arguments(model, corpus, model, "mert", "--replicas", "2")) == 1
    assert "would overwrite" in capsys.readouterr().err
    assert not (model / "replicas").exists()


def test_compare_draws_boxes(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    texts = {"ref": "a b c d e\nf g h i j\n", "m1": "a b c d x\nf g h i j\n", "m2": "a b c d e\nf g x i j\n"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    files = [str(tmp_path / name) for name in ("ref", "m1", "m2")]
    systems = ["--system", f"mert={files[1]},{files[2]}", "--system", f"other={files[1]}"]
    plot = ["--plot", str(tmp_path / "figure"), "--shuffles", "10"]
    assert run(["compare", "--ref", files[0], *systems, *plot]) == 0
    assert (tmp_path / "figure.png").exists() and (tmp_path / "figure.svg").exists()
    assert run(["compare", "--ref", files[0], *systems[2:], *plot]) == 1
    assert "a box plot needs" in capsys.readouterr().err
