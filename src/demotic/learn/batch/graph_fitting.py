"""Minimum error rate training on hypergraphs: Kumar, Macherey, Dyer and Och (2009)."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from demotic.evaluate import bleu_score
from demotic.features import PackedWeights, Weights
from demotic.learn.batch.batch_fitting import BatchFitting
from demotic.learn.batch.batch_learner import BatchLearner
from demotic.learn.batch.hypergraph_corpus import BestWork, BlockOfGraphs, GraphOptions, HypergraphCorpus
from demotic.learn.batch.list_fitting import ListFitting
from demotic.learn.batch.mert import MertOptions, basis_of, climb
from demotic.learn.fitting.fitting import Row
from demotic.learn.learner import LearnSettings
from demotic.learn.task import TuningTask


class GraphFitting(BatchFitting):
    """Line searches on the hypergraphs of the last iterations, which stay where they were decoded."""

    options: MertOptions

    def __init__(self, options: MertOptions, task: TuningTask, settings: LearnSettings) -> None:
        super().__init__(options, task, settings)
        graphs = GraphOptions(options.density, options.kept)
        self._blocks = [BlockOfGraphs(block, graphs) for block in self.blocks]
        self._dense = self.model.dense_features()
        self._decoded_with: list[PackedWeights] = []

    def decode(self, t: int, weights: PackedWeights) -> Row:
        """How good the best translations are; the workers keep the hypergraphs."""
        key = self.extend_chain(weights)
        objective = self.options.objective()

        def work(folder: Path) -> Row:
            jobs = [BestWork(block, objective) for block in self._blocks]
            answers = self.answers(f"iteration {t}", jobs, weights, key)
            statistics = np.concatenate([answer.arrays["statistics"] for answer in answers])
            sums = statistics.sum(axis=0, dtype=np.int64)
            return {**objective.figures(sums), "length_ratio": bleu_score(sums).ratio}

        _, row = self.stage(f"decoded{t:03}", work, key, "decode_seconds")
        self._decoded_with = [*self._decoded_with, weights][-self.options.window :]
        return row

    def optimize(self, t: int, initial: PackedWeights) -> tuple[PackedWeights, Row]:
        """Line searches from these weights and from random ones."""

        def find() -> tuple[PackedWeights, Row]:
            weights = Weights.unpack(initial)
            basis = basis_of(self._dense, weights, self.options.factors == "template")
            corpus = HypergraphCorpus(
                self.settings.executor,
                self.job,
                self._blocks,
                self._decoded_with,
                basis,
                self.options.objective(),
            )
            optimum = climb(corpus, basis, weights, self.options, (self.settings.seed, t - 1))
            return optimum.weights.pack(), {"active_features": len(basis), **optimum.report}

        return self.optimize_stage(t, find)


def mert_learner(options: MertOptions, name: str) -> BatchLearner:
    """MERT on k-best lists or on hypergraphs, as the options say."""
    return BatchLearner(name, options, GraphFitting if options.on == "hypergraphs" else ListFitting)
