"""`demotic tune --discretize` and `--search`, `demotic weights plot`, and translation with what they make."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from demotic._core import input_values
from demotic.base import DemoticError
from demotic.cli.main import run
from demotic.decode import TranslationModel
from demotic.features import Bins, Weights
from demotic.grammar import ExtractOptions
from demotic.pipeline.search_space import Range, SearchOptions, SearchSpace, read_space
from demotic.report.weight_plot import WeightCurve
from small_model import make_model


@pytest.fixture(scope="module")
def model(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_model(corpus, tmp_path_factory.mktemp("model"), grammar=ExtractOptions(features="clark8"))


def arguments(model: Path, corpus: Path, out: Path, *more: str) -> list[str]:
    files = ["--src", str(corpus / "dev.de"), "--ref", str(corpus / "dev.en")]
    small = ["--set", "k=15", "--set", "iterations=1", "--threads", "1"]
    return ["tune", str(model), "--learner", "pro", *files, "--out", str(out), *small, *more]


def held_out(corpus: Path) -> list[str]:
    return ["--held-out-src", str(corpus / "devtest.de"), "--held-out-ref", str(corpus / "devtest.en")]


@pytest.fixture(scope="module")
def tuned(model: Path, corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("tuned")
    more = ["--discretize", "bits=2", "--set", "regularizer=mnr", "--set", "beta=10", "--features", "shape"]
    assert run(arguments(model, corpus, out, *more)) == 0
    return out


def test_the_tuned_model_translates_and_explains(
    tuned: Path, corpus: Path, capsys: pytest.CaptureFixture[str]
):
    assert run(["translate", str(tuned), "--input", str(corpus / "test.de")]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 20
    assert run(["translate", str(tuned), "--input", str(corpus / "test.de"), "--explain"]) == 0
    assert "bin:ProbEgivenF" in capsys.readouterr().out
    moved = tuned.parent / "moved"
    shutil.copytree(tuned, moved, ignore=shutil.ignore_patterns("run"))
    assert TranslationModel(moved).bins == Bins.load(tuned / "bins.toml")


def test_what_is_learnt(tuned: Path):
    bins, weights = Bins.load(tuned / "bins.toml"), Weights.load(tuned / "weights.txt").to_dict()
    assert [each.feature for each in bins.features] == [
        "ProbLexEgivenF",
        "ProbLexFgivenE",
        "ProbEgivenF",
        "WordCount",
    ]
    assert all(len(each) == 4 for each in bins.features)
    assert set(bins.left_out) == {"LexEgivenF", "LexFgivenE", "EgivenFCoherent"} and not set(
        bins.left_out
    ) & set(weights)
    assert "WordPenalty" in weights and any(
        name.startswith("bin:WordCount_") for name in weights
    )  # footnote 10
    assert any(name.startswith("shape:") for name in weights)
    assert {name for name in weights if name.startswith("bin:")} <= set(bins.names)


def test_bins_begin_near_the_model(model: Path, tuned: Path, corpus: Path):
    """Before anything is learnt, the model with bins has nearly the scores of the one that it was made from."""
    first, begun = TranslationModel(model), TranslationModel(tuned / "run" / "discretized")
    lines = (corpus / "test.de").read_text().splitlines()[:5]
    for line in lines:
        words = first.preprocessor.words(line, "source")
        a, b = (each.decoder.decode(words).viterbi().scores[0] for each in (first, begun))
        assert b == pytest.approx(a, abs=0.15 * abs(a))


def test_bins_begin_with_the_weights_to_start_from(model: Path, tuned: Path, corpus: Path, tmp_path: Path):
    first = Weights.load(model / "weights.txt").to_dict()
    (tmp_path / "other").mkdir()
    Weights.from_dict({name: 2 * value for name, value in first.items()}).save(
        tmp_path / "other" / "weights.txt"
    )
    more = ["--discretize", "bits=2", "--start-from"]
    assert run(arguments(model, corpus, tmp_path / "out", *more, str(tmp_path / "other"))) == 0
    begun = Weights.load(tuned / "run" / "discretized" / "weights.txt").to_dict()
    twice = Weights.load(tmp_path / "out" / "run" / "discretized" / "weights.txt").to_dict()
    assert any(name.startswith("bin:") for name in begun)
    assert twice == {name: pytest.approx(2 * value) for name, value in begun.items()}
    assert run(arguments(model, corpus, tmp_path / "again", *more, str(tuned))) == 0  # weights of bins stay
    assert Weights.load(tmp_path / "again" / "run" / "discretized" / "weights.txt").to_dict() == begun


def test_inputs_are_what_extraction_counted(model: Path, corpus: Path):
    loaded = TranslationModel(model)
    words = loaded.preprocessor.words((corpus / "test.de").read_text().splitlines()[0], "source")
    grammar = loaded.index.grammar(words)
    names = ["ProbEgivenF", "ProbLexEgivenF", "CountF", "CountFE", "WordCount", "EgivenFCoherent"]
    values = dict(zip(names, input_values(grammar.native, names).T, strict=True))
    dense = dict(zip(grammar.feature_names, grammar.features.T, strict=True))
    assert values["ProbEgivenF"] == pytest.approx(10.0 ** -dense["EgivenFCoherent"], rel=1e-5)
    assert values["ProbLexEgivenF"] == pytest.approx(10.0 ** -dense["LexEgivenF"], rel=1e-5)
    assert (values["CountF"] == grammar.counts.samples).all()
    assert (values["CountFE"] == grammar.counts.count_fe).all()
    assert (values["EgivenFCoherent"] == dense["EgivenFCoherent"]).all()
    lengths = [sum(not symbol.startswith("[X,") for symbol in rule.target) for rule in grammar]
    assert values["WordCount"].tolist() == lengths


@pytest.mark.parametrize(
    "text", ["bits=3,overlap,start=zero", "bits=2,input=logp", "bits=2,input=counts", "bits=0"]
)
def test_other_discretizations(model: Path, corpus: Path, tmp_path: Path, text: str):
    assert run(arguments(model, corpus, tmp_path / "out", "--discretize", text)) == 0
    bins = Bins.load(tmp_path / "out" / "bins.toml")
    names = {each.feature for each in bins.features}
    assert bins.overlap == ("overlap" in text)
    if "counts" in text:
        assert {"CountF", "CountFE"} <= names and "ProbEgivenF" not in names
    elif "logp" in text:
        assert "EgivenFCoherent" in names
    elif text == "bits=0":
        assert (
            "ProbEgivenF" in bins.real
            and "ProbEgivenF" in Weights.load(tmp_path / "out" / "weights.txt").to_dict()
        )


def test_an_online_learner_takes_the_regularizer(model: Path, corpus: Path, tmp_path: Path):
    files = ["--src", str(corpus / "dev.de"), "--ref", str(corpus / "dev.en"), "--discretize", "bits=3"]
    plain = {}
    for kind in ("none", "lnr"):
        options = ["--set", "k=15", "--set", "epochs=1", "--set", f"regularizer={kind}", "--set", "beta=100"]
        out = tmp_path / kind
        assert run(["tune", str(model), "--learner", "svm", *files, *options, "--out", str(out)]) == 0
        weights = Weights.load(out / "weights.txt")
        curve = np.array([weights.get(name) for name in Bins.load(out / "bins.toml").features[2].names])
        plain[kind] = np.abs(np.diff(curve, 2)).sum()
    assert plain["lnr"] < plain["none"]


def test_the_plot(tuned: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    command = ["weights", "plot", str(tuned), "ProbEgivenF", "--out", str(tmp_path / "figure")]
    assert run([*command, "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert len(result["bins"]) == 4 and len(result["fit"]) == 2
    assert (tmp_path / "figure.png").read_bytes().startswith(b"\x89PNG")
    svg = (tmp_path / "figure.svg").read_bytes()
    assert run(command) == 0 and (tmp_path / "figure.svg").read_bytes() == svg
    assert "correlation with the start" in capsys.readouterr().out
    begun = Weights.load(tuned / "run" / "discretized" / "weights.txt")
    names = next(
        each for each in Bins.load(tuned / "bins.toml").features if each.feature == "ProbEgivenF"
    ).names
    assert result["start"] == [begun.get(name) for name in names]
    moved = tmp_path / "moved"
    shutil.copytree(tuned, moved, ignore=shutil.ignore_patterns("run"))
    assert run(["weights", "plot", str(moved), "ProbEgivenF", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["start"] is None


def test_correlations():
    x = np.array([0.0, 0.01, 0.1, 1.0])
    curve = WeightCurve.of(
        "P", x, x, np.array([7.0, -3.0, -1.0, 1.0]), start=np.array([7.0, -1.5, -0.5, 0.5])
    )
    assert curve.log_correlation == pytest.approx(1.0)  # without the bin at 0
    assert curve.start_correlation is not None and 0.9 < curve.start_correlation < 1
    falling = WeightCurve.of("P", x, x, -np.log10(x + 1e-9), start=np.zeros(4))
    assert falling.log_correlation == pytest.approx(-1.0) and falling.start_correlation is None


def test_the_fitted_curve():
    x = np.array([0.0, 0.01, 0.1, 1.0])
    curve = WeightCurve.of("P", x, x, np.array([-9.0, -3.0, -1.0, 1.0]))  # 0 has no logarithm
    assert curve.fit == pytest.approx((1.0, 2.0))
    assert WeightCurve.of("P", -x, -x, x).fit is None


SEARCH = """rounds = 2
confirm = 1
[options]
bits = [1, 2]
beta = [0.1, 10]
"""


def test_search(model: Path, corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "search.toml").write_text(SEARCH)
    more = [*held_out(corpus), "--set", "regularizer=lnr", "--search", str(tmp_path / "search.toml")]
    results = []
    for threads in ("2", "1"):
        out = tmp_path / f"out{threads}"
        assert run([*arguments(model, corpus, out, *more, "--json"), "--threads", threads]) == 0
        results.append(json.loads(capsys.readouterr().out))
    trials, winner = results[0]["trials"], results[0]["winner"]
    assert trials == results[1]["trials"] and winner == results[1]["winner"]
    assert (tmp_path / "out2" / "weights.txt").read_bytes() == (
        tmp_path / "out1" / "weights.txt"
    ).read_bytes()
    assert [trial["setting"] for trial in trials] == [
        {"beta": beta, "bits": bits} for beta in (0.1, 10) for bits in (1, 2)
    ]
    confirmed = [trial for trial in trials if trial["held_out_bleu"] is not None]
    assert len(confirmed) == 2 and winner["held_out_bleu"] == max(
        trial["held_out_bleu"] for trial in confirmed
    )
    assert {trial["setting"]["bits"] for trial in confirmed} == {1, 2}  # the best on each set of lists
    for best in confirmed:
        alike = [t for t in trials if t["setting"]["bits"] == best["setting"]["bits"]]
        assert best["held_out_list_bleu"] == max(trial["held_out_list_bleu"] for trial in alike)
    bins = Bins.load(tmp_path / "out1" / "bins.toml")
    assert len(bins.features[0]) == 2 ** winner["setting"]["bits"]
    # Run again, nothing is done but reading.
    shutil.rmtree(tmp_path / "out1" / "search" / "trials" / "0002")
    before = (tmp_path / "out1" / "search" / "trials" / "0001" / "trial" / "stage.json").stat().st_mtime_ns
    assert run(arguments(model, corpus, tmp_path / "out1", *more)) == 0
    assert (
        tmp_path / "out1" / "search" / "trials" / "0001" / "trial" / "stage.json"
    ).stat().st_mtime_ns == before
    assert (tmp_path / "out1" / "search" / "trials" / "0002").exists()


def test_search_of_a_metric(model: Path, corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Each trial has lists with the statistics of its own metric."""
    (tmp_path / "search.toml").write_text('[options]\nmetric = ["bleu+1", "nakov", "chrf"]\n')
    more = [*held_out(corpus), "--search", str(tmp_path / "search.toml"), "--json"]
    assert run(arguments(model, corpus, tmp_path / "out", *more)) == 0
    trials = json.loads(capsys.readouterr().out)["trials"]
    assert [trial["setting"]["metric"] for trial in trials] == ["bleu+1", "nakov", "chrf"]
    assert len(list((tmp_path / "out" / "search").glob("lists.*"))) == 2


def test_search_of_an_online_learner(
    model: Path, corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    (tmp_path / "search.toml").write_text("[options]\nepochs = [1, 2]\n")
    files = [
        "--src",
        str(corpus / "dev.de"),
        "--ref",
        str(corpus / "dev.en"),
        *held_out(corpus),
        "--set",
        "k=10",
    ]
    command = [
        "tune",
        str(model),
        "--learner",
        "perceptron",
        *files,
        "--out",
        str(tmp_path / "out"),
        "--threads",
        "1",
    ]
    assert run([*command, "--search", str(tmp_path / "search.toml"), "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    best = tmp_path / "out" / "search" / "trials" / f"{result['winner']['number']:04}"
    assert (tmp_path / "out" / "weights.txt").read_bytes() == (best / "weights.txt").read_bytes()
    assert all(
        trial["held_out_bleu"] is not None and trial["list_bleu"] is None for trial in result["trials"]
    )


def test_random_search():
    space = SearchSpace(
        {"beta": Range(0.1, 10, "log"), "bits": Range(2, 9), "l2": [1, 2]}, SearchOptions("random", trials=50)
    )
    settings = space.settings(7)
    assert settings == space.settings(7) != space.settings(8) and len(settings) == 50
    assert all(0.1 <= s["beta"] <= 10 and s["bits"] in range(2, 10) and s["l2"] in (1, 2) for s in settings)
    assert isinstance(settings[0]["bits"], int)
    assert 15 < sum(s["beta"] < 1 for s in settings) < 35


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no options to search"),
        ("[options]\nbeta = []", "options.beta must be a list"),
        ("[options]\nbeta = 3", "options.beta must be a list"),
        ("[options]\nbeta = {low = 1, high = 2}", "options.beta must be a list"),
        ("method = 'random'\n[options]\nbeta = {low = 2, high = 1}", "got 2 and 1"),
        ("method = 'random'\n[options]\nbeta = {low = 0, high = 1, scale = 'log'}", "got 0 and 1"),
        ("method = 'random'\n[options]\nbeta = {low = 1}", "options.beta must be a range"),
        ("method = 'bayes'\n[options]\nbeta = [1]", "bayes"),
        ("rounds = 0\n[options]\nbeta = [1]", "rounds must be at least 1"),
    ],
)
def test_bad_search_files(tmp_path: Path, text: str, message: str):
    (tmp_path / "search.toml").write_text(text)
    with pytest.raises(DemoticError, match=message):
        read_space(tmp_path / "search.toml")


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--discretize", "bits=99"], "bits must be between 0 and"),
        (["--discretize", "bits=x"], "option 'bits' must be a whole number"),
        (["--discretize", "bits"], "expected KEY=VALUE"),
        (["--discretize", "bitz=4"], "unknown option 'bitz'"),
        (["--discretize", "bits=4,input=q"], "unknown value for 'input': 'q'"),
        (["--set", "regularizer=mnr", "--set", "beta=-1"], "beta must be at least 0 (got -1"),
        (["--set", "regularizer=lmr"], "did you mean 'mnr'"),
        (["--search", "SEARCH"], "--search needs a held-out set"),
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
    (tmp_path / "s.toml").write_text(SEARCH)
    more = [str(tmp_path / "s.toml") if each == "SEARCH" else each for each in more]
    assert run(arguments(model, corpus, tmp_path / "out", *more)) == 1
    error = capsys.readouterr().err
    assert message in error and "Traceback" not in error


def test_a_discretised_model_is_not_discretised_again(
    model: Path, tuned: Path, corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    assert run(arguments(tuned, corpus, tmp_path / "out", "--discretize", "bits=2")) == 1
    assert "already has bins" in capsys.readouterr().err
    assert run(arguments(tuned, corpus, tmp_path / "again")) == 0  # but it can be tuned further
    assert Bins.load(tmp_path / "again" / "bins.toml") == Bins.load(tuned / "bins.toml")
    capsys.readouterr()
    assert run(["weights", "plot", str(model), "ProbEgivenF"]) == 1
    assert "bins.toml is missing" in capsys.readouterr().err
    assert run(["weights", "plot", str(tuned), "ProbEgivenG"]) == 1
    assert "did you mean 'ProbEgivenF'" in capsys.readouterr().err
