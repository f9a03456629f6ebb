"""The steps of held-out line search, each with a checkpoint: gradients, line searches, the last MERT."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from demotic.base.digests import digest_of
from demotic.base.errors import DemoticError, warn
from demotic.features import FeatureIndex, PackedWeights, Weights
from demotic.learn.batch.batch_learner import BatchLearner
from demotic.learn.batch.batch_options import Optimizer
from demotic.learn.batch.list_fitting import ListFitting
from demotic.learn.batch.mert import MertOptimizer, MertOptions
from demotic.learn.fitting.feature_split import FeatureSplit
from demotic.learn.fitting.fitting import Fitting, Row
from demotic.learn.fitting.seconds import Seconds, add_seconds
from demotic.learn.fitting.weight_length import stretched
from demotic.learn.hols.data_split import divide
from demotic.learn.hols.gradient_work import GradientSum, GradientWork
from demotic.learn.hols.hols_options import HolsOptions
from demotic.learn.hols.step_search import StepSearch
from demotic.learn.learner import LearnSettings
from demotic.learn.task import Example, TuningTask
from demotic.learn.workers.shards import make_blocks

_BLOCKS = 200  # of a gradient, at most; no influence on what is summed, but on the order


class HolsFitting(Fitting):
    """The steps of HOLS, each a stage.

    Args:
        options: of the learner.
        task: what it learns from.
        settings: where it works.
    """

    def __init__(self, options: HolsOptions, task: TuningTask, settings: LearnSettings) -> None:
        if not task.on_train:  # other sentences are in no grammar and no language model
            options = replace(options, leave_out="none", lm_folds=0)
        super().__init__(options, task, settings)
        self.options, self.split = options, FeatureSplit(options.dense, options.sparse)
        self.data = divide(
            task,
            len(self.model.index),
            n=options.folds,
            parts=options.updates // options.passes,
            search_sentences=options.search_sentences,
            start_sentences=options.start_sentences,
            held_in=options.held_in,
            seed=settings.seed,
        )

    def start_weights(self) -> tuple[PackedWeights, Seconds]:
        """The first weights, whose sparse ones are 0, and what they cost."""
        own = self.task.model_weights()
        names = self.split.dense_names(own.index)
        dense = Weights.from_dict({name: own.get(name) for name in names}).pack()
        if self.options.start == "model":
            return dense, {}
        optimizer = MertOptimizer(self.options, split=self.split)
        learner = self._mert(self.options.mert(self.options.start_iterations), optimizer)
        with self.settings.part("start") as settings:
            tuned = learner.fit(self._task(self.data.start_examples, dense), settings)
        return tuned.weights, add_seconds(tuned.history)

    def gradient(self, update: int, weights: PackedWeights) -> tuple[PackedWeights, Row]:
        """The gradient of the sparse features for these weights, and figures."""
        scaled = self._scaled(weights)
        key = {"weights": scaled.digest(), "update": update}

        def find() -> tuple[PackedWeights, Row]:
            total = GradientSum.empty(FeatureIndex())
            for answer in self.answers(f"gradient {update}", self._gradient_work(update), scaled, key):
                total.add(answer)
            found = self._project(total.conditioned() if self.options.condition else total.gradient)
            return found.pack(), {
                **total.statistics.summary(),
                "active_features": len(total.lists),
                "moved_features": len(found),
            }

        # Nearly all of it is decoding.
        return self.weights_stage(f"gradient{update}", find, key, "decode_seconds")

    def search(
        self, update: int, weights: PackedWeights, gradient: PackedWeights
    ) -> tuple[PackedWeights, Row]:
        """Line searches on held-out sentences; the weights with the step folded in."""
        optimizer = StepSearch(self.options, Weights.unpack(weights), Weights.unpack(gradient), self.split)
        learner = self._mert(self.options.mert(self.options.search_iterations), optimizer, gradient.digest())
        with self.settings.part(f"search{update}") as settings:
            tuned = learner.fit(self._task(self.data.search, weights), settings)
        best = tuned.history[tuned.epoch - 1]
        if best["outermost"]:
            warn(
                f"update {update}: the best step size is unbounded; raise search_iterations or search_k, or learn on more "
                "sentences"
            )
        found = {"search_bleu": best["bleu"], "alpha": best["alpha"], "w1": best["w1"]}
        kept = {"kept_features": tuned.weights.features}
        return tuned.weights, {**found, **kept, **add_seconds(tuned.history)}

    def final(self, weights: PackedWeights) -> tuple[PackedWeights, Row]:
        """MERT on the dev set, from these weights."""
        options = replace(self.options.mert(self.options.final_iterations), leave_out="none", lm_folds=0)
        learner = self._mert(options, MertOptimizer(self.options, split=self.split))
        task = replace(self._task(self.task.dev, weights), held_out=self.task.held_out)
        with self.settings.part("final") as settings:
            tuned = learner.fit(task, settings)
        best = tuned.history[tuned.epoch - 1]
        row = {name: best[name] for name in ("bleu", "length_ratio", "kept_features")}
        return tuned.weights, row | add_seconds(tuned.history)

    def _task(self, examples: Sequence[Example], initial: PackedWeights | None = None) -> TuningTask:
        return TuningTask(
            self.task.model, self.task.templates, examples, groups=self.task.groups, initial_weights=initial
        )

    def _mert(self, options: MertOptions, optimizer: Optimizer, since: str = "") -> BatchLearner:
        """MERT with another optimiser; what that one depends on is in `since` or in our own options."""
        key = digest_of(json.dumps([self.key, since]).encode())
        return BatchLearner("mert", options, partial(ListFitting, optimizer=optimizer, since=key))

    def _gradient_work(self, update: int) -> list[GradientWork]:
        """A part for each block of the sentences of this update."""
        options, parts = self.options, self.data.gradient
        examples = parts[(update - 1) % len(parts)]
        size = max(20, -(-len(examples) // _BLOCKS))
        blocks = make_blocks(self._task(examples), size, options, self.settings.seed)
        return [
            GradientWork(block, options, options.metric, options.cost, self.settings.seed, update)
            for block in blocks
        ]

    def _scaled(self, weights: PackedWeights) -> PackedWeights:
        """All weights times a factor that gives the dense ones the length that the options ask for.

        The soft ramp weighs scores against costs, so the length of the weights matters to it; line searches leave it open.
        """
        own = stretched(Weights.unpack(weights), self.options.scale, self.split)
        if not any(own.get(name) for name in self.split.dense_names(own.index)):
            raise DemoticError("all dense weights are 0", hint="start from a tuned model, or set start=mert")
        return own.pack()

    def _project(self, gradient: Weights) -> Weights:
        """Ps: the gradient without its dense components, its largest one scaled to 1."""
        for name in self.split.dense_names(gradient.index):
            gradient.set(name, 0.0)
        if not np.isfinite(gradient.values).all():
            raise DemoticError(
                "the gradient is not finite", hint="check the weights of the model, or set start=mert"
            )
        largest = float(np.abs(gradient.values).max(initial=0.0))
        if largest == 0:
            raise DemoticError(
                "the gradient is 0: no sparse feature separates good translations from bad ones",
                hint="add templates, e.g. --features id, or learn on more sentences",
            )
        gradient.values /= largest
        return gradient
