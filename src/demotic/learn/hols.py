"""HOLS: large-scale discriminative training by held-out line search (Flanigan, Dyer and Carbonell 2013)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np

from demotic.base.errors import DemoticError, warn
from demotic.features import FeatureIndex, Weights
from demotic.learn.basis import FeatureSplit
from demotic.learn.batch_learner import BatchLearner
from demotic.learn.batch_options import Optimizer
from demotic.learn.block_work import run_blocks
from demotic.learn.checkpoints import digest, outside_view, task_key
from demotic.learn.decoding import DecodingJob, Recipe
from demotic.learn.fold_models import train_fold_models
from demotic.learn.gradient_work import GradientSum, GradientWork
from demotic.learn.hols_data import divide
from demotic.learn.learner import Learner, LearnSettings, Tuned
from demotic.learn.line_search import ClimbOptions
from demotic.learn.list_fitting import ListFitting
from demotic.learn.mert import MertOptimizer, MertOptions
from demotic.learn.options import CandidateOptions, LeaveOut, LeaveOutOptions
from demotic.learn.saved_shards import SavedShards
from demotic.learn.shards import make_blocks
from demotic.learn.step_search import StepSearch
from demotic.learn.task import Example, TuningTask
from demotic.learn.timed_stage import Seconds, add_seconds, timed_stage
from demotic.learn.weight_length import SCALE, stretched

_BLOCKS = 200  # of a gradient, at most; no influence on what is summed, but on the order
_GRADIENT, _ROW = "gradient.packed", "row.json"
Row = dict[str, Any]


@dataclass(frozen=True)
class HolsOptions(CandidateOptions, LeaveOutOptions, ClimbOptions):
    """Held-out line search; defaults: sections 5 and 6 of the paper.

    HILS is `held_in = true`. Without folds: `leave_out = none`, `lm_folds = 0`. Without conditioning: `condition = false`. "2 pass, 4
    updates": `passes = 2`, `updates = 4`.
    """

    k: int = 1000  # of the lists that give gradients
    leave_out: LeaveOut = "fold"
    lm_folds: int = 5
    passes: int = 1  # over the gradient data
    updates: int = 1  # in all passes together
    metric: str = "nakov"  # BLEU+1, brevity smoothed and grounded
    cost: float = 20.0  # of a translation: so much x (1 - metric)
    condition: bool = True
    held_in: bool = False  # the line search sees sentences that gradients come from: HILS
    scale: float = SCALE  # magnitudes of the dense weights add up to so much when a gradient is taken
    search_sentences: int = 10_000  # at most, of the held-out fold
    search_k: int = 100  # of the lists that line searches see
    search_iterations: int = 5  # of decoding in a line search
    start: Literal["mert", "model"] = "mert"  # first dense weights: by MERT on held-out lines, or the model's
    start_sentences: int = 1000
    start_iterations: int = 8
    final_iterations: int = 10  # of MERT on the dev set
    dense: tuple[str, ...] = ()  # patterns of template features that line searches move one by one
    sparse: tuple[str, ...] = ()  # patterns of other features that follow the gradient

    def __post_init__(self) -> None:
        CandidateOptions.__post_init__(self)
        LeaveOutOptions.__post_init__(self)
        ClimbOptions.__post_init__(self)
        if self.passes < 1 or self.updates < self.passes or self.updates % self.passes:
            raise DemoticError(
                f"{self.updates} updates in {self.passes} passes",
                hint="as many updates in every pass, at least 1",
            )
        if not self.cost > 0 or not self.scale > 0:
            raise DemoticError(f"a cost of {self.cost}, a scale of {self.scale}", hint="positive numbers")
        if min(self.search_sentences, self.start_sentences, self.search_k) < 1:
            raise DemoticError("line searches without sentences or hypotheses", hint="choose at least 1")
        if min(self.search_iterations, self.start_iterations, self.final_iterations) < 1:
            raise DemoticError("a line search without iterations", hint="choose at least 1")
        if self.leave_out == "shard":
            raise DemoticError("there are no shards to leave out", hint="leave_out is fold, sentence or none")

    def mert(self, iterations: int) -> MertOptions:
        """The line search as a batch learner of so many iterations."""
        return MertOptions(
            k=self.search_k,
            iterations=iterations,
            start="model",
            leave_out=self.leave_out,
            folds=self.folds,
            lm_folds=self.lm_folds,
            method=self.method,
            restarts=self.restarts,
            directions=self.directions,
            least_gain=self.least_gain,
        )


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

    def __init__(self, options: HolsOptions) -> None:
        self.name, self.options = "hols", options

    def fit(self, task: TuningTask, settings: LearnSettings) -> Tuned:
        """Learn, with a checkpoint after every gradient, line search and decoding."""
        fitting = _Fitting(self.options, task, settings)
        weights, first = fitting.start()
        vectors, history = [], []
        for u in range(1, self.options.updates + 1):
            gradient, row = fitting.gradient(u, weights)
            weights, found = fitting.search(u, weights, gradient)
            # The first update also paid for the weights that it began with.
            seconds = add_seconds([first, row, found] if u == 1 else [row, found])
            history.append(fitting.report(f"update{u}", {"epoch": u, **row, **found, **seconds}, weights))
            vectors.append(weights)
        if task.dev:
            weights, found = fitting.final(weights)
            history.append(fitting.report("final", {"epoch": len(history) + 1, **found}, weights))
            vectors.append(weights)
        return Tuned(weights, len(history), history, vectors)


class _Fitting:
    """One call of `fit`."""

    def __init__(self, options: HolsOptions, task: TuningTask, settings: LearnSettings) -> None:
        if not task.on_train:  # other sentences are in no grammar and no language model
            options = replace(options, leave_out="none", lm_folds=0)
        self.options, self.task, self.settings = options, task, settings
        self.split = FeatureSplit(options.dense, options.sparse)
        self.model = settings.model(task.model)
        fold_lms = train_fold_models(self.model, options.lm_folds, settings)
        self.job = DecodingJob(Recipe(task.model, task.templates, fold_lms, task.groups))
        self.key = task_key(task, options, settings)
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

    def start(self) -> tuple[bytes, Seconds]:
        """The first weights, whose sparse ones are 0, and what they cost."""
        own = self.task.model_weights()
        names = self.split.dense_names(own.index)
        dense = Weights.from_dict({name: own.get(name) for name in names}).pack()
        if self.options.start == "model":
            return dense, {}
        optimizer = MertOptimizer(self.options, split=self.split)
        learner = self._mert(self.options.mert(self.options.start_iterations), optimizer)
        with self.settings.part("start") as settings:
            tuned = learner.fit(self._task(self.data.start, dense), settings)
        return tuned.weights, add_seconds(tuned.history)

    def gradient(self, update: int, weights: bytes) -> tuple[Weights, Row]:
        """The gradient of the sparse features for these weights, and figures."""
        scaled = self._scaled(weights)
        key = {**self.key, "weights": digest(scaled), "update": update}
        saved = SavedShards(self.settings.run.folder / "shards", key)

        def work(folder: Path) -> None:
            total = GradientSum.empty(FeatureIndex())
            for message in self._gradients(update, scaled, saved):
                total.add(message)
            found = self._project(total.conditioned() if self.options.condition else total.gradient)
            (folder / _GRADIENT).write_bytes(found.pack())
            row = {
                **total.statistics.summary(),
                "active_features": len(total.lists),
                "moved_features": len(found),
            }
            (folder / _ROW).write_text(json.dumps(row), "utf-8")

        folder, seconds = timed_stage(
            self.settings.run, f"gradient{update}", work, key, "decode_seconds"
        )  # nearly all of it
        saved.clear()
        row: Row = json.loads((folder / _ROW).read_text("utf-8"))
        return Weights.unpack((folder / _GRADIENT).read_bytes()), row | seconds

    def search(self, update: int, weights: bytes, gradient: Weights) -> tuple[bytes, Row]:
        """Line searches on held-out sentences; the weights with the step folded in."""
        optimizer = StepSearch(self.options, Weights.unpack(weights), gradient, self.split)
        since = digest(gradient.pack())
        learner = self._mert(self.options.mert(self.options.search_iterations), optimizer, since)
        with self.settings.part(f"search{update}") as settings:
            tuned = learner.fit(self._task(self.data.search, weights), settings)
        best = tuned.history[tuned.epoch - 1]
        if best["outermost"]:
            warn(
                f"update {update}: the best step lies beyond all crossings of the lists; more search_iterations, a larger "
                "search_k or more sentences would bound it"
            )
        found = {"search_bleu": best["bleu"], "alpha": best["alpha"], "w1": best["w1"]}
        kept = len(Weights.unpack(tuned.weights))
        return tuned.weights, {**found, "kept_features": kept, **add_seconds(tuned.history)}

    def final(self, weights: bytes) -> tuple[bytes, Row]:
        """MERT on the dev set, from these weights."""
        options = replace(self.options.mert(self.options.final_iterations), leave_out="none", lm_folds=0)
        learner = self._mert(options, MertOptimizer(self.options, split=self.split))
        task = replace(self._task(self.task.dev, weights), held_out=self.task.held_out)
        with self.settings.part("final") as settings:
            tuned = learner.fit(task, settings)
        best = tuned.history[tuned.epoch - 1]
        row = {name: best[name] for name in ("bleu", "length_ratio", "kept_features")}
        return tuned.weights, row | add_seconds(tuned.history)

    def report(self, name: str, row: Row, weights: bytes) -> Row:
        """The row with the quality on sentences that are only looked at; told to whoever looks on."""
        row |= outside_view(name, weights, self.task, self.job, self.key, self.settings)
        self.settings.run.log(row)
        self.settings.on_epoch(row)
        return row

    def _task(self, examples: Sequence[Example], start: bytes | None = None) -> TuningTask:
        return TuningTask(
            self.task.model, self.task.templates, examples, groups=self.task.groups, start=start
        )

    def _mert(self, options: MertOptions, optimizer: Optimizer, since: str = "") -> BatchLearner:
        """MERT with another optimiser; what that one depends on is in `since` or in our own options."""
        key = digest(json.dumps([self.key, since]).encode())
        return BatchLearner("mert", options, partial(ListFitting, optimizer=optimizer, since=key))

    def _gradients(self, update: int, weights: bytes, saved: SavedShards) -> Iterator[bytes]:
        """Packed sums, block by block."""
        options, parts = self.options, self.data.gradient
        examples = parts[(update - 1) % len(parts)]
        size = max(20, -(-len(examples) // _BLOCKS))
        blocks = make_blocks(self._task(examples), size, options, len(self.model.index), self.settings.seed)
        work = [
            GradientWork(block, options, options.metric, options.cost, self.settings.seed, update)
            for block in blocks
        ]
        return run_blocks(
            f"gradient {update}",
            work,
            weights,
            job=self.job,
            executor=self.settings.executor,
            saved=saved,
        )

    def _scaled(self, weights: bytes) -> bytes:
        """All weights times a factor that gives the dense ones the length that the options ask for.

        The soft ramp weighs scores against costs, so the length of the weights matters to it; line searches leave it open.
        """
        own = stretched(Weights.unpack(weights), self.options.scale, self.split)
        if not any(own.get(name) for name in self.split.dense_names(own.index)):
            raise DemoticError(
                "all dense weights are 0", hint="start from a model that has been tuned, or start=mert"
            )
        return own.pack()

    def _project(self, gradient: Weights) -> Weights:
        """Ps: the gradient without its dense components, its largest one scaled to 1."""
        for name in self.split.dense_names(gradient.index):
            gradient.set(name, 0.0)
        if not np.isfinite(gradient.values).all():
            raise DemoticError(
                "the gradient is not finite", hint="check the weights of the model, or start=mert"
            )
        largest = float(np.abs(gradient.values).max(initial=0.0))
        if largest == 0:
            raise DemoticError(
                "the gradient is 0: no sparse feature distinguishes good translations from bad ones",
                hint="choose templates with --features, such as id, or learn on more sentences",
            )
        gradient.values /= largest
        return gradient
