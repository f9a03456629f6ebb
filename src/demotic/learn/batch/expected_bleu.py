"""Expected BLEU on accumulated lists, by L-BFGS: Rosti, Zhang, Matsoukas and Schwartz (2011), He and Deng (2012).

Each list has the probabilities p(y) = exp(w . f(y) / T) / Z. What is raised is the BLEU of the expected n-gram counts of the corpus
(Rosti et al.) or the mean over sentences of the expected sentence metric (He and Deng): smooth in the weights, unlike BLEU itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from demotic.base.checks import at_least
from demotic.evaluate import Metric, beside_bleu
from demotic.evaluate.bleu import BLEU_COLUMNS, BLEU_ORDER, HYPOTHESIS_LENGTH, REFERENCE_LENGTH
from demotic.features import Weights
from demotic.learn.batch.batch_options import BatchOptions, Optimizer, Optimum
from demotic.learn.batch.logistic import Loss, Vector, minimize
from demotic.learn.batch.pool import KBestPool
from demotic.learn.batch.pro import statistics_metric
from demotic.learn.regularizers import L2, Regularizer

# Of the probabilities of all hypotheses: the loss, and its derivative by each of them.
Risk = Callable[[Vector], tuple[float, Vector]]

_BREVITY_SHARPNESS = 1000.0  # of the brevity penalty where both lengths are equal, as in Rosti et al.


@dataclass(frozen=True)
class XbleuOptions(BatchOptions):
    """Expected BLEU on lists.

    `l2` stands beside the loss, which lies between 0 and 1 and is a mean over the corpus: its strength does not depend on the number
    of sentences.
    """

    k: int = 500
    expected: Literal["corpus", "sentence"] = (
        "corpus"  # corpus: BLEU of expected counts; sentence: mean of the expected sentence metric
    )
    temperature: float = 1.0  # T: a translation has a probability proportional to exp(score / T)
    l2: float = 1e-5  # strength of ||w||^2
    metric: str = "bleu+1"  # expected = sentence: sentence-level metric: bleu+1, liang, nakov, ter or chrf

    def __post_init__(self) -> None:
        BatchOptions.__post_init__(self)
        at_least(0, l2=self.l2)
        statistics_metric(self.metric)

    def objective(self) -> Metric:
        """BLEU, or the metric of a corpus that the one of a sentence stands in for."""
        return beside_bleu(statistics_metric(self.metric).corpus)

    def optimizer(self) -> Optimizer:
        """L-BFGS on the whole pool."""
        return Xbleu(self)


class Xbleu:
    """Weights under which the translations of a pool are good on average."""

    def __init__(self, options: XbleuOptions) -> None:
        self._options = options

    def optimize(self, pool: KBestPool, weights: Weights, seed: int, iteration: int) -> Optimum:
        """A minimum near the old weights: the loss is not convex."""
        options = self._options
        loss = expected_loss(pool, self._risk(pool), options.temperature, [L2(options.l2)])
        found, value = minimize(loss, pool.vector(weights))
        return Optimum(Weights(pool.index, found), {"loss": value})

    def _risk(self, pool: KBestPool) -> Risk:
        if self._options.expected == "corpus":
            return corpus_risk(pool.statistics[:, :BLEU_COLUMNS].astype(np.float64))
        sentence = statistics_metric(self._options.metric)
        columns = self._options.objective().columns_of(sentence.corpus)
        metric = sentence.scores_of(np.ascontiguousarray(pool.statistics[:, columns]))
        return sentence_risk(metric, pool.sentences)


def sentence_risk(metric: Vector, sentences: int) -> Risk:
    """1 - the mean over sentences of the expected metric.

    Args:
        metric: of each hypothesis.
        sentences: how many.
    """
    slope: Vector = -metric / sentences
    return lambda p: (1.0 + float(p @ slope), slope)


def corpus_risk(statistics: npt.NDArray[np.float64]) -> Risk:
    """1 - BLEU of the expected statistics of the corpus.

    One is added to all counts of n-grams, which keeps the logarithms finite on a handful of sentences, and the brevity penalty is
    rounded off where both lengths are equal.

    Args:
        statistics: of BLEU, a row per hypothesis.
    """

    def risk(p: Vector) -> tuple[float, Vector]:
        sums = p @ statistics
        log_bleu, slope = _log_bleu(sums)
        bleu = float(np.exp(log_bleu))
        return 1.0 - bleu, -bleu * (statistics @ slope)

    return risk


def _log_bleu(sums: Vector) -> tuple[float, Vector]:
    """Of statistics of a corpus, and its derivative by each of them."""
    matches, totals = sums[:BLEU_ORDER] + 1.0, sums[BLEU_ORDER : 2 * BLEU_ORDER] + 1.0
    length, reference = max(float(sums[HYPOTHESIS_LENGTH]), 1e-9), float(sums[REFERENCE_LENGTH])
    missing = _BREVITY_SHARPNESS * (reference / length - 1.0)
    value = float(np.mean(np.log(matches / totals)) - np.logaddexp(0.0, missing) / _BREVITY_SHARPNESS)
    slope = np.zeros(BLEU_COLUMNS)
    each = 1.0 / BLEU_ORDER  # share of an order in the geometric mean
    slope[:BLEU_ORDER], slope[BLEU_ORDER : 2 * BLEU_ORDER] = each / matches, -each / totals
    share = 0.5 * (1.0 + np.tanh(0.5 * missing))  # of the penalty that is felt: a logistic function
    slope[HYPOTHESIS_LENGTH], slope[REFERENCE_LENGTH] = share * reference / length**2, -share / length
    return value, slope


def expected_loss(
    pool: KBestPool, risk: Risk, temperature: float, regularizers: Sequence[Regularizer]
) -> Loss:
    """The regularised risk of weights, and its gradient.

    The gradient of the risk is  1 / T sum_y p(y) (r(y) - sum of p r over the list of y) f(y),  r(y) its derivative by p(y).

    Args:
        pool: the lists.
        risk: of probabilities of all hypotheses.
        temperature: T.
        regularizers: added to the risk.
    """
    sizes = np.diff(pool.begins)
    starts = pool.begins[:-1][sizes > 0]
    list_of = np.repeat(np.arange(len(starts)), sizes[sizes > 0])
    matrix = pool.matrix
    transposed = matrix.T.tocsr()

    def loss(weights: Vector) -> tuple[float, Vector]:
        scores = (matrix @ weights) / temperature
        p = np.exp(scores - np.maximum.reduceat(scores, starts)[list_of])
        p /= np.add.reduceat(p, starts)[list_of]
        value, slope = risk(p)
        mean = np.add.reduceat(p * slope, starts)[list_of]
        gradient = transposed @ (p * (slope - mean)) / temperature
        for regularizer in regularizers:
            more, its_slope = regularizer(weights)
            value += more
            gradient += its_slope
        return value, gradient

    return loss
