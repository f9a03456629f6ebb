"""The recipe: MERT, AdaGrad on training pairs, a blend of both, and what decides between them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sacrebleu

from demotic.base import DemoticError
from demotic.decode import (
    Decoder,
    Hypergraph,
    MbrOptions,
    TranslateOptions,
    TranslationModel,
    minimum_bayes_risk,
)
from demotic.evaluate import BLEU, References
from demotic.features import TemplateSet, Weights
from demotic.learn import Example, Tuned, TuningTask, read_examples, training_examples
from demotic.learn.fitting.weight_length import stretched
from demotic.learn.recipe.blend import END, START, Between, Blend, Shares
from demotic.learn.recipe.choosing import best_of, standard_error
from demotic.learn.recipe.crossed import Crossed
from demotic.learn.recipe.recipe_fitting import set_aside
from demotic.learn.recipe.recipe_learner import TEMPLATES
from demotic.learn.registry import make_learner
from demotic.pipeline.tune import TuneInput, make_task
from learn.fitting import run_learner
from learn.killing import killed_at

MERT = {"k": 10, "iterations": 1, "restarts": 0, "directions": 2}
OPTIONS: dict[str, Any] = {
    "lm_folds": 2,
    "held_out": 4,
    "mert": MERT,
    "adagrad": {"k": 10, "epochs": 2, "shards": 2, "redecode_every": 0},
}
Fit = Callable[..., Tuned]


@pytest.fixture(scope="module")
def task(model: TranslationModel, corpus: Path) -> TuningTask:
    dev = read_examples(corpus / "dev.de", [corpus / "dev.en"], model.preprocessor)[:6]
    return TuningTask(model.folder, ("word_pair", "shape"), training_examples(model, 20), dev=dev)


@pytest.fixture
def fit(task: TuningTask, fit_learner: Fit) -> Fit:
    def fit(workers: int = 2, folder: str = "", task: TuningTask = task, **options: Any) -> Tuned:
        learner = make_learner("recipe", {**OPTIONS, **options})
        return fit_learner(learner, task, workers, folder)

    return fit


@pytest.fixture(scope="module")
def whole(task: TuningTask, tmp_path_factory: pytest.TempPathFactory) -> Tuned:
    """A run that nobody disturbed."""
    return run_learner(make_learner("recipe", OPTIONS), task, tmp_path_factory.mktemp("recipe"))


def test_the_best_step_that_does_not_lose_on_dev_is_kept(whole: Tuned):
    steps = [row["step"] for row in whole.history]
    assert steps[:2] == ["mert", "adagrad"] and steps[2:] in ([], ["blend"])
    rows = [[row["dev_bleu"], row["held_out_bleu"]] for row in whole.history]
    assert whole.epoch == best_of(rows) + 1
    kept, changed = (
        Weights.unpack(each).to_dict() for each in (whole.vectors[whole.epoch - 1], whole.weights)
    )
    assert {**kept, "WordPenalty": 0} == {**changed, "WordPenalty": 0}
    sparse = [sum(":" in name for name in Weights.unpack(each).to_dict()) for each in whole.vectors]
    assert sparse[0] == 0 < sparse[1]


@pytest.mark.parametrize(
    ("bleu", "best"),
    [
        ([[40.0, 30.0]], 0),
        ([[40.0, 30.0], [39.9, 35.0]], 0),  # what helps training pairs alone
        ([[40.0, 30.0], [40.0, 30.5], [39.0, 32.0]], 1),
        ([[40.0, 30.0], [41.0, 30.0], [40.5, 30.5]], 1),  # equal gains: the first
        ([[40.0, 30.0], [41.0, 28.0]], 0),  # what helps the dev set alone
        ([[40.0], [39.0], [41.0], [40.5]], 2),  # one set
    ],
)
def test_what_is_best(bleu: list[list[float]], best: int):
    assert best_of(bleu) == best


def test_a_loss_within_the_tolerance_is_none():
    assert best_of([[40.0, 30.0], [39.8, 31.0], [39.6, 33.0]], tolerance=0.3) == 1


def test_the_standard_error_of_a_difference_in_bleu():
    """Against sacrebleu on sentences, each block left out once."""
    rng = np.random.default_rng(1)
    words = [f"w{i}" for i in range(12)]
    references = [" ".join(rng.choice(words, 9)) for _ in range(20)]
    systems = [
        [" ".join(w if rng.random() < keep else "x" for w in line.split()) for line in references]
        for keep in (0.9, 0.8)
    ]
    blocks = [range(i, i + 5) for i in range(0, 20, 5)]
    statistics = [
        np.array(
            [
                sum(BLEU.statistics_of(References([references[i].split()]), system[i].split()) for i in block)
                for block in blocks
            ]
        )
        for system in systems
    ]

    def bleu(system: list[str], left_out: range) -> float:
        kept = [i for i in range(20) if i not in left_out]
        pair = [system[i] for i in kept], [[references[i] for i in kept]]
        return sacrebleu.corpus_bleu(*pair, tokenize="none", force=True).score

    differences = np.array([bleu(systems[1], block) - bleu(systems[0], block) for block in blocks])
    expected = np.sqrt(3 / 4 * ((differences - differences.mean()) ** 2).sum())
    assert standard_error(*statistics) == pytest.approx(expected)
    assert standard_error(statistics[0], statistics[0]) == 0
    assert standard_error(statistics[0][:1], statistics[1][:1]) == 0  # one block says nothing


def test_a_blend_is_a_weighted_mean_of_dense_and_of_sparse_weights():
    start = Weights.from_dict({"Glue": 2.0, "WordPenalty": -1.0})
    end = Weights.from_dict({"Glue": 4.0, "LanguageModel": 8.0, "word_pair:a|b": 1.0, "shape:N": -2.0})
    blend = Blend(start.pack(), end.pack())
    between = Between(blend)
    assert between.at(START).to_dict() == start.to_dict()
    assert between.at(END).to_dict() == end.to_dict()
    assert between.at(Shares(dense=0.5, sparse=0.25)).to_dict() == {
        "Glue": 3.0,
        "LanguageModel": 4.0,
        "WordPenalty": -0.5,
        "word_pair:a|b": 0.25,
        "shape:N": -0.5,
    }
    assert blend.digest() != Blend(end.pack(), start.pack()).digest()


def test_a_blend_that_starts_elsewhere_takes_the_same_steps():
    start, other = ({"Glue": glue, "WordPenalty": 1.0} for glue in (2.0, 5.0))
    end = {"Glue": 4.0, "shape:N": -2.0}
    blend = Blend(Weights.from_dict(start).pack(), Weights.from_dict(end).pack())
    moved = blend.moved(Weights.from_dict(other).pack())
    assert Weights.unpack(moved.start).to_dict() == other
    assert Weights.unpack(moved.end).to_dict() == {"Glue": 7.0, "shape:N": -2.0}
    assert blend.moved(blend.start) == blend


def test_halves_of_dev_have_weights_of_their_own():
    crossed = Crossed(1, (2, 3)).map(lambda number: 10 * number)
    assert [crossed.of(half) for half in (None, 0, 1)] == [10, 20, 30]
    assert [Crossed(1).of(half) for half in (None, 0, 1)] == [1, 1, 1]


def test_blends_are_compared_on_dev_and_on_pairs_set_aside(
    fit: Fit, task: TuningTask, model: TranslationModel, tmp_path: Path
):
    """BLEU of each pair of shares, also with another word penalty, against a decoder that leaves pairs out, rescored from the middle, and
    sacrebleu.
    """
    options = {"dense_shares": [0.0, 1.0], "sparse_shares": [0.5, 1.0], "penalties": [0.1]}
    tuned = fit(folder="blend", lm_folds=0, cross_validate=False, **options)
    logged = map(json.loads, (tmp_path / "blend" / "metrics.jsonl").read_text("utf-8").splitlines())
    found = next(row for row in logged if "ways" in row)
    start = stretched(Weights.unpack(tuned.vectors[0]), 15.0)
    between = Between(Blend(start.pack(), tuned.vectors[1]))
    middle = between.at(Shares(0.5, 0.5))
    decoder = Decoder(model.lm, middle, model.index, TemplateSet(task.templates), model.options.decode)
    _, chosen = set_aside(task.examples, OPTIONS["held_out"])
    for figure, examples in (("dev_bleu", task.dev), ("held_out_bleu", chosen)):
        graphs = [decoder.decode(example.source, exclude=example.number) for example in examples]
        expected = []
        every = (START, *(Shares(*each) for each in product((0.0, 1.0), (0.5, 1.0))))
        for penalty, shares in product((0.0, 0.1), every):
            weights = between.at(shares)
            if penalty:
                weights.set("WordPenalty", weights.get("WordPenalty") + penalty * weights.dense_length())
            outputs = [" ".join(graph.rescore(weights).viterbi().sentence(0)) for graph in graphs]
            expected.append(_bleu(outputs, examples))
        assert found[figure] == pytest.approx(expected)
    rows = np.array([found["dev_bleu"], found["held_out_bleu"]]).T
    best = best_of(rows)
    shares = {name: found["ways"][best][name] for name in ("dense", "sparse")}
    penalty = found["ways"][best]["penalty"]
    if penalty == 0 and shares in (asdict(START), asdict(END)):
        assert tuned.history[2:] == []
    else:
        assert tuned.history[2]["shares"] == {**shares, "penalty": penalty}


@pytest.mark.parametrize("lines", [6, 5])
def test_each_half_of_dev_is_judged_by_weights_that_have_not_seen_it(
    fit: Fit, task: TuningTask, model: TranslationModel, tmp_path: Path, lines: int
):
    """Against MERT on each half by itself, what AdaGrad has learnt added to its weights, a decoder and sacrebleu."""
    dev = task.dev[:lines]
    tuned = fit(folder="whole", task=replace(task, dev=dev), lm_folds=0, mbr_scales=[])
    first, learnt = (Weights.unpack(each).to_dict() for each in tuned.vectors[:2])
    first = stretched(Weights.from_dict(first), 15.0).to_dict()
    outputs: dict[str, list[str]] = {"mert": [], "adagrad": []}
    others = []
    for i in (0, 1):
        half = TuningTask(model.folder, (), dev[i::2])
        found = run_learner(make_learner("mert", MERT), half, tmp_path / f"half{i}", 1)
        own = stretched(Weights.unpack(found.weights), 15.0).to_dict()
        names = {*first, *learnt, *own}
        added = {name: own.get(name, 0) + learnt.get(name, 0) - first.get(name, 0) for name in names}
        for step, values in (("mert", own), ("adagrad", added)):
            weights = Weights.from_dict(values)
            decoder = Decoder(
                model.lm, weights, model.index, TemplateSet(task.templates), model.options.decode
            )
            for example in dev[1 - i :: 2]:
                outputs[step].append(" ".join(decoder.decode(example.source).viterbi().sentence(0)))
        others += dev[1 - i :: 2]
    for row in tuned.history[:2]:
        assert row["dev_bleu"] == pytest.approx(_bleu(outputs[row["step"]], others))
    assert fit(cross_validate=False).history[0]["dev_bleu"] != pytest.approx(tuned.history[0]["dev_bleu"])


def test_a_cross_validation_knows_nothing_of_weights_tuned_on_all_of_dev(
    fit: Fit, task: TuningTask, tmp_path: Path
):
    tuned = replace(task, initial_weights=Weights.from_dict({"LanguageModel": 0.1, "Glue": 3.0}).pack())
    first, second = fit(folder="by-hand"), fit(folder="tuned", task=tuned, start="mert")
    assert first.vectors[0] != second.vectors[0]
    for half in ("mert.half1", "mert.half2"):
        weights = [sorted((tmp_path / run / half).rglob("weights*")) for run in ("by-hand", "tuned")]
        files = [[path for path in paths if path.is_file()] for paths in weights]
        assert files[0] and [path.read_bytes() for path in files[0]] == [
            path.read_bytes() for path in files[1]
        ]


def test_pairs_set_aside_are_translated_as_if_they_were_not_there(task: TuningTask, model: TranslationModel):
    # With one fold of the language model less to compare with: the model's own, without folds.
    learner_task = replace(task, initial_weights=model.weights.pack())
    options = {**OPTIONS, "lm_folds": 0}
    _, chosen = set_aside(task.examples, OPTIONS["held_out"])
    outputs = []
    for example in chosen:
        graph = model.decoder.decode(example.source, exclude=example.number)
        outputs.append(" ".join(graph.viterbi().sentence(0)))
    expected = _bleu(outputs, chosen)
    learner = make_learner("recipe", options)
    history = run_learner(learner, learner_task, model.folder.parent / "recipe-exclude", 1).history
    assert history[0]["step"] == "start"  # weights were given: no first MERT
    assert history[0]["held_out_bleu"] == pytest.approx(expected)


def test_the_way_of_choosing_does_best_on_dev_and_on_pairs_set_aside(
    fit: Fit, task: TuningTask, model: TranslationModel
):
    """BLEU of each way against a decoder that leaves the pair out, with other word penalties, and sacrebleu."""
    tuned = fit(lm_folds=0, mbr_scales=[3.0, 30.0], penalties=[0.0, 0.05], cross_validate=False)
    row = tuned.history[tuned.epoch - 1]
    start = Weights.unpack(tuned.vectors[tuned.epoch - 1])
    _, chosen = set_aside(task.examples, OPTIONS["held_out"])
    decoder = Decoder(model.lm, start, model.index, TemplateSet(task.templates), model.options.decode)
    sets = {"dev_bleu": task.dev, "held_out_bleu": chosen}
    graphs = {
        figure: [decoder.decode(example.source, exclude=example.number) for example in examples]
        for figure, examples in sets.items()
    }
    start.grow()
    scores = {}
    for scale, penalty in product((None, 3.0, 30.0), (0.0, 0.05)):
        own = Weights(start.index, start.values.copy())
        own.set("WordPenalty", own.get("WordPenalty") + penalty * start.dense_length())
        mbr = MbrOptions("consensus", scale / own.dense_length()) if scale else None
        scores[scale, penalty] = [
            _bleu([_best(graph.rescore(own), mbr) for graph in graphs[figure]], examples)
            for figure, examples in sets.items()
        ]
    best = best_of(list(scores.values()))
    scale, penalty = list(scores)[best]
    assert [row[f"chosen_{figure}"] for figure in sets] == pytest.approx(scores[scale, penalty])
    assert row["chosen"]["penalty"] == penalty
    assert tuned.translate == (TranslateOptions("consensus", scale) if scale else TranslateOptions())
    expected = start.to_dict()
    expected["WordPenalty"] += penalty * start.dense_length()
    assert Weights.unpack(tuned.weights).to_dict() == pytest.approx(expected)


def _best(graph: Hypergraph, mbr: MbrOptions | None) -> str:
    return " ".join((minimum_bayes_risk(graph, mbr) if mbr else graph.viterbi()).sentence(0))


def _bleu(outputs: list[str], examples: Sequence[Example]) -> float:
    references = [[example.references[0] for example in examples]]
    return sacrebleu.corpus_bleu(outputs, references, tokenize="none", force=True).score


def test_a_held_out_set_decides_alone(fit: Fit, task: TuningTask):
    tuned = fit(task=replace(task, held_out=task.dev[:3]))
    scores = [row["held_out_bleu"] for row in tuned.history]
    assert "dev_bleu" not in tuned.history[0] and tuned.epoch == scores.index(max(scores)) + 1


def test_consensus_and_other_lengths_can_be_left_out(fit: Fit):
    tuned = fit(mbr_scales=[], penalties=[])
    assert tuned.translate == TranslateOptions() and tuned.weights == tuned.vectors[tuned.epoch - 1]


@pytest.mark.parametrize("workers", [1, 3])
def test_the_number_of_workers_changes_nothing(fit: Fit, whole: Tuned, workers: int):
    again = fit(workers)
    assert (again.vectors, again.translate) == (whole.vectors, whole.translate)


@pytest.mark.parametrize("stage", ["epoch002", "decides.adagrad", "blend", "choice"])
def test_killed_and_resumed(fit: Fit, whole: Tuned, stage: str, monkeypatch: pytest.MonkeyPatch):
    with killed_at(stage, monkeypatch):
        fit(folder="same")
    assert fit(folder="same").vectors == whole.vectors


def test_what_is_set_aside(task: TuningTask):
    learnt, chosen = set_aside(task.examples, 3)
    assert len(chosen) == 3 and len(learnt) == len(task.examples) - 3
    assert sorted([*learnt, *chosen], key=task.examples.index) == list(task.examples)
    assert len(set_aside(task.examples, 1000)[1]) == len(task.examples) // 5
    with pytest.raises(DemoticError, match="at least 5 training pairs"):
        set_aside(task.examples[:4], 1)


def test_what_is_missing_is_said(fit: Fit, task: TuningTask):
    with pytest.raises(DemoticError, match="dev set"):
        fit(task=replace(task, dev=()))
    with pytest.raises(DemoticError, match="no sparse features"):
        fit(task=replace(task, templates=()))


@pytest.mark.parametrize(("asked", "found"), [(None, TEMPLATES), (("shape",), ("shape",))])
def test_it_brings_templates(model: TranslationModel, asked: tuple[str, ...] | None, found: tuple[str, ...]):
    files = TuneInput(model.folder, on_train=True, sentences=5, templates=asked)
    assert make_task(files, make_learner("recipe", {}), 1, model).templates == found
    assert make_task(files, make_learner("adagrad", {}), 1, model).templates == (asked or ())
