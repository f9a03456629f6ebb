"""Online learners under algorithms 1 to 4 of Simianer, Riezler and Dyer (2012)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

from demotic.base.errors import DemoticError
from demotic.features import Weights
from demotic.learn.cost import DataSizes, Decodings
from demotic.learn.learner import Learner, LearnSettings, Tuned
from demotic.learn.online.algorithms import iterate, mix_sgd, mixed_by, selected_by
from demotic.learn.online.online_fitting import OnlineFitting
from demotic.learn.online.rule import RuleOptions
from demotic.learn.options import SelectionOptions
from demotic.learn.task import TuningTask

Algorithm = Literal["sgd", "mix", "itermix", "itersel"]


class OnlineLearner(Learner):
    """An online rule under one of the four algorithms.

    Args:
        name: of the learner.
        algorithm: `sgd` (1), `mix` (2), `itermix` (3) or `itersel` (4).
        options: make the rule; for `itersel` also `SelectionOptions`.
    """

    def __init__(self, name: str, algorithm: Algorithm, options: RuleOptions) -> None:
        self.name, self.algorithm = name, algorithm
        if algorithm == "sgd":  # one shard, whatever the number of sentences
            options = replace(options, shards=1, shard_by="", random_tasks=False)
        if isinstance(options, SelectionOptions) and algorithm != "itersel":
            off: dict[str, Any] = {"select": 0, "select_by": "weights"}
            options = replace(options, **off)
        if algorithm == "itersel" and not isinstance(options, SelectionOptions):
            raise ValueError(f"{name} has no options for feature selection")
        if algorithm == "mix" and options.report_every:
            raise DemoticError(
                "report_every cannot be used with `mix`, whose shards are merged only at the end",
                hint="leave report_every out, or choose itermix",
            )
        self.options = options

    def fit(self, task: TuningTask, settings: LearnSettings) -> Tuned:
        """Learn, with a checkpoint after every epoch."""
        fitting = OnlineFitting(self.algorithm, self.options, task, settings)
        tuned = self._fit(fitting)
        fitting.forget_forests()
        return tuned

    def _fit(self, fitting: OnlineFitting) -> Tuned:
        if self.algorithm == "mix":
            return mix_sgd(fitting, mixed_by(self.options), self.options.epochs)
        if self.algorithm == "itersel" and isinstance(self.options, SelectionOptions):
            by_gradient = self.options.select_by == "gradient"
            dense = Weights.from_dict(dict.fromkeys(fitting.model.dense_features(), 1.0)).pack()
            merge = selected_by(self.options, self.options.mixing)
            return iterate(fitting, merge, active=dense if by_gradient else None)
        return iterate(
            fitting, mixed_by(self.options), average=self.options.averaged and self.algorithm == "sgd"
        )

    def decodings(self, sizes: DataSizes) -> Decodings:
        """Everything once in each epoch that decodes."""
        options = self.options
        return Decodings(options.k, options.decoding_epochs * sizes.learnt, options.epochs * sizes.select)


def sgd_learner(options: RuleOptions, name: str) -> OnlineLearner:
    """Algorithm 1."""
    return OnlineLearner(name, "sgd", options)


def mix_learner(options: RuleOptions, name: str) -> OnlineLearner:
    """Algorithm 2."""
    return OnlineLearner(name, "mix", options)


def iter_mix_learner(options: RuleOptions, name: str) -> OnlineLearner:
    """Algorithm 3."""
    return OnlineLearner(name, "itermix", options)


def iter_sel_learner(options: RuleOptions, name: str) -> OnlineLearner:
    """Algorithm 4."""
    return OnlineLearner(name, "itersel", options)


def one_or_mixed(options: RuleOptions, name: str) -> OnlineLearner:
    """Algorithm 1 on one shard or, if the options ask for several, algorithm 3."""
    is_one = options.shards == 1 and not options.shard_by
    return sgd_learner(options, name) if is_one else iter_mix_learner(options, name)
