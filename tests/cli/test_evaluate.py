"""`demotic evaluate` and `demotic compare` as users call them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
import sacrebleu

from demotic.base.files import read_lines
from demotic.cli.main import run
from demotic.corpus import PrepareOptions, Preprocessor
from demotic.decode import TranslationModel
from demotic.features import Weights
from grammar.corpora import index_of

HYPOTHESIS = "The small dog runs.\nA man sees it's tree.\nYes, of course!\n"
REFERENCE = "The small dog runs.\nA man sees the tree.\nYes, of course!\n"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "hyp").write_text(HYPOTHESIS)
    (tmp_path / "ref").write_text(REFERENCE)
    (tmp_path / "empty").write_text("")
    (tmp_path / "four").write_text(REFERENCE + "One more.\n")
    return tmp_path


def test_evaluate_prints_every_metric_with_its_signature(files: Path, capsys: pytest.CaptureFixture[str]):
    assert run(["evaluate", "--hyp", str(files / "hyp"), "--ref", str(files / "ref"), "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert set(result["signatures"]) == {"bleu", "bleu-tokens", "chrf", "ter"}
    assert 0 < result["bleu"] < 100
    assert "tok:13a" in result["signatures"]["bleu"]
    assert "tok:none" in result["signatures"]["bleu-tokens"]
    assert (result["sentences"], result["references"]) == (3, 1)
    assert run(["evaluate", "--hyp", str(files / "hyp"), "--ref", str(files / "ref")]) == 0
    assert f"{result['bleu']:.2f}" in capsys.readouterr().out


def test_evaluate_with_several_references_and_chosen_metrics(files: Path, capsys: pytest.CaptureFixture[str]):
    arguments = ["--ref", str(files / "ref"), "--ref", str(files / "hyp"), "--metric", "bleu", "--json"]
    assert run(["evaluate", "--hyp", str(files / "hyp"), *arguments]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["bleu"] == pytest.approx(100)
    assert "nrefs:2" in result["signatures"]["bleu"]
    assert "ter" not in result


def test_evaluate_tokenized(files: Path, capsys: pytest.CaptureFixture[str]):
    assert (
        run(["evaluate", "--tokenized", "--hyp", str(files / "hyp"), "--ref", str(files / "ref"), "--json"])
        == 0
    )
    assert set(json.loads(capsys.readouterr().out)["signatures"]) == {"bleu-tokens", "ter"}
    arguments = ["--tokenized", "--metric", "bleu", "--hyp", str(files / "hyp"), "--ref", str(files / "ref")]
    assert run(["evaluate", *arguments]) == 1
    assert "bleu needs detokenised text" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("hypothesis", "references", "messages"),
    [
        ("hyp", ["four"], ["hyp: 3 lines", "four has 4"]),
        ("empty", ["ref"], ["empty: the file is empty", "ref has 3 lines"]),
        ("hyp", ["ref", "four"], ["four: 4 lines", "ref has 3"]),
        ("hyp", ["empty"], ["the reference file is empty"]),
        ("none", ["ref"], ["none: no such file"]),
    ],
)
def test_what_does_not_belong_together(files, capsys, hypothesis, references, messages):
    arguments = [part for name in references for part in ("--ref", str(files / name))]
    assert run(["evaluate", "--hyp", str(files / hypothesis), *arguments]) == 1
    error = capsys.readouterr().err
    for message in messages:
        assert message in error
    assert run(["compare", "--system", f"a={files / hypothesis}", *arguments]) == 1
    assert messages[0] in capsys.readouterr().err


def test_compare(files: Path, capsys: pytest.CaptureFixture[str]):
    hyp, ref = files / "hyp", files / "ref"
    arguments = ["compare", "--ref", str(ref), "--system", f"a={hyp}", "--system", f"b={hyp},{ref}"]
    arguments += ["--shuffles", "100", "--metric", "bleu", "--metric", "ter"]
    assert run([*arguments, "--json"]) == 0
    bleu, ter = json.loads(capsys.readouterr().out)["comparisons"]
    assert (bleu["metric"], ter["metric"]) == ("bleu", "ter")
    assert [len(system["scores"]) for system in bleu["systems"]] == [1, 2]
    assert bleu["systems"][1]["scores"][1] == pytest.approx(100)
    for form, mark in [("table", "p (AR)"), ("markdown", "| --- |"), ("latex", r"\toprule")]:
        assert run([*arguments, "--format", form]) == 0
        assert capsys.readouterr().out.count(mark) == 2


@pytest.mark.parametrize(
    "wrong",
    [["--system", "a"], ["--system", "a=x", "--system", "a=y"], ["--system", "a=x", "--format", "html"]],
)
def test_wrong_usage_of_compare(files: Path, wrong: list[str]):
    assert run(["compare", "--ref", str(files / "ref"), *wrong]) == 2


def test_src_belongs_to_model(files: Path):
    arguments = ["--hyp", str(files / "hyp"), "--ref", str(files / "ref"), "--src", str(files / "hyp")]
    assert run(["evaluate", *arguments]) == 2


def test_a_test_set_in_the_training_corpus_is_warned_of(files: Path, capsys: pytest.CaptureFixture[str]):
    corpus = [
        (["ein", "hund"], ["a", "dog"], {(0, 0), (1, 1)}),
        (["das", "haus"], ["the", "house"], {(0, 0), (1, 1)}),
    ]
    index_of(corpus, files)
    Preprocessor(PrepareOptions()).save(files)
    (files / "src").write_text("Ein Hund\nEin Haus\n")
    (files / "ref").write_text("A dog\nA house\n")
    (files / "hyp").write_text("A dog\nThe house\n")
    arguments = ["--ref", str(files / "ref"), "--model", str(files), "--src", str(files / "src")]
    assert run(["evaluate", "--hyp", str(files / "hyp"), *arguments, "--json"]) == 0
    output = capsys.readouterr()
    assert json.loads(output.out)["leaks"]["pairs"] == [1]
    assert (
        "warning: 1 of 2 source sentences of the test set are in the training corpus (lines 1)" in output.err
    )
    assert run(["compare", "--system", f"a={files / 'hyp'}", *arguments, "--shuffles", "1000"]) == 0
    output = capsys.readouterr()
    assert "1,000 shuffles" in output.out
    assert "with their translation" in output.err
    assert "in the training corpus: 1 of 2 source sentences" in output.out
    assert run(["evaluate", "--hyp", str(files / "hyp"), "--ref", str(files / "ref")]) == 0
    assert "leak check: not done" in capsys.readouterr().out


def test_compare_models_on_several_test_sets(
    corpus: Path, model_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    system = tmp_path / "system"
    for replica in ("1", "2"):
        shutil.copytree(model_folder, system / "replicas" / replica, ignore=shutil.ignore_patterns("run"))
    weights = Weights.load(system / "replicas/2/weights.txt")
    Weights(weights.index, -weights.values).save(system / "replicas/2/weights.txt")
    tests = [f"--test={name}={corpus / name}.de,{corpus / name}.en" for name in ("devtest", "test")]
    systems = ["--system", f"base={model_folder}", "--system", f"other={system}"]
    assert run(["compare", *tests, *systems, "--shuffles", "50", "--json"]) == 0
    found = {each["test"]: each for each in json.loads(capsys.readouterr().out)["comparisons"]}
    assert list(found) == ["devtest", "test", "pooled"]
    for name in ("devtest", "test"):
        translations = list(TranslationModel(model_folder).translate(read_lines(corpus / f"{name}.de")))
        expected = sacrebleu.corpus_bleu(translations, [list(read_lines(corpus / f"{name}.en"))]).score
        base, other = found[name]["systems"]
        assert base["scores"] == pytest.approx([expected])
        assert other["scores"][0] == pytest.approx(expected) and other["scores"][1] < expected
    assert found["pooled"]["sentences"] == found["devtest"]["sentences"] + found["test"]["sentences"]
    both = sorted(found[name]["systems"][0]["scores"][0] for name in ("devtest", "test"))
    assert both[0] <= found["pooled"]["systems"][0]["scores"][0] <= both[1]


@pytest.mark.parametrize(
    ("wrong", "code", "message"),
    [
        (["--test", "t=ref"], 2, "NAME=SRC,REF"),
        (["--test", "t=ref,ref", "--ref", "ref"], 2, "either"),
        (["--test", "pooled=ref,ref"], 2, "taken"),
        (["--test", "t=ref,four"], 1, "3 lines, but"),
        (["--test", "t=ref,ref", "--test", "u=ref,ref,ref"], 1, "1 and 2 references cannot be pooled"),
        ([], 2, "either"),
    ],
)
def test_wrong_test_sets(files: Path, monkeypatch, capsys, wrong: list[str], code: int, message: str):
    monkeypatch.chdir(files)
    assert run(["compare", "--system", "a=model", *wrong]) == code
    assert message in capsys.readouterr().err
