"""Significance tests against sacrebleu's, exact distributions and what must hold by definition."""

from __future__ import annotations

import itertools
import json
import math

import numpy as np
import pytest
import sacrebleu
from sacrebleu.significance import PairedTest

from demotic import _core
from demotic.base.errors import DemoticError
from demotic.evaluate import (
    approximate_randomization,
    bootstrap_scores,
    compare,
    corpus_metric,
    paired_bootstrap,
)

from .noisy_systems import reference, translate

REFERENCE = reference(150, seed=1)
BASELINE = translate(REFERENCE, 0.30, seed=2)
BETTER = translate(REFERENCE, 0.25, seed=3)
SIMILAR = translate(REFERENCE, 0.29, seed=4)


def first_column(sums: np.ndarray) -> np.ndarray:
    """A metric: the sum of the first column."""
    return sums[..., 0]


@pytest.mark.parametrize("system", [BETTER, SIMILAR], ids=["better", "similar"])
@pytest.mark.parametrize(("name", "theirs"), [("bleu", sacrebleu.BLEU), ("chrf", sacrebleu.CHRF)])
def test_p_values_agree_with_sacrebleu(system, name, theirs):
    samples = 2000
    ours = compare({"baseline": BASELINE_RUNS, "system": [system]}, [REFERENCE], name, samples).systems[1]
    for test, p in (("ar", ours.p_randomization), ("bs", ours.p_bootstrap)):
        metric = (
            theirs(force=True, references=[REFERENCE]) if name == "bleu" else theirs(references=[REFERENCE])
        )
        run = PairedTest([("baseline", BASELINE), ("system", system)], {name: metric}, None, test, samples)
        expected = next(v for k, v in run()[1].items() if k != "System")[1]
        assert ours.mean == pytest.approx(expected.score, abs=1e-9)
        deviation = math.sqrt(2 * max(p * (1 - p), 1 / samples) / samples)
        assert abs(p - expected.p_value) < 4 * deviation


BASELINE_RUNS = [BASELINE]


def test_randomization_approaches_the_exact_test():
    """Eight sentences: all 256 ways to swap are enumerated."""
    values = np.array([3.0, 1.0, -1.0, 2.0, 2.0, -0.5, 1.0, 0.25])
    baseline, system = np.zeros((8, 1, 1)), values.reshape(8, 1, 1)
    swaps = [
        abs(sum(s * v for s, v in zip(signs, values, strict=True)))
        for signs in itertools.product((1, -1), repeat=8)
    ]
    exact = np.mean(np.array(swaps) >= values.sum() - 1e-12)
    p = approximate_randomization(baseline, system, first_column, shuffles=40_000)
    assert p == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / 40_000))


def test_randomization_of_replicas_deals_out_all_of_a_sentence():
    """Two and one replica of three sentences: all 3^3 choices of the translation that goes to the smaller system."""
    baseline = np.array([[[1.0], [2.0]], [[0.0], [5.0]], [[3.0], [3.0]]])
    system = np.array([[[4.0]], [[6.0]], [[2.0]]])
    pool = np.concatenate([baseline, system], axis=1)[..., 0]
    differences = [
        abs((pool.sum() - sum(chosen)) / 2 - sum(chosen)) for chosen in itertools.product(*pool.tolist())
    ]
    observed = abs(baseline.sum() / 2 - system.sum())
    exact = np.mean(np.array(differences) >= observed - 1e-12)
    p = approximate_randomization(baseline, system, first_column, shuffles=40_000)
    assert p == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / 40_000))


def test_shuffling_keeps_the_sum_of_all_and_bootstrap_draws_as_many_sentences():
    statistics = np.random.default_rng(1).integers(0, 9, (30, 4, 3)).astype(float)
    statistics[..., 2] = 1
    shuffled = _core.shuffled_sums(statistics, 100, 5, 2)
    assert shuffled.shape == (100, 4, 3)
    assert np.all(shuffled.sum(axis=1) == statistics.sum(axis=(0, 1)))
    assert np.all(_core.bootstrap_sums(statistics, 100, 5, 2)[..., 2] == 30)


def test_bootstrap_deviation_is_that_of_a_mean():
    values = np.random.default_rng(2).normal(size=(400, 1, 1))
    drawn = bootstrap_scores(values, first_column, samples=20_000)
    assert drawn.std() == pytest.approx(values.std() * math.sqrt(400), rel=0.03)
    assert drawn.mean() == pytest.approx(values.sum(), abs=4 * drawn.std() / math.sqrt(20_000))


@pytest.mark.parametrize("metric", ["bleu", "bleu-tokens", "chrf", "ter"])
def test_identical_systems_have_p_1(metric):
    result = compare({"a": [BASELINE], "b": [BASELINE]}, [REFERENCE], metric, shuffles=200)
    assert result.systems[1].p_randomization == 1
    assert result.systems[1].p_bootstrap == 1
    assert result.systems[0].p_randomization is None


def test_identical_systems_with_replicas_in_another_order_have_p_1():
    result = compare({"a": [BASELINE, BETTER], "b": [BETTER, BASELINE]}, [REFERENCE], shuffles=200)
    assert result.systems[1].p_randomization == 1
    assert result.systems[1].p_bootstrap == 1


def test_replicas():
    runs = {
        "a": [BASELINE, SIMILAR],
        "b": [BETTER, translate(REFERENCE, 0.25, 8), translate(REFERENCE, 0.25, 9)],
    }
    a, b = compare(runs, [REFERENCE], shuffles=1000).systems
    bleu = corpus_metric("bleu", [REFERENCE])
    assert a.scores == pytest.approx([bleu.score(lines).score for lines in runs["a"]])
    assert a.mean == pytest.approx(np.mean(a.scores))
    assert b.s_sel == pytest.approx(np.std(b.scores, ddof=1))
    assert b.p_randomization is not None
    assert b.p_randomization < 0.05 < 1
    assert b.mean > a.mean
    words = [sum(len(line.split()) for line in lines) for lines in (*runs["b"], REFERENCE)]
    assert b.length == pytest.approx(np.mean(words[:-1]) / words[-1], abs=0.02)  # 13a divides some words
    ter = compare(runs, [REFERENCE], "ter", shuffles=10)
    assert ter.systems[0].length is None and "length" not in ter.header()
    single = compare({"a": [BASELINE]}, [REFERENCE], shuffles=1000).systems[0]
    assert single.s_sel is None
    assert single.s_test > 0


def test_intervals_are_percentiles_of_the_bootstrap():
    """Against a bootstrap of our own; a drawn percentile is off by some hundredths of the deviation."""
    system = compare({"a": [BASELINE, SIMILAR]}, [REFERENCE], shuffles=4000).systems[0]
    bleu = corpus_metric("bleu", [REFERENCE])
    rows = [bleu.statistics(lines) for lines in (BASELINE, SIMILAR)]
    chance = np.random.default_rng(5)
    drawn = []
    for _ in range(4000):
        lines = chance.integers(len(REFERENCE), size=len(REFERENCE))
        drawn.append(np.mean([bleu.scores(statistics[lines].sum(axis=0)) for statistics in rows]))
    assert system.interval == pytest.approx(np.quantile(drawn, [0.025, 0.975]), abs=0.15 * system.s_test)


def test_seed_and_threads():
    def p_values(seed: int, threads: int) -> list[object]:
        result = compare(
            {"a": [BASELINE], "b": [SIMILAR]}, [REFERENCE], shuffles=500, seed=seed, threads=threads
        )
        return [result.systems[1].p_randomization, result.systems[1].p_bootstrap, result.systems[1].s_test]

    assert p_values(1, 1) == p_values(1, 3)
    assert p_values(1, 1) != p_values(2, 1)


def test_one_sentence_only():
    result = compare({"a": [["a b c d"]], "b": [["a b c e"]]}, [["a b c d"]], shuffles=50).systems[1]
    assert result.p_randomization == 1
    assert result.s_test == pytest.approx(
        0, abs=1e-12
    )  # some versions of numpy round a mean of equal numbers


def test_paired_bootstrap_of_a_clear_difference():
    baseline = np.linspace(10, 11, 999)
    assert paired_bootstrap(baseline, baseline + 5, 5.0) == 1 / 1000
    assert paired_bootstrap(baseline, baseline, 0.0) == 1


def test_formats():
    result = compare({"base_line": [BASELINE], "b": [SIMILAR, BETTER]}, [REFERENCE], "ter", shuffles=99)
    table, markdown, latex = result.to_table(), result.to_markdown(), result.to_latex()
    assert [line.split()[0] for line in table.splitlines()[:3]] == ["system", "base_line", "b"]
    assert "TER ↓" in table
    assert markdown.splitlines()[1] == "| --- |" + " ---: |" * 6
    assert r"base\_line & 1 &" in latex
    assert latex.splitlines()[1] == r"\begin{tabular}{lrrrrrr}"
    parsed = json.loads(json.dumps(result.to_json()))
    assert parsed["systems"][1]["p_randomization"] == result.systems[1].p_randomization
    assert parsed["signature"] in markdown


def test_bad_input_is_named():
    with pytest.raises(DemoticError, match="system 'b' has 1 lines, but the references have 2"):
        compare({"a": [["x", "y"]], "b": [["x"]]}, [["x", "y"]])
    with pytest.raises(DemoticError, match="2 and 1 lines"):
        compare({"a": [["x", "y"]]}, [["x", "y"], ["x"]])
    with pytest.raises(DemoticError, match="no translations"):
        compare({"a": []}, [["x"]])
    with pytest.raises(DemoticError, match="no references"):
        compare({"a": [[]]}, [[]])
    with pytest.raises(DemoticError, match="no systems"):
        compare({}, [["x"]])
