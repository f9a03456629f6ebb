"""The recipe: from a model to sparse features that were learnt on its training set, in one command."""

from __future__ import annotations

from dataclasses import asdict, replace

from demotic.base.errors import DemoticError
from demotic.decode import TranslationModel
from demotic.decode.options import weights_by_hand
from demotic.features import PackedWeights, Weights
from demotic.learn.batch.batch_learner import BatchLearner
from demotic.learn.cost import DataSizes, Decodings
from demotic.learn.fitting.fitting import Row
from demotic.learn.fitting.seconds import add_seconds
from demotic.learn.learner import Learner, LearnSettings, Tuned
from demotic.learn.online.adagrad_step import adagrad_learner
from demotic.learn.recipe.blend import END, START, Blend
from demotic.learn.recipe.choosing import Way
from demotic.learn.recipe.crossed import Crossed
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
    """Three steps and two choices, made by sentences that AdaGrad has not learnt from.

    1. MERT on the dev set finds the dense weights, unless the model has been tuned already.
    2. AdaGrad learns sparse weights (and moves the dense ones) on training pairs, each decoded without itself.
    3. Blending goes from the first weights towards the second as far as it pays, for dense and sparse features separately: a line
       search on held-out data as in HOLS, over two numbers and the word penalty. The penalty belongs to it: learnt weights often make
       translations longer, which gains or loses BLEU for reasons that have nothing to do with what was learnt.

    The dev set and training pairs that were set aside decide. A step is taken only if it loses no more than a standard error on the
    dev set, the kind of text that the model is for; among these, the mean of the gains on both counts (`best_of`). Training pairs favour
    the second step, and dev would favour the first, which was tuned on it; so each half of dev is translated with weights that MERT found
    on the other half (`Crossed`). If the first step is kept, sparse features do not pay here. The same sentences decide whether the
    model chooses its translations by consensus (minimum Bayes risk), how sharp the probabilities are, and how long translations become.
    """

    uses_dev = True
    templates = TEMPLATES
    class_lms = (200,)

    def __init__(self, options: RecipeOptions, name: str = "recipe") -> None:
        self.options, self.name = options, name

    def fit(self, task: TuningTask, settings: LearnSettings) -> Tuned:
        """Run the steps, each with its own checkpoints."""
        _check(task)
        fitting = RecipeFitting(self.options, task, settings)
        steps: list[Crossed[PackedWeights]] = []
        history: list[Row] = []

        def ended(step: str, weights: Crossed[PackedWeights], row: Row) -> None:
            figures = {"epoch": len(history) + 1, "step": step, **fitting.figures(step, weights), **row}
            history.append(fitting.report(step, figures, weights.whole))
            steps.append(weights)

        if fitting.starts_with_mert:
            tuned = self._mert(task, settings)
            halves = self._halves(task, settings, fitting.model) if fitting.crosses else ()
            ended("mert", Crossed(tuned.weights, halves), add_seconds(tuned.history))
        else:
            ended("start", Crossed(task.model_weights().pack()), {})
        learnt = replace(task, examples=fitting.learnt, initial_weights=steps[0].whole)
        tuned = self._adagrad(learnt, fitting)
        blends = self._blends(steps[0], tuned.weights)
        ended("adagrad", blends.map(lambda blend: blend.end), add_seconds(tuned.history))
        way, tolerance = fitting.blended(blends)
        if way not in (Way(START), Way(END)):
            shares = {**asdict(way.shares), "penalty": way.penalty}
            ended("blend", blends.map(way.of), {"shares": shares})
        best = fitting.best_step(history, tolerance)
        way, figures = fitting.chosen(steps[best], fitting.left_of(tolerance, history, best))
        history[best].update(figures)
        vectors = [weights.whole for weights in steps]
        weights = way.of(Blend(vectors[best], vectors[best]))
        return Tuned(weights, best + 1, history, vectors, translate=way.translate)

    def _blends(self, start: Crossed[PackedWeights], end: PackedWeights) -> Crossed[Blend]:
        """From MERT's weights to AdaGrad's; for a half of dev, what AdaGrad has learnt is added to what MERT found without that half."""
        stretched = start.map(lambda packed: self.options.adagrad.initial(Weights.unpack(packed)).pack())
        blend = Blend(stretched.whole, end)
        return Crossed(blend, tuple(map(blend.moved, stretched.halves)))

    def _mert(self, task: TuningTask, settings: LearnSettings, name: str = "mert") -> Tuned:
        """On the dev set, without sparse features."""
        dense = replace(task, examples=task.dev, dev=(), templates=(), held_out=(), watched={})
        with settings.part(name) as part:
            return BatchLearner("mert", self.options.mert).fit(dense, part)

    def _halves(
        self, task: TuningTask, settings: LearnSettings, model: TranslationModel
    ) -> tuple[PackedWeights, ...]:
        """For each half of dev the weights that MERT finds on the other half.

        It starts from weights by hand: those of the model may have been tuned on all of dev, which would be a leak.
        """
        start = task.initial_weights
        if model.bins is None:
            by_hand = weights_by_hand(model.options.grammar.features, model.options.class_lm.classes)
            start = Weights.from_dict(by_hand).pack()
        halves = [replace(task, dev=task.dev[i::2], initial_weights=start) for i in (0, 1)]
        tuned = [self._mert(half, settings, f"mert.half{i + 1}").weights for i, half in enumerate(halves)]
        return tuple(reversed(tuned))

    def _adagrad(self, task: TuningTask, fitting: RecipeFitting) -> Tuned:
        """On training pairs."""
        with fitting.settings.part("adagrad") as part:
            options = replace(self.options.adagrad, **fitting.leave_out())
            return adagrad_learner(options, "adagrad").fit(
                replace(task, dev=(), held_out=(), watched={}), part
            )

    def decodings(self, sizes: DataSizes) -> Decodings:
        """MERT at its longest, AdaGrad, and five times what decides: after each step, for the blend and for the consensus."""
        options = self.options
        mert = (options.mert.iterations + 1) * sizes.dev * (2 if options.cross_validate else 1)
        lists = mert + options.adagrad.decoding_epochs * sizes.learnt
        deciding = sizes.select or options.held_out + sizes.dev
        return Decodings(options.mert.k, lists, 5 * deciding, sizes.dev)


def _check(task: TuningTask) -> None:
    if not task.dev:
        raise DemoticError(
            "the recipe needs training pairs for sparse weights and a dev set for dense ones",
            hint="give --on-train, and --src and --ref of the dev set",
        )
    if not task.templates:
        raise DemoticError("no sparse features to learn", hint="add --features word_pair,tgt_ngram,src_ngram")
