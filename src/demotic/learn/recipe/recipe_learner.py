"""The recipe: from a model to sparse features that were learnt on its training set, in one command."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from demotic.base.errors import DemoticError
from demotic.features import PackedWeights, Weights
from demotic.learn.batch.batch_learner import BatchLearner
from demotic.learn.cost import DataSizes, Decodings
from demotic.learn.fitting.fitting import Row
from demotic.learn.fitting.seconds import add_seconds
from demotic.learn.learner import Learner, LearnSettings, Tuned
from demotic.learn.online.adagrad_step import adagrad_learner
from demotic.learn.quality import best_epoch
from demotic.learn.recipe.recipe_fitting import RecipeFitting
from demotic.learn.recipe.recipe_options import RecipeOptions
from demotic.learn.task import TuningTask

# Over words and classes of words: docs/how-to/recipe.md has the trials that they were chosen by.
TEMPLATES = (
    "word_pair",
    "tgt_ngram",
    "src_ngram",
    "length",
    "count_bin",
    "shape",
    "fertility",
    "unaligned",
    "class_word_pair:50",
    "word_class_pair:50",
    "class_tgt_ngram:200",
    "class_id:50",
)


class RecipeLearner(Learner):
    """Three steps, and a choice between them that neither the dev set nor the pairs learnt from can bias.

    1. MERT on the dev set finds the dense weights, unless the model has been tuned already.
    2. AdaGrad learns sparse weights (and moves the dense ones) on training pairs, each decoded without itself.
    3. MERT on the dev set sets the dense weights anew, with a factor for each template: what a template has learnt counts as much as
       it is worth on sentences that nobody has learnt from.

    The result is the step that translates the training pairs best that were set aside; if that is the first one, sparse features
    do not pay here. The same pairs decide whether the model chooses its translations by consensus (minimum Bayes risk), how sharp
    the probabilities are, and how long translations become.
    """

    uses_dev = True
    templates = TEMPLATES

    def __init__(self, options: RecipeOptions, name: str = "recipe") -> None:
        self.options, self.name = options, name

    def fit(self, task: TuningTask, settings: LearnSettings) -> Tuned:
        """Run the steps, each with its own checkpoints."""
        _check(task)
        fitting = RecipeFitting(self.options, task, settings)
        learnt, dev = replace(task, examples=fitting.learnt, dev=()), replace(task, examples=task.dev, dev=())
        vectors: list[PackedWeights] = []
        history: list[Row] = []

        def ended(step: str, weights: PackedWeights, rows: Sequence[Row]) -> None:
            figures = {"epoch": len(history) + 1, "step": step, **fitting.held_out_bleu(step, weights)}
            history.append(fitting.report(step, {**figures, **add_seconds(rows)}, weights))
            vectors.append(weights)

        if fitting.starts_with_mert:
            tuned = self._mert(task, dev, settings, first=True)
            ended("mert", tuned.weights, tuned.history)
        else:
            ended("start", task.model_weights().pack(), [])
        with settings.part("adagrad") as part:
            options = replace(self.options.adagrad, **fitting.leave_out())
            start = replace(learnt, initial_weights=vectors[-1], held_out=(), watched={})
            tuned = adagrad_learner(options, "adagrad").fit(start, part)
        ended("adagrad", tuned.weights, tuned.history)
        tuned = self._mert(replace(task, initial_weights=vectors[-1]), dev, settings, first=False)
        ended("last mert", tuned.weights, tuned.history)
        best = best_epoch(history)
        way, figures = fitting.chosen(vectors[best])
        history[best].update(figures)
        weights = way.weights(Weights.unpack(vectors[best])).pack()
        return Tuned(weights, best + 1, history, vectors, translate=way.translate)

    def _mert(self, task: TuningTask, dev: TuningTask, settings: LearnSettings, first: bool) -> Tuned:
        """On the dev set; the first one knows no sparse features."""
        options = self.options.first if first else self.options.last
        own = replace(dev, initial_weights=task.initial_weights, held_out=(), watched={})
        with settings.part("first_mert" if first else "last_mert") as part:
            return BatchLearner("mert", options).fit(replace(own, templates=()) if first else own, part)

    def decodings(self, sizes: DataSizes) -> Decodings:
        """Both runs of MERT at their longest, AdaGrad, and four translations of what was set aside."""
        options = self.options
        mert = (options.first.iterations + options.last.iterations + 2) * sizes.dev
        lists = mert + options.adagrad.decoding_epochs * sizes.learnt
        return Decodings(options.last.k, lists, 4 * (options.held_out + sizes.select), sizes.dev)


def _check(task: TuningTask) -> None:
    if not task.dev:
        raise DemoticError(
            "the recipe needs training pairs for sparse weights and a dev set for dense ones",
            hint="give --on-train, and --src and --ref of the dev set",
        )
    if not task.templates:
        raise DemoticError("no sparse features to learn", hint="add --features word_pair,tgt_ngram,src_ngram")
