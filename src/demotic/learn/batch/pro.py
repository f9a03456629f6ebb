"""PRO: tuning as ranking, by a classifier of sampled pairs (Hopkins and May 2011)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from demotic import _core
from demotic.base.checks import at_least
from demotic.base.errors import DemoticError
from demotic.evaluate import Metric, StatisticsMetric, beside_bleu, sentence_metric
from demotic.evaluate.bleu import HYPOTHESIS_LENGTH
from demotic.features import FeatureIndex, Weights
from demotic.learn.batch.batch_options import BatchOptions, Optimizer, Optimum
from demotic.learn.batch.logistic import logistic_loss, minimize
from demotic.learn.batch.pool import KBestPool
from demotic.learn.neighbours import Chains, NeighbourOptions
from demotic.learn.options import PairOptions
from demotic.learn.regularizers import L2, PullTo, Regularizer


@dataclass(frozen=True)
class ProOptions(BatchOptions, NeighbourOptions):
    """PRO; defaults: Hopkins and May (2011), section 4, with the prior of their classifier, MegaM, as `l2`.

    The preset `cdec` is what Flanigan et al. (2013) and Clark et al. (2014) ran: the weights are held back by a pull towards those of the
    iteration before instead of interpolation, and pairs of very different length are left out (after Nakov et al. 2013).

    Strengths (`l2`, `pull`, `beta`) are per pair: what is minimised is the *mean* of the loss over all pairs + strength x penalty. The papers'
    tools add the loss up over two examples for each pair, so theirs is ours x 2 x pairs. The presets mean what the tools mean on
    2,000 sentences with 50 pairs each, about what Clark et al. tuned on (1,664 to 3,000), where 2 x pairs is 200,000: MegaM's 0.5
    becomes 2.5e-6, cdec's 500 and 5,000 become 0.0025 and 0.025. For a tool's strength on n sentences divide it by 100 n.
    """

    PRESETS: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "hm2011": {},
        "cdec": {"l2": 0.0025, "pull": 0.025, "interpolation": 1.0, "length_filter": 2.0},
    }

    k: int = 1500
    iterations: int = 30
    samples: int = 5000  # Gamma: pairs sampled per sentence
    pairs_kept: int = 50  # Xi: sampled pairs kept, those with the largest difference in the metric
    threshold: float = 0.05  # minimum difference in the metric within a pair
    length_filter: float = 0.0  # maximum difference in length, in standard deviations; 0 for no limit
    metric: str = "bleu+1"  # sentence-level metric: bleu+1, liang, nakov, ter or chrf
    l2: float = 2.5e-6  # strength of ||w||^2
    pull: float = 0.0  # strength of ||w - w'||^2, where w' are the previous weights
    interpolation: float = 0.1  # Psi: the new weights are Psi w + (1 - Psi) w'
    beta: float = 0.005  # strength of `regularizer`; 0.005 corresponds to 1,000 on a sum over 2,000 sentences

    def __post_init__(self) -> None:
        BatchOptions.__post_init__(self)
        NeighbourOptions.__post_init__(self)
        at_least(0, threshold=self.threshold, samples=self.samples, pairs_kept=self.pairs_kept)
        at_least(0, l2=self.l2, pull=self.pull, length_filter=self.length_filter)
        if not 0 < self.interpolation <= 1:
            raise DemoticError(
                f"interpolation must be above 0 and at most 1 (got {self.interpolation})",
                hint="1 keeps nothing of the old weights",
            )
        statistics_metric(self.metric)

    def objective(self) -> Metric:
        """BLEU, or the metric of a corpus that the one of a sentence stands in for."""
        return beside_bleu(statistics_metric(self.metric).corpus)

    def optimizer(self) -> Optimizer:
        """Logistic regression by L-BFGS."""
        return Pro(self)


class LinearClassifier(Protocol):
    """Anything with the shape of scikit-learn's linear classifiers; without a bias: `fit_intercept=False`."""

    coef_: Any  # after `fit`: a weight per column

    def fit(self, X: Any, y: Any) -> object:
        """Learn from rows X (a scipy CSR matrix) with labels y (+1 and -1)."""


MakeRegularizer = Callable[[FeatureIndex], Regularizer]


class Pro:
    """Samples pairs of every sentence, and learns to tell the better from the worse.

    Args:
        options: of sampling and regularisation.
        regularizers: more of them, made for the features of a pool and added to the mean loss of a pair; that of neighbouring bins is
            among the options.
        classifier: takes the place of regularised logistic regression; made anew for each iteration.
    """

    def __init__(
        self,
        options: ProOptions,
        regularizers: Sequence[MakeRegularizer] = (),
        classifier: Callable[[], LinearClassifier] | None = None,
    ) -> None:
        self._options, self._more, self._classifier = options, tuple(regularizers), classifier
        pairs = PairOptions(
            "pro", threshold=options.threshold, pair_samples=options.samples, pairs_kept=options.samples
        )
        self._pair_options = pairs.native_pairs()

    def optimize(self, pool: KBestPool, weights: Weights, seed: int, iteration: int) -> Optimum:
        """New weights, interpolated with the old."""
        differences = self._differences(pool, seed, iteration)
        if differences.shape[0] == 0:
            raise DemoticError(
                "no two translations of a sentence differ enough to learn from",
                hint="lower the threshold, or raise k",
            )
        old = pool.vector(weights)
        report: dict[str, float] = {"pairs": differences.shape[0]}
        if self._classifier is None:
            penalties: list[Regularizer] = [L2(self._options.l2), PullTo(self._options.pull, old)]
            penalties += [make(pool.index) for make in self._more]
            if (neighbours := self._options.neighbours(Chains(pool.index))) is not None:
                penalties.append(neighbours)
            found, report["loss"] = minimize(logistic_loss(differences, penalties), old)
        else:
            found = _classify(self._classifier(), differences)
        new = self._options.interpolation * found + (1 - self._options.interpolation) * old
        report["errors"] = int((differences @ new <= 0).sum())
        return Optimum(Weights(pool.index, new), report)

    def _differences(self, pool: KBestPool, seed: int, iteration: int) -> Any:
        """Features of the better one less those of the worse, a row per pair."""
        sentence = statistics_metric(self._options.metric)
        columns = self._options.objective().columns_of(sentence.corpus)
        metric = sentence.scores_of(np.ascontiguousarray(pool.statistics[:, columns]))
        lengths = pool.statistics[:, HYPOTHESIS_LENGTH].astype(np.float64)
        pairs = [np.zeros((0, 2), dtype=np.int64)]
        for s, (begin, end) in enumerate(zip(pool.begins[:-1], pool.begins[1:], strict=True)):
            draw = np.random.SeedSequence((seed, iteration, s)).generate_state(1, np.uint64)[0]
            found = self._sample(metric[begin:end], lengths[begin:end], int(draw))
            pairs.append(begin + found.astype(np.int64))
        better, worse = np.concatenate(pairs).T
        return pool.matrix[better] - pool.matrix[worse]

    def _sample(
        self, metric: npt.NDArray[np.float64], lengths: npt.NDArray[np.float64], seed: int
    ) -> npt.NDArray[np.uint32]:
        """Pairs of one list, the best told apart first."""
        nothing = np.zeros(0)
        pairs = _core.make_pairs(metric, nothing, nothing, self._pair_options, seed)
        if self._options.length_filter and len(pairs):
            # The difference of two independent draws has twice the variance; lists of one length allow a word or two.
            deviation = max(2.0, float(np.sqrt(2 * lengths.var())))
            apart = np.abs(lengths[pairs[:, 0]] - lengths[pairs[:, 1]])
            pairs = pairs[apart <= self._options.length_filter * deviation]
        return pairs[: self._options.pairs_kept]


def statistics_metric(name: str) -> StatisticsMetric:
    """A sentence metric that the statistics of a list determine, by name."""
    metric = sentence_metric(name)
    if not isinstance(metric, StatisticsMetric) or name == "pseudo":
        raise DemoticError(
            f"metric '{name}' cannot be computed from k-best lists",
            hint="choose bleu+1, liang, nakov, ter or chrf",
        )
    return metric


def _classify(classifier: LinearClassifier, differences: Any) -> npt.NDArray[np.float64]:
    """Weights from any linear classifier; each pair is an example in both directions."""
    from scipy.sparse import vstack

    rows = vstack([differences, -differences], format="csr")
    labels = np.repeat([1, -1], differences.shape[0])
    classifier.fit(rows, labels)
    return np.asarray(classifier.coef_, dtype=np.float64).ravel()
