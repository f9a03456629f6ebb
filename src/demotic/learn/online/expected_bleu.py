"""Expected BLEU as an online loss: Rosti, Zhang, Matsoukas and Schwartz (2011), He and Deng (2012).

The loss of a sentence is what its translations lack on average under the probabilities of the model,
sum_y p(y) (1 - BLEU(y)),  p(y) = exp(w . f(y) / T) / Z: smooth, and with all translations in its gradient.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from demotic import _core
from demotic.decode import Hypergraph, KBest
from demotic.evaluate import References
from demotic.features import Weights
from demotic.learn.online.adagrad_step import AdaGradStepOptions, AdaGradStepRule
from demotic.learn.online.rule import DataSize, OnlineRule
from demotic.learn.online.sgd import Gradient
from demotic.learn.task import Example
from demotic.learn.workers.candidates import Candidates
from demotic.learn.workers.epoch_statistics import EpochStatistics


def expected_cost(
    kbest: KBest,
    costs: npt.NDArray[np.float64],
    scores: npt.NDArray[np.float64] | None = None,
    temperature: float = 1.0,
) -> Gradient:
    """Expected cost of one list, and its gradient  1 / T sum_y p(y) (cost(y) - expected cost) f(y).

    Args:
        kbest: hypotheses with features.
        costs: of each: 1 - BLEU+1, say.
        scores: w . f(y) of each; default: those of decoding. 0 for a list that was drawn from p.
        temperature: T.

    Returns:
        The loss, and ids (rising) and values of the features whose gradient is not 0; no gradient if the loss is not finite.
    """
    return _core.expected_cost(kbest.native, kbest.scores if scores is None else scores, costs, temperature)


def expected_linear_bleu(graph: Hypergraph, references: References, temperature: float = 1.0) -> Gradient:
    """The same over all derivations of a hypergraph:  1 - expected linear BLEU  (Tromble, Kumar, Och and Macherey 2008).

    Args:
        graph: derivations, with the scores of decoding.
        references: of the sentence.
        temperature: T.
    """
    return _core.expected_linear_bleu(graph.native, references.native, temperature, graph.index)


@dataclass(frozen=True)
class ExpectedBleuOptions(AdaGradStepOptions):
    """Expected BLEU by AdaGrad, over lists or over hypergraphs.

    With `candidates = "samples"` all of a list count alike: they were drawn with the probabilities of the model. Hypergraphs are pruned to
    `forest_edges` edges first, those of the `k` best translations included; their loss is 1 - expected linear BLEU.
    """

    k: int = 500
    epochs: int = 5
    metric: str = "nakov"  # sentence-level metric; nakov is BLEU+1 with smoothed brevity penalty
    temperature: float = 1.0  # T: a translation has a probability proportional to exp(score / T)
    over: Literal["list", "forest"] = "list"  # what the expectation is taken over: a list or a hypergraph

    def rule(self, weights: Weights, size: DataSize) -> OnlineRule:
        """A step per sentence."""
        return ExpectedBleuRule(self, weights)


class ExpectedBleuRule(AdaGradStepRule):
    """Towards the translations that are better than the average."""

    def __init__(self, options: ExpectedBleuOptions, weights: Weights) -> None:
        super().__init__(options, weights, options.native())
        self._options = options
        self._candidates = Candidates(options, options.metric)

    def learn(self, example: Example, graph: Hypergraph, seed: int, statistics: EpochStatistics) -> None:
        """One step along the gradient."""
        kbest = self._candidates.rated(example, graph, seed, statistics)
        if not kbest.teaches():
            statistics.skipped += 1
            return
        if self._options.over == "forest":
            loss, ids, gradient = self._of_forest(example, graph)
        else:
            loss, ids, gradient = self._of_list(kbest)
        self.weights.grow()
        self._adagrad.descend(ids, gradient, self.weights.index, self.weights.values)
        statistics.loss += loss
        statistics.updates += len(ids) > 0

    def _of_list(self, kbest: KBest) -> Gradient:
        scores = np.zeros(len(kbest)) if self._options.candidates == "samples" else kbest.scores
        return expected_cost(kbest, 1.0 - kbest.metric, scores, self._options.temperature)

    def _of_forest(self, example: Example, graph: Hypergraph) -> Gradient:
        pruned = graph.prune_to(self._options.forest_edges, self._options.k)
        references = References(example.reference_words())
        return expected_linear_bleu(pruned, references, self._options.temperature)
