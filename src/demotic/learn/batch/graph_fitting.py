"""Minimum error rate training on hypergraphs: Kumar, Macherey, Dyer and Och (2009)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from demotic.base.progress import Progress
from demotic.evaluate import bleu_score
from demotic.features import Weights
from demotic.learn.batch.fitting import ROW, Fitting, Row
from demotic.learn.batch.hypergraph_corpus import BestWork, BlockOfGraphs, GraphOptions, HypergraphCorpus
from demotic.learn.batch.mert import MertOptions, basis_of, climb
from demotic.learn.learner import LearnSettings
from demotic.learn.task import TuningTask


class GraphFitting(Fitting):
    """Line searches on the hypergraphs of the last iterations, which stay where they were decoded."""

    options: MertOptions

    def __init__(self, options: MertOptions, task: TuningTask, settings: LearnSettings) -> None:
        super().__init__(options, task, settings)
        graphs = GraphOptions(options.density, options.kept)
        self._blocks = [BlockOfGraphs(block, graphs) for block in self.blocks]
        self._dense = self.model.dense_features()
        self._decoded_with: list[bytes] = []

    def decode(self, t: int, weights: bytes) -> Row:
        """How good the best translations are; the workers keep the hypergraphs."""
        key = self.extend_chain(weights)
        objective = self.options.objective()

        def work(folder: Path) -> None:
            jobs = [BestWork(block, objective.with_ter) for block in self._blocks]
            with Progress(f"iteration {t}", total=len(self.task.examples), unit="sentences") as bar:
                messages = self.settings.executor.map(
                    self.job, jobs, weights, on_done=lambda i: bar.advance(len(self.blocks[i].examples))
                )
                statistics = np.frombuffer(b"".join(messages), "<i4").reshape(-1, objective.columns)
            ratio = bleu_score(statistics.sum(axis=0, dtype=np.int64)).ratio
            row = {**objective.figures(statistics), "length_ratio": ratio}
            (folder / ROW).write_text(json.dumps(row), "utf-8")

        row = self.stage(f"decoded{t:03}", work, key, "decode_seconds")
        self._decoded_with = [*self._decoded_with, weights][-self.options.window :]
        return row

    def optimize(self, t: int, start: bytes) -> tuple[bytes, Row]:
        """Line searches from these weights and from random ones."""

        def find() -> tuple[Weights, Mapping[str, float]]:
            weights = Weights.unpack(start)
            basis = basis_of(self._dense, weights)
            corpus = HypergraphCorpus(
                self.settings.executor,
                self.job,
                self._blocks,
                self._decoded_with,
                basis,
                self.options.objective(),
            )
            optimum = climb(corpus, basis, weights, self.options, (self.settings.seed, t - 1))
            return optimum.weights, {"active_features": len(basis), **optimum.report}

        return self.weights_stage(t, find)
