"""MERT on hypergraphs, and MERT for other metrics than BLEU."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sacrebleu

from demotic import _core
from demotic.base import DemoticError
from demotic.cluster import executor
from demotic.decode import TranslationModel
from demotic.evaluate import Metric, References, tuning_metric
from demotic.features import PackedWeights, Weights
from demotic.learn import Example, Tuned, TuningTask, read_examples
from demotic.learn.batch.basis import Basis
from demotic.learn.batch.hypergraph_corpus import BlockOfGraphs, GraphOptions, HypergraphCorpus
from demotic.learn.batch.line_search import ClimbOptions
from demotic.learn.batch.mert import ListCorpus, MertOptions, climb
from demotic.learn.batch.pool import KBestPool
from demotic.learn.fitting.held_out import translate
from demotic.learn.registry import make_learner
from demotic.learn.workers.decoding import DecodingJob, Recipe
from demotic.learn.workers.graph_cache import GraphCache, Graphs
from demotic.learn.workers.kbest_lists import KBestLists
from demotic.learn.workers.kbest_work import ListBuilder
from demotic.learn.workers.shards import Shard

SMALL: dict[str, Any] = {"iterations": 2, "restarts": 1, "directions": 2, "density": 20}
Fit = Callable[..., Tuned]


@pytest.fixture(scope="module")
def task(model: TranslationModel, corpus: Path) -> TuningTask:
    examples = read_examples(corpus / "dev.de", [corpus / "dev.en"], model.preprocessor)[:6]
    held_out = read_examples(corpus / "devtest.de", [corpus / "devtest.en"], model.preprocessor)[:4]
    return TuningTask(model.folder, (), examples, held_out)


@pytest.fixture
def fit(task: TuningTask, fit_learner: Fit) -> Fit:
    def fit(workers: int = 2, folder: str = "", task: TuningTask = task, **options: Any) -> Tuned:
        learner = make_learner("mert", {**SMALL, **options})
        return fit_learner(learner, task, workers, folder)

    return fit


@pytest.mark.parametrize("metric", ["bleu", "ter", "chrf", "bleu-ter"])
def test_the_search_equals_that_on_exhaustive_lists(model: TranslationModel, task: TuningTask, metric: str):
    """Of hypergraphs so small that all their derivations can be listed, decoded with two sets of weights."""
    objective = tuning_metric(metric, ter_weight=0.3)
    job = DecodingJob(Recipe(model.folder, ()))
    names = sorted(model.weights.to_dict())
    other = {**model.weights.to_dict(), "LanguageModel": 3.0, "WordPenalty": -2.0}
    vectors = [model.weights.pack(), Weights.from_dict(other).pack()]
    shard = Shard(0, tuple(task.examples), np.arange(len(task.examples)))
    block = BlockOfGraphs(shard, GraphOptions(density=5))
    basis = Basis(names)
    pool = KBestPool(len(task.examples), columns=objective.columns)
    context = job.prepare()
    for vector in vectors:
        pool.add(_all_derivations(block, block.graphs(context, vector), objective))
    lists = ListCorpus(basis.features(pool), pool, objective)
    rng = np.random.default_rng(3)
    with executor("local", 2) as workers:
        graphs = HypergraphCorpus(workers, job, [block], vectors, basis, objective)
        for _ in range(3):
            point, directions = rng.normal(size=len(names)), rng.normal(size=(2, len(names)))
            assert graphs.score(point) == pytest.approx(lists.score(point), abs=1e-9)
            found, expected = graphs.search(point, directions), lists.search(point, directions)
            assert [o.score for o in found] == pytest.approx([o.score for o in expected], abs=1e-9)


def _all_derivations(block: BlockOfGraphs, graphs: Graphs, objective: Metric) -> KBestLists:
    builder = ListBuilder(graphs[0].index, objective)
    for example, graph in zip(block.shard.examples, graphs, strict=True):
        kbest = graph.kbest(100_000)
        assert 1 < len(kbest) < 100_000
        builder.add(kbest, graph.viterbi(), References(example.reference_words()))
    return builder.lists()


def test_neither_workers_nor_memory_nor_a_break_matter(fit: Fit):
    whole = fit(on="hypergraphs")
    assert whole.history[-1]["bleu"] > 0 and "held_out_bleu" in whole.history[0]
    assert fit(on="hypergraphs", workers=1, kept=0).vectors == whole.vectors
    assert fit(on="hypergraphs", workers=3, kept=5).vectors == whole.vectors
    fit(on="hypergraphs", iterations=1, folder="same")
    going_on = fit(on="hypergraphs", folder="same")
    assert "learn_seconds" not in going_on.history[0] and going_on.vectors == whole.vectors


@pytest.mark.parametrize("options", [{"method": "powell"}, {"density": 0, "window": 1}])
def test_it_climbs(fit: Fit, options: dict[str, Any]):
    row = fit(on="hypergraphs", iterations=1, start="model", restarts=0, **options).history[0]
    assert row["searched_objective"] > 0


SPARSE = {"shape:+N+|+N+": 0.4, "shape:N+|N+": -0.2, "length:1|1": 0.3, "length:2|1": 0.1}


@pytest.mark.parametrize("on", ["lists", "hypergraphs"])
@pytest.mark.parametrize("factors", ["one", "template"])
def test_sparse_weights_are_scaled_together(
    fit: Fit, model: TranslationModel, task: TuningTask, tmp_path: Path, on: str, factors: str
):
    folder = tmp_path / "model"
    shutil.copytree(model.folder, folder, ignore=shutil.ignore_patterns("run"))
    Weights.from_dict({**model.weights.to_dict(), **SPARSE}).save(folder / "weights.txt")
    examples = TuningTask(folder, ("shape", "length"), task.examples)
    learnt = fit(task=examples, on=on, start="model", iterations=2, factors=factors)
    tuned = Weights.unpack(learnt.vectors[-1])
    scale = {name: tuned.get(name) / before for name, before in SPARSE.items()}
    shape, length = scale["shape:+N+|+N+"], scale["length:1|1"]
    assert shape == pytest.approx(scale["shape:N+|N+"]) and shape != 0
    assert length == pytest.approx(scale["length:2|1"]) and length != 0
    assert (shape == pytest.approx(length)) == (factors == "one")


@pytest.mark.parametrize("on", ["lists", "hypergraphs"])
@pytest.mark.parametrize("metric", ["ter", "bleu-ter"])
def test_ter_is_sacrebleus(fit: Fit, task: TuningTask, on: str, metric: str):
    tuned = fit(on=on, metric=metric, ter_weight=0.25, iterations=1, k=20)
    row = tuned.history[0]
    job = DecodingJob(Recipe(task.model, task.templates))
    with executor("local", 2) as workers:
        for prefix, examples in [("", task.examples), ("held_out_", task.held_out)]:
            outputs = translate(workers, job, examples, tuned.weights)
            expected = sacrebleu.TER(case_sensitive=True).corpus_score(
                outputs, [[example.references[0] for example in examples]]
            )
            assert row[prefix + "ter"] == pytest.approx(expected.score)
            share = 1 if metric == "ter" else 0.25
            mixed = (1 - share) * row[prefix + "bleu"] + share * (100 - expected.score)
            assert row[prefix + "objective"] == pytest.approx(mixed)
    assert tuned.quality == row["held_out_objective"]


@pytest.mark.parametrize("on", ["lists", "hypergraphs"])
def test_chrf_is_sacrebleus(fit: Fit, task: TuningTask, on: str):
    tuned = fit(on=on, metric="chrf", iterations=1, k=20)
    row = tuned.history[0]
    job = DecodingJob(Recipe(task.model, task.templates))
    with executor("local", 2) as workers:
        for prefix, examples in [("", task.examples), ("held_out_", task.held_out)]:
            outputs = translate(workers, job, examples, tuned.weights)
            references = [[example.references[0] for example in examples]]
            expected = sacrebleu.CHRF().corpus_score(outputs, references).score
            assert row[prefix + "chrf"] == row[prefix + "objective"] == pytest.approx(expected)
    assert tuned.quality == row["held_out_objective"]


def test_tuning_on_chrf_finds_more_of_it(fit: Fit, task: TuningTask, model: TranslationModel):
    """More than tuning on BLEU does, on the sentences that both are tuned on, from the same weights."""
    learning = TuningTask(model.folder, (), task.examples)
    found = {"model": _chrf(learning, model.weights.pack())}
    for metric in ("bleu", "chrf"):
        tuned = fit(task=learning, metric=metric, iterations=3, k=30, start="model", restarts=3)
        found[metric] = _chrf(learning, tuned.weights)
    assert found["chrf"] > max(found["bleu"], found["model"])


def _chrf(task: TuningTask, weights: PackedWeights) -> float:
    with executor("local", 2) as workers:
        outputs = translate(workers, DecodingJob(Recipe(task.model, ())), task.examples, weights)
    references = [[example.references[0] for example in task.examples]]
    return float(sacrebleu.CHRF().corpus_score(outputs, references).score)


def test_a_search_for_chrf_finds_more_of_it_in_the_same_hypergraphs(
    model: TranslationModel, task: TuningTask
):
    job, basis = DecodingJob(Recipe(model.folder, ())), Basis(sorted(model.weights.to_dict()))
    shard = Shard(0, tuple(task.examples), np.arange(len(task.examples)))
    blocks = [BlockOfGraphs(shard, GraphOptions(density=20))]
    with executor("local", 2) as workers:
        bleu, chrf = (
            HypergraphCorpus(workers, job, blocks, [model.weights.pack()], basis, tuning_metric(name))
            for name in ("bleu", "chrf")
        )
        points = [basis.point(model.weights, np.zeros(0))]
        points += [
            basis.point(
                climb(each, basis, model.weights, ClimbOptions(restarts=2), (1, 0)).weights, np.zeros(0)
            )
            for each in (bleu, chrf)
        ]
        at_model, at_bleu, at_chrf = map(chrf.score, points)
        assert at_chrf > max(at_bleu, at_model)
        assert bleu.score(points[1]) > bleu.score(points[2])


@pytest.mark.filterwarnings("ignore:iteration 1. translations are too short")
def test_one_sentence_and_an_empty_one(fit: Fit, task: TuningTask):
    few = [Example("", ("",)), task.examples[0]]
    for examples in (few[1:], few, few[:1]):
        tuned = fit(task=TuningTask(task.model, (), examples), on="hypergraphs", iterations=1, restarts=0)
        assert tuned.history[0]["bleu"] >= 0


def test_wrong_options():
    with pytest.raises(DemoticError, match="ter_weight must be between 0 and 1"):
        MertOptions(metric="bleu-ter", ter_weight=2)
    with pytest.raises(DemoticError, match="density must be at least 0"):
        MertOptions(density=-1)
    with pytest.raises(DemoticError, match="no metric to tune on is called 'crhf'"):
        MertOptions(metric="crhf")


def test_the_cache_keeps_what_came_first():
    cache, made = GraphCache(), []

    def get(weights: str, block: int) -> None:
        cache.get(weights, block, 3, lambda: made.append((weights, block)) or [None, None])  # type: ignore[func-returns-value,list-item]

    for _ in range(2):
        get("w", 0)
        get("w", 1)
    assert made == [("w", 0), ("w", 1), ("w", 1)]
    cache.keep_only(["other"])
    get("w", 0)
    assert made[-1] == ("w", 0)


def test_a_pruned_graph_has_the_best_derivations(model: TranslationModel):
    graph = model.decoder.decode("die frau trägt einen mantel .")
    small = graph.prune_to(60)
    assert isinstance(small.native, _core.Hypergraph) and 60 <= len(small.native.edge_scores) <= 70
    scores = small.kbest(10_000).scores
    assert scores[0] == graph.viterbi().scores[0]
    best = graph.kbest(1000).scores
    assert scores[:5].tolist() == pytest.approx(best[:5].tolist())
    assert len(graph.prune_to(10**9).native.edge_scores) == len(graph.native.edge_scores)
