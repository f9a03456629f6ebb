"""Reports from the folders that commands leave: the demo, tuned models, replicas."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from demotic.base import DemoticError
from demotic.base.options import load_toml
from demotic.cli.main import run
from demotic.corpus.embedded import EmbeddedOptions
from demotic.decode import TranslationModel
from demotic.features import Weights
from demotic.pipeline.train_options import TrainOptions
from demotic.report import RunFolder, TestFiles, report_of_runs, rule_node
from demotic.report.history import read_history
from demotic.reproduce.demo import DemoResult, demo
from small_model import QUICK_ALIGNER

pytestmark = pytest.mark.usefixtures("quick_figures")


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> DemoResult:
    """The whole demo, on a very small corpus."""
    folder = tmp_path_factory.mktemp("demo")
    sizes = EmbeddedOptions(train=200, dev=8, devtest=4, test=20)
    return demo(folder, options=sizes, training=TrainOptions(align=QUICK_ALIGNER), plans=())


@pytest.fixture(scope="module")
def tuned(finished: DemoResult) -> Path:
    """The demo's model tuned by another learner, twice, with sparse features."""
    out, corpus = finished.corpus.parent / "sparse", finished.corpus
    files = ["--src", str(corpus / "dev.de"), "--ref", str(corpus / "dev.en"), "--out", str(out)]
    more = ["--features", "id,shape", "--set", "iterations=2", "--set", "k=20", "--replicas", "2", "--json"]
    assert run(["tune", str(finished.model), "--learner", "batchmira", *files, *more]) == 0
    return out


def test_the_demo_leaves_a_report(finished: DemoResult):
    assert finished.report == finished.corpus.parent / "report.html"
    page = finished.report.read_text("utf-8")
    for text in (
        "Demotic demo",
        "Results on test",
        "Learning",
        "Dense features",
        "Derivation",
        f"{finished.comparison.systems[0].mean:.1f}",
    ):
        assert text in page
    assert (finished.report.with_suffix(".figures") / "learning-bleu.svg").exists()
    assert len(finished.translations) == 20 and finished.translations[0].translation in (
        finished.corpus.parent / "test.translated.en"
    ).read_text("utf-8")


def test_what_a_run_folder_tells(finished: DemoResult):
    system = RunFolder.find(finished.corpus.parent, "MERT").system()
    assert (system.name, system.learner) == ("MERT", "mert")
    assert system.weights == TranslationModel(finished.model).weights.to_dict()
    assert system.epoch == load_toml(finished.model / "model.toml")["tuned"]["epoch"]
    assert [row["epoch"] for row in system.history] == list(range(1, len(system.history) + 1))
    assert all(row["decode_seconds"] >= 0 for row in system.history)
    assert RunFolder.find(finished.model / "run").folder == finished.model


def test_systems_with_replicas_are_compared(finished: DemoResult, tuned: Path):
    test = TestFiles(finished.corpus / "test.de", [finished.corpus / "test.en"], "test", 8, 200)
    runs = [RunFolder.find(finished.model, "MERT"), RunFolder.find(tuned)]
    report = report_of_runs(runs, test=test)
    comparison = report.test_sets[0].comparison
    assert comparison is not None
    assert [(s.name, len(s.scores)) for s in comparison.systems] == [("MERT", 1), ("sparse", 2)]
    for result in comparison.systems:
        assert result.interval is not None and result.interval[0] <= result.mean <= result.interval[1]
    explained = [e for e in report.test_sets[0].examples if e.outputs["sparse"].derivation]
    assert len(report.test_sets[0].examples) == 20 and len(explained) == 8
    texts = list(TranslationModel(tuned).translate([e.source for e in explained]))
    assert [
        e.outputs["sparse"].text for e in explained
    ] == texts  # of the replica that the model is a copy of
    system = report.systems[1]
    assert system.fired and any(name.startswith("id:") for name in system.fired)
    assert report.languages == ("de", "en") and not report.warnings
    assert report.configuration["sparse (where it differs)"]["features"] == {"templates": ["id", "shape"]}


def test_features_of_all_rules_add_up_to_the_score(finished: DemoResult, tuned: Path):
    model = TranslationModel(tuned)
    for line in (finished.corpus / "test.de").read_text("utf-8").splitlines()[:5]:
        graph = model.decoder.decode(model.preprocessor.words(line, "source"))
        best = graph.viterbi()
        root = rule_node(graph.derivation(best), graph, model.weights)
        assert root.total() == pytest.approx(best.scores[0], abs=1e-4)


def test_the_verb(finished: DemoResult, tuned: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    files = ["--test-src", str(finished.corpus / "test.de"), "--test-ref", str(finished.corpus / "test.en")]
    out = tmp_path / "page.html"
    arguments = ["report", f"base={finished.model}", str(tuned), *files, "--out", str(out), "--examples", "5"]
    assert run([*arguments, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["report"] == str(out)
    once = out.read_bytes()
    assert b"5 of 20 sentences" in once and b"base" in once
    assert run([*arguments, "--threads", "1"]) == 0
    assert out.read_bytes() == once
    assert run(["report", str(tuned), "--out", str(out)]) == 0  # without a test set
    assert run(["report", str(tuned), *files[:2]]) == 2


def test_bad_input(finished: DemoResult, tmp_path: Path):
    with pytest.raises(DemoticError, match=r"model\.toml is missing\n  hint: give a folder from"):
        RunFolder.find(tmp_path)
    with pytest.raises(DemoticError, match="two runs have the same name"):
        report_of_runs([RunFolder.find(finished.model)] * 2)
    short = tmp_path / "short.en"
    short.write_text("one line\n")
    with pytest.raises(DemoticError, match=r"test\.de: 20 lines, but .*short\.en has 1"):
        report_of_runs([RunFolder.find(finished.model)], test=TestFiles(finished.corpus / "test.de", [short]))


def test_a_model_of_another_version(finished: DemoResult, tmp_path: Path):
    old = tmp_path / "old"
    shutil.copytree(finished.model, old)
    text = (old / "model.toml").read_text("utf-8")
    (old / "model.toml").write_text(text.replace('demotic = "', 'demotic = "0.0.'), "utf-8")
    (warning,) = report_of_runs([RunFolder.find(old)]).warnings
    assert warning.startswith("old was made by Demotic 0.0.")


@pytest.mark.parametrize("content", ["{", "[]", '{"read": 1}', "[" * 100_000])
def test_a_damaged_summary_of_preparation(finished: DemoResult, tmp_path: Path, content: str):
    folder = tmp_path / "damaged"
    shutil.copytree(finished.model, folder)
    (folder / "run" / "prepare" / "summary.json").write_text(content, "utf-8")
    with pytest.raises(DemoticError, match=r"summary\.json: the file is damaged"):
        report_of_runs([RunFolder.find(folder)])


def test_a_model_of_tokenised_text(finished: DemoResult, tmp_path: Path):
    shutil.copytree(finished.model, tmp_path / "model")
    text = (tmp_path / "model" / "model.toml").read_text("utf-8")
    (tmp_path / "model" / "model.toml").write_text(
        text.replace("tokenized = false", "tokenized = true"), "utf-8"
    )
    for language in ("de", "en"):
        (tmp_path / f"test.{language}").write_text("das haus &apos;s .\n", "utf-8")
    test = TestFiles(tmp_path / "test.de", [tmp_path / "test.en"], shuffles=10)
    (test_set,) = report_of_runs([RunFolder.find(tmp_path)], test=test).test_sets
    assert test_set.comparison is not None and test_set.comparison.metric == "bleu-tokens"
    assert test_set.examples[0].outputs["model"].text.endswith(".")


def test_groups_and_bins_of_a_model(finished: DemoResult, tuned: Path, tmp_path: Path):
    names = [name for name in Weights.load(tuned / "weights.txt").to_dict() if ":" in name][:3]
    shutil.copytree(tuned, tmp_path / "grouped", ignore=shutil.ignore_patterns("replicas"))
    (tmp_path / "grouped" / "groups.txt").write_text(
        f"{names[0]}\t1\n{names[1]}\t1\n{names[2]}\t2\n", "utf-8"
    )
    groups = RunFolder.find(tmp_path / "grouped").system().groups
    assert [list(group.features) for group in groups] == [names[:2], names[2:]]
    corpus, out = finished.corpus, str(tmp_path / "binned")
    files = ["--src", str(corpus / "dev.de"), "--ref", str(corpus / "dev.en"), "--out", out]
    few = ["--discretize", "bits=2", "--set", "iterations=1", "--set", "k=20", "--json"]
    assert run(["tune", str(finished.model), "--learner", "pro", *files, *few]) == 0
    curves = RunFolder.find(out).system().bins
    assert curves and all(len(curve.weights) > 1 for curve in curves)


def log(folder: Path, *rows: object) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "metrics.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return folder


def test_a_rerun_keeps_the_seconds_of_the_first(tmp_path: Path):
    first = [{"epoch": t, "bleu": 20.0 + t, "decode_seconds": 5.0} for t in (1, 2)]
    again = [{"epoch": t, "bleu": 20.0 + t} for t in (1, 2)]
    other = [{"epoch": 1, "bleu": 30.0, "decode_seconds": 1.0}]
    assert read_history(log(tmp_path / "a", {"stage": "x"}, *first, *again)) == first
    assert (
        read_history(log(tmp_path / "b", *first, *other)) == other
    )  # other options: what was before does not count
    assert read_history(log(tmp_path / "c", *other, *again)) == again
    assert read_history(tmp_path / "none") == []


def test_of_several_strengths_the_best(tmp_path: Path):
    for strength, bleu in (("0.1", 20.0), ("0.01", 25.0)):
        log(tmp_path / f"strength-{strength}", {"epoch": 1, "held_out_bleu": bleu})
    assert read_history(tmp_path) == [{"epoch": 1, "held_out_bleu": 25.0}]


def test_parts_of_a_learner_do_not_speak_for_it(tmp_path: Path):
    """Line searches of HOLS see the sentences they move the weights for: their BLEU is higher."""
    own = [{"epoch": 1, "search_bleu": 50.0, "held_out_bleu": 30.0}]
    log(tmp_path, {"stage": "fold_models"}, *own)
    log(tmp_path / "search1", {"epoch": 1, "bleu": 49.0}, {"epoch": 2, "bleu": 50.0})
    assert read_history(tmp_path) == own


def test_a_damaged_log(tmp_path: Path):
    (tmp_path / "metrics.jsonl").write_text('{"epoch": 1}\n{"epo')
    with pytest.raises(DemoticError, match=r"metrics\.jsonl:2: not valid JSON"):
        read_history(tmp_path)
