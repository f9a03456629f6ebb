"""The translations of a sentence that learners compare."""

from __future__ import annotations

import numpy as np

from demotic.decode import Hypergraph, KBest
from demotic.evaluate import BLEU, References, hope_and_fear, sentence_metric
from demotic.learn.options import CandidateOptions
from demotic.learn.task import Example
from demotic.learn.workers.epoch_statistics import EpochStatistics


def candidates(
    graph: Hypergraph, options: CandidateOptions, seed: int, references: References, scale: float = 1.0
) -> KBest:
    """The translations that are compared: the k best different ones, a sample of the chart, or hope and fear of all derivations.

    Args:
        graph: derivations of a sentence.
        options: which.
        seed: of the sample.
        references: hope is close to them, fear is not.
        scale: what the scores of the graph are to be multiplied by.
    """
    if options.candidates == "kbest":
        return graph.kbest(options.k, unique=True)
    if options.candidates == "hope_fear":
        return hope_and_fear(graph, references, options.hope_scale / scale)
    return graph.sample(options.k, seed, options.temperature / scale)


class Candidates:
    """The translations of a sentence that are compared, with the quality of each.

    Args:
        options: which.
        metric: name of the sentence metric.
    """

    def __init__(self, options: CandidateOptions, metric: str) -> None:
        self._options = options
        self._metric = sentence_metric(metric)

    def rated(
        self, example: Example, graph: Hypergraph, seed: int, statistics: EpochStatistics, scale: float = 1.0
    ) -> KBest:
        """A list with the metric of each of its hypotheses; the best translation goes into the statistics.

        Args:
            example: with its references.
            graph: its derivations.
            seed: of the sample.
            statistics: sums of the epoch.
            scale: what the scores of the graph are to be multiplied by.
        """
        options, references = self._options, References(example.reference_words())
        kbest = candidates(graph, options, seed, references, scale)
        best = graph.viterbi() if options.candidates == "samples" else kbest
        kbest.rate(self._metric.scores(references, kbest), self._metric.source_words(kbest))
        best_metric = kbest.metric if best is kbest else self._metric.scores(references, best)
        statistics.metric += float(best_metric[0])
        statistics.ngrams = np.add(
            statistics.ngrams, BLEU.statistics_of(references, best.sentence(0))
        ).tolist()
        self._metric.observe(references, best)
        return kbest
