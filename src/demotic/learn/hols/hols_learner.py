"""HOLS: large-scale discriminative training by held-out line search (Flanigan, Dyer and Carbonell 2013)."""

from __future__ import annotations

from demotic.learn.cost import DataSizes, Decodings
from demotic.learn.fitting.seconds import add_seconds
from demotic.learn.hols.hols_fitting import HolsFitting
from demotic.learn.hols.hols_options import HolsOptions
from demotic.learn.learner import Learner, LearnSettings, Tuned
from demotic.learn.task import TuningTask


class HolsLearner(Learner):
    """Two phases in turn: a gradient for the sparse features, then MERT for the dense weights and the length of the step.

    1. The first dense weights come from MERT on some of the held-out fold.
    2. For every update: the gradient g of the soft ramp 3 loss over a part of the other folds, on the sparse features only,
       conditioned (section 5.2); then line searches on the held-out fold over the dense features, f1 = ws . fs and
       f2 = g . fs (section 5.1). What MERT finds for f1 and f2 is folded in: ws <- w1 ws + alpha g. As g is the gradient of
       a loss, alpha is negative as a rule.
    3. MERT on the dev set, if there is one, where all sparse weights share a factor.
    """

    uses_dev = True

    def __init__(self, options: HolsOptions, name: str = "hols") -> None:
        self.options, self.name = options, name

    def fit(self, task: TuningTask, settings: LearnSettings) -> Tuned:
        """Learn, with a checkpoint after every gradient, line search and decoding."""
        fitting = HolsFitting(self.options, task, settings)
        weights, start_seconds = fitting.start_weights()
        vectors, history = [], []
        for u in range(1, self.options.updates + 1):
            gradient, row = fitting.gradient(u, weights)
            weights, found = fitting.search(u, weights, gradient)
            # The first update also paid for the weights that it began with.
            seconds = add_seconds([start_seconds, row, found] if u == 1 else [row, found])
            history.append(fitting.report(f"update{u}", {"epoch": u, **row, **found, **seconds}, weights))
            vectors.append(weights)
        if task.dev:
            weights, found = fitting.final(weights)
            history.append(fitting.report("final", {"epoch": len(history) + 1, **found}, weights))
            vectors.append(weights)
        return Tuned(weights, len(history), history, vectors)

    def decodings(self, sizes: DataSizes) -> Decodings:
        """Gradients over all folds but one, line searches on that one, the first MERT and the last."""
        options = self.options
        searched = min(options.search_sentences, sizes.learnt // max(2, options.folds))
        searches = options.updates * (options.search_iterations + 1) * searched
        first = (options.start_iterations + 1) * min(options.start_sentences, searched)
        final = (options.final_iterations + 1) * sizes.dev
        lists = options.passes * sizes.learnt + searches + first + final
        return Decodings(options.k, lists, options.updates * sizes.select, max(searched, sizes.dev))
