"""Batch MIRA: its step against a general solver, its passes against a plain implementation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from demotic.base import DemoticError
from demotic.corpus.splits import random_order
from demotic.evaluate import bleu_of_sums
from demotic.features import Weights
from demotic.learn import BatchMiraOptions, KBestPool
from demotic.learn.batch.batch_mira import Average, Background, hope_and_fear, step_size
from learn.toy_pool import toy_pool

NUMBERS = st.integers(-8, 8).map(lambda n: n / 4)


@given(
    st.lists(st.tuples(NUMBERS, NUMBERS, NUMBERS, NUMBERS), min_size=2, max_size=6),
    st.sampled_from([0.01, 0.1, 10.0]),
)
@settings(max_examples=60, deadline=None)
def test_the_step_solves_the_quadratic_programme(rows: list[tuple[float, ...]], c: float):
    features, gains = np.array(rows)[:, :3], np.array(rows)[:, 3]
    start = np.array([0.5, -0.25, 1.0])
    scores = features @ start
    hope, fear = hope_and_fear(scores, gains)
    assert (scores + gains)[hope] == (scores + gains).max() and (scores - gains)[fear] == (
        scores - gains
    ).max()
    difference = features[hope] - features[fear]
    loss = gains[hope] - gains[fear] - difference @ start
    found = start + step_size(loss, difference, c) * difference
    solved = minimize(
        lambda x: (x[:3] - start) @ (x[:3] - start) / 2 + c * x[3],
        np.append(start, max(0.0, loss)),
        constraints=[
            {"type": "ineq", "fun": lambda x: x[:3] @ difference - (gains[hope] - gains[fear]) + x[3]},
            {"type": "ineq", "fun": lambda x: x[3]},
        ],
        method="SLSQP",
        options={"ftol": 1e-12, "maxiter": 500},
    )
    assert found == pytest.approx(solved.x[:3], abs=1e-4)


@given(st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=8))
def test_the_average_counts_every_step(changes: list[tuple[float, float]]):
    average, seen = Average(np.array([1.0, 2.0])), []
    for change in changes:
        average.add(slice(None), np.array(change))
        average.step()
        seen.append(average.weights.copy())
    assert average.mean() == pytest.approx(np.mean(seen, axis=0))


def test_the_background_is_a_document_that_fades():
    background = Background(0.5)
    statistics = np.array([[3, 2, 1, 1, 5, 4, 3, 2, 5, 6], [5, 4, 3, 2, 5, 4, 3, 2, 5, 6]], dtype=np.int32)
    background.add(statistics[1])
    document = 0.5 + statistics[1]
    assert (background.document == document).all()
    bleu = bleu_of_sums(document + statistics.astype(float)) / 100
    assert background.gains(statistics) == pytest.approx((document[9] + 6) * bleu)


def plainly(pool: KBestPool, start: np.ndarray, passes: int, c: float, seed: int) -> np.ndarray:
    """Algorithm 1 of the paper on full matrices."""
    full, w, document, after = pool.matrix.toarray(), start.copy(), np.ones(10), []
    best, best_bleu = start, -1.0
    for j in range(passes):
        chance = int(np.random.SeedSequence((seed, 0, j)).generate_state(1, np.uint64)[0])
        for s in random_order(pool.sentences, chance):
            rows = range(pool.begins[s], pool.begins[s + 1])
            sums = document + pool.statistics[rows]
            gain = sums[:, 9] * bleu_of_sums(sums) / 100
            score = full[rows] @ w
            hope, fear = np.argmax(score + gain), np.argmax(score - gain)
            x = full[rows[hope]] - full[rows[fear]]
            loss = gain[hope] - gain[fear] - x @ w
            if loss > 0 and x @ x > 0:
                w = w + min(c, loss / (x @ x)) * x
            after.append(w)
            document = 0.999 * document + pool.statistics[rows[hope]]
        average = Weights(pool.index, np.mean(after, axis=0))
        if pool.bleu(average) > best_bleu:
            best, best_bleu = average.values, pool.bleu(average)
    return best


def test_passes_against_a_plain_implementation():
    pool = toy_pool(12, 8)
    start = Weights.from_dict({"bad": 0.5}, pool.index)
    options = BatchMiraOptions(passes=3, c=0.005)
    optimum = options.optimizer().optimize(pool, start, 3, 0)
    assert optimum.weights.values == pytest.approx(plainly(pool, start.values, 3, 0.005, 3))
    assert start.to_dict() == {"bad": 0.5}


def test_it_finds_the_best_translations():
    pool = toy_pool()
    optimum = BatchMiraOptions().optimizer().optimize(pool, Weights(pool.index), 1, 0)
    best = [pool.statistics[b:e, 0].max() for b, e in zip(pool.begins, pool.begins[1:], strict=False)]
    assert pool.statistics[pool.best(optimum.weights), 0].tolist() == best
    assert optimum.report["updates"] > 0


@pytest.mark.parametrize("options", [{"c": 0.0}, {"decay": 1.5}, {"passes": 0}])
def test_bad_options(options: dict[str, float]):
    with pytest.raises(DemoticError, match=f"{next(iter(options))} must be"):
        BatchMiraOptions(**options)  # type: ignore[arg-type]
