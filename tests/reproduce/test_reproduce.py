"""`demotic reproduce`: the packaged experiments, and whole tables on a tiny corpus."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from demotic.base import DemoticError
from demotic.base.files import read_lines
from demotic.corpus.embedded import EmbeddedOptions, write
from demotic.decode import TranslationModel
from demotic.decode.options import TranslateOptions
from demotic.evaluate import TextKind, approximate_randomization, corpus_metric
from demotic.learn import DataSizes, Decodings, make_learner
from demotic.learn.registry import learner_options
from demotic.reproduce import (
    SCALES,
    CorpusFolder,
    ReproduceOptions,
    Result,
    experiment_names,
    load_experiment,
    nominal_minutes,
    read_experiment,
    reproduce,
)
from tiny_experiment import BLEU, TINY_BASE, experiment, run

pytestmark = pytest.mark.usefixtures("quick_figures")


@pytest.mark.parametrize("name", experiment_names())
@pytest.mark.parametrize("scale", SCALES)
def test_packaged_experiments_are_sound(name: str, scale: str):
    found = load_experiment(name, scale)  # type: ignore[arg-type]
    assert found.paper and found.title and found.corpus
    titles = {column.title for column in found.columns}
    for row in found.systems():
        learner_options(row.learner, found.learner_options(row))
    if found.kind == "systems":
        for row in found.rows:
            assert set(row.labels) <= titles and set(row.published) <= titles, row.id
    assert nominal_minutes(found) > 0


def test_small_scales_end_within_ten_minutes():
    too_long = {
        name: minutes
        for name in experiment_names()
        if (minutes := nominal_minutes(load_experiment(name, "small"))) > 10
    }
    assert not too_long


def test_the_names_are_those_of_the_design():
    simianer = {f"simianer2012-{part}" for part in ("table1", "table2", "table3", "fig4")}
    tables = ("table1", "table2", "table3", "table4", "table56", "fig1", "fig2")
    flanigan = {f"flanigan2013-{part}" for part in tables}
    clark = {f"clark2014-{part}" for part in ("table1", "table2", "table3", "fig7")}
    others = {
        "simianer2013-tasks",
        "liu2013-table1",
        "tots2011",
        "training-search",
        "learning-causes",
        "whole-training-set",
        "learners",
        "class-lm",
    }
    assert set(experiment_names()) == {*simianer, *flanigan, *clark, *others}


SYSTEMS = (
    '[[columns]]\ntitle = "name"\n'
    + BLEU
    + """
[[columns]]
title = "dev"
value = "bleu"
set = "select"
epoch = true
deviation = true
[[columns]]
title = "seen"
value = "bleu"
set = "seen"
[[columns]]
title = "reused"
value = "reused"
[[marks]]
against = "row:a"
symbol = "*"
p = 1.1
[[marks]]
against = "best"
symbol = "†"
[[marks]]
against = "peers"
p = 1.1
[[rows]]
id = "a"
group = "1"
learner = "mert"
replicas = 2
labels = { name = "MERT" }
published = { test = "27.1" }
[[rows]]
id = "b"
group = "2"
learner = "perceptron"
start = "a"
choose = true
options = { start = "model", epochs = 2 }
labels = { name = "perceptron" }
[[rows]]
id = "c"
group = "2"
learner = "itermix"
on = "train"
features = ["id"]
labels = { name = "shards" }
[[rows]]
id = "d"
difference = ["a", "b"]
labels = { name = "difference" }
[figure]
curves = ["b"]
"""
)


def epoch_curves_of(result: Result, row: str) -> list[float]:
    """BLEU of the held-out set in the checkpoints of a row's only run."""
    (model,) = next(each["models"] for each in result.data["systems"] if each["row"] == row)
    lines = (Path(model) / "run" / "metrics.jsonl").read_text("utf-8").splitlines()
    return [found["held_out_bleu"] for line in lines if "held_out_bleu" in (found := json.loads(line))]


def test_a_table_runs_through_and_again_without_work(corpus_folder: CorpusFolder, out: Path, tmp_path: Path):
    tiny = experiment(tmp_path, SYSTEMS)
    result, cells = run(tiny, corpus_folder, out)
    assert result.table.header() == [
        "name", "test", "test (paper)", "dev", "seen", "reused", "#features", "minutes",
    ]  # fmt: skip
    assert cells["MERT/test (paper)"] == "27.1" and cells["MERT/#features"] == "8"
    assert cells["perceptron/test"].endswith("*¹") or "*" in cells["perceptron/test"]
    assert "²" in cells["MERT/test"] and "±" in cells["MERT/dev"] and "@" in cells["perceptron/dev"]
    by_epoch = epoch_curves_of(result, "b")
    assert len(by_epoch) == 2 and cells["perceptron/dev"].startswith(f"{max(by_epoch):.2f}")
    assert f"best {max(by_epoch):.1f} after" in result.figures[0].description
    first, second = (float(cells[f"{name}/test"][:5].rstrip("*†¹²")) for name in ("MERT", "perceptron"))
    assert float(cells["difference/test"].replace("−", "-").replace("±", "")) == pytest.approx(
        second - first, abs=0.011
    )
    assert int(cells["shards/reused"].replace(",", "")) <= int(cells["shards/#features"].replace(",", ""))
    assert any("the paper's corpus is another" in note for note in result.remarks())
    folder = out / "tiny-full"
    names = {"table.txt", "table.md", "table.tex", "result.json", "report.html"}
    assert names <= {path.name for path in folder.iterdir()}
    assert json.loads((folder / "result.json").read_text())["systems"][0]["bleu"]["test"]
    assert r"\textbf" in (folder / "table.tex").read_text()
    page = (folder / "report.html").read_text()
    assert "a tiny table" in page and "Differences and p-values are against MERT," in page
    before = {path: path.stat().st_mtime_ns for path in out.rglob("weights.txt")}
    texts = {name: (folder / name).read_bytes() for name in names}
    reused = []
    reproduce(
        tiny,
        corpus_folder,
        out,
        ReproduceOptions(threads=1),
        on_stage=lambda name, seconds: reused.append(seconds is None),
    )
    assert all(reused)
    assert {path: path.stat().st_mtime_ns for path in out.rglob("weights.txt")} == before
    assert {name: (folder / name).read_bytes() for name in names} == texts


DECODINGS = """
[[columns]]
title = "name"
[[columns]]
title = "best score"
value = "bleu"
decode = "best"
[[columns]]
title = "consensus"
value = "bleu"
decode = "consensus"
[[columns]]
title = "reused"
value = "reused"
[[columns]]
title = "p"
value = "p"
decode = "consensus"
difference = "a"
[[columns]]
title = "length"
value = "length"
decode = "consensus"
[[rows]]
id = "a"
learner = "mert"
replicas = 2
labels = { name = "MERT" }
[[rows]]
id = "b"
learner = "perceptron"
start = "a"
replicas = 2
labels = { name = "perceptron" }
"""


def test_translations_are_chosen_as_a_column_says(corpus_folder: CorpusFolder, out: Path, tmp_path: Path):
    result, cells = run(experiment(tmp_path, DECODINGS), corpus_folder, out)
    assert cells["MERT/p"] == "–"
    assert (
        cells["MERT/reused"] == "8"
    )  # all of hiero8, although no column has the translations that the model chooses
    statistics: dict[str, dict[str, list[np.ndarray]]] = {"best score": {}, "consensus": {}}
    metric, ratios = None, dict[str, list[float]]()
    for system in result.data["systems"]:
        for folder in map(Path, system["models"]):
            model = TranslationModel(folder)
            for name, how in {"best score": "none", "consensus": "consensus"}.items():
                choice = model.choice(how=TranslateOptions(mbr=how))
                lists = model.lists(read_lines(corpus_folder.folder / "test.de"), choice)
                lines = [" ".join(found.sentence(0)) for found in lists]
                if metric is None:
                    words = [
                        " ".join(model.preprocessor.words(line, "target"))
                        for line in read_lines(corpus_folder.folder / "test.en")
                    ]
                    metric = corpus_metric("bleu-tokens", [words], TextKind(tokenized=True))
                statistics[name].setdefault(system["row"], []).append(metric.statistics(lines))
                if name == "consensus":
                    ratio = len(" ".join(lines).split()) / len(" ".join(words).split())
                    ratios.setdefault(system["row"], []).append(ratio)
    assert metric is not None
    labels = {"a": "MERT", "b": "perceptron"}
    for name, by_row in statistics.items():
        for row, found in by_row.items():
            mean = np.mean([metric.scores(each.sum(axis=0)) for each in found])
            assert cells[f"{labels[row]}/{name}"] == f"{mean:.2f}"
    for row, found in ratios.items():
        assert cells[f"{labels[row]}/length"] == f"{np.mean(found):.3f}"
    both = [np.stack(statistics["consensus"][row], axis=1) for row in ("a", "b")]
    p = approximate_randomization(*both, metric.scores, 50, 1, 1)
    assert float(cells["perceptron/p"]) == pytest.approx(p, abs=0.005)


def test_a_scale_changes_options_of_a_learner_and_of_a_row(tmp_path: Path):
    text = TINY_BASE + "[scale.small.options]\npro = { k = 5 }\n"
    text += "[scale.small.row_options]\nb = { iterations = 7 }\n"
    text += "".join(f'[[rows]]\nid = "{row}"\nlearner = "pro"\n' for row in "ab")
    path = tmp_path / "tiny.toml"
    path.write_text(text, "utf-8")
    small = read_experiment(path, "small")
    chosen = [small.learner_options(row) for row in small.rows]
    assert [(each["k"], each["iterations"]) for each in chosen] == [(5, 1), (5, 7)]
    path.write_text(text.replace("b = {", "c = {"), "utf-8")
    with pytest.raises(DemoticError, match="unknown row 'c'"):
        read_experiment(path, "small")


def test_sizes_of_a_corpus(corpus_folder: CorpusFolder, out: Path, tmp_path: Path):
    text = '[figure]\nlayout = "sets"\nrules = true\nsets = ["dev", "test", "news-test"]\n'
    text += '[[rows]]\nid = "nc"\nlabels = { of = "nc" }\npublished = { dev = "1057" }\n'
    tiny = replace(experiment(tmp_path, text), kind="corpus", name="sizes")
    result, cells = run(tiny, corpus_folder, out)
    assert cells["Sentences/dev"] == "8" and cells["paper: nc/dev"] == "1057"
    words = sum(len(line.split()) for line in (corpus_folder.folder / "dev.de").read_text().splitlines())
    assert int(cells["Tokens de/dev"].replace(",", "")) >= words
    rules, total = (int(part.strip("()").replace(",", "")) for part in cells["Rule Count/dev"].split())
    assert 0 < rules < total
    assert any("news-test" in note for note in result.remarks())  # what the corpus lacks is said


def test_a_budget_cuts_sentences_and_keeps_to_its_plan(
    corpus_folder: CorpusFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    text = BLEU + '[[rows]]\nid = "p"\nlearner = "itermix"\non = "train"\noptions = { epochs = 2 }\n'
    tiny = replace(experiment(tmp_path, text), sizes=replace(experiment(tmp_path, text).sizes, sentences=140))
    said: list[str] = []
    options = ReproduceOptions(threads=1, budget=1e9)
    with pytest.raises(DemoticError, match="too small"):
        reproduce(tiny, corpus_folder, tmp_path / "out", replace(options, budget=0.001))
    monkeypatch.setattr(  # how fast the machine is must not decide
        "demotic.reproduce.run.within",
        lambda budget, forecaster, levels: (0.2, forecaster.forecast(levels, 0.2)),
    )
    result, _ = reproduce(tiny, corpus_folder, tmp_path / "out", options, say=said.append)
    monkeypatch.undo()
    assert result.experiment.sizes.sentences == 28
    assert any("cut down to the budget" in line for line in said)
    again, _ = reproduce(tiny, corpus_folder, tmp_path / "out", options)
    assert again.experiment.sizes == result.experiment.sizes


def test_the_forecast_counts_what_learners_decode():
    sizes = DataSizes(learnt=100, dev=20, select=10)

    def decodings(name: str, **values: object) -> Decodings:
        return make_learner(name, values).decodings(sizes)

    assert decodings("pro", iterations=5, k=50) == Decodings(50, 600, 50, in_memory=100)
    assert decodings("itermix", epochs=3) == Decodings(100, 300, 30)
    assert decodings("l1", epochs=3, strengths=[1, 2]) == Decodings(100, 600, 60)
    # 2 x 100 gradients, 2 x (5 + 1) searches of a fold of 20, 8 + 1 rounds of the first MERT, 10 + 1 of the last
    assert decodings("hols", passes=2, updates=2).lists == 200 + 240 + 180 + 220
    assert decodings("oscar", iterations=2).lists == 2 * (100 + 11 * 20)


def test_too_little_data(tmp_path: Path):
    small = tmp_path / "small"
    write(small, EmbeddedOptions(train=60, dev=2, devtest=8, test=4))
    tiny = experiment(tmp_path, BLEU + '[[rows]]\nid = "m"\nlearner = "mert"\n')
    with pytest.raises(DemoticError, match=r"dev\.de: too few sentences \(got 2\)"):
        reproduce(tiny, CorpusFolder(small), tmp_path / "out")
    (small / "dev.en").write_text("only one\n")
    with pytest.raises(DemoticError, match="different numbers of lines"):
        reproduce(tiny, CorpusFolder(small), tmp_path / "out")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[[rows]]\nid = "a"\nlearner = "mert"\nstart = "b"\n', "unknown row 'b'"),
        ('[[rows]]\nlearner = "mert"\n', "needs a unique id"),
        ('[[rows]]\nid = "a"\nlerner = "mert"\n', "unknown option 'rows\\[0\\].lerner'"),
        ('[[columns]]\nvalue = "p"\n[[rows]]\nid = "a"\nlearner = "mert"\n', "unknown row ''"),
        ('[figure]\ncurves = ["a"]\n[[rows]]\nid = "a"\nlearner = "mert"\n', "has no curve of epochs"),
        ('[figure]\nby_minutes = "x"\n[[rows]]\nid = "a"\nlearner = "mert"\n', "unknown column 'x'"),
        ('[[rows]]\nid = "a"\nlearner = "mert"\nmodel = "x"\n', "unknown model 'x'"),
        ("[models.m]\nlmm = { order = 2 }\n", "unknown option 'models.m.lmm'"),
        (
            '[models.m]\n[[rows]]\nid = "a"\nlearner = "mert"\n'
            '[[rows]]\nid = "b"\nlearner = "mert"\nstart = "a"\nmodel = "m"\n',
            "has both start and model",
        ),
        ('[figure]\nbaseline = "x"\n[[rows]]\nid = "a"\nlearner = "mert"\n', "unknown row 'x'"),
        ('[[marks]]\nagainst = "row:x"\n[[rows]]\nid = "a"\nlearner = "mert"\n', "unknown row 'x'"),
    ],
)
def test_bad_experiments(tmp_path: Path, text: str, message: str):
    with pytest.raises(DemoticError, match=message):
        experiment(tmp_path, text)
