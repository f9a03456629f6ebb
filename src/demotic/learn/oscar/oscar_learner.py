"""OSCAR: tuning with a large number of features by grouping them (Liu, Zhao, Watanabe and Sumita 2013), algorithm 1."""

from __future__ import annotations

from demotic.base.errors import DemoticError
from demotic.learn.cost import DataSizes, Decodings
from demotic.learn.fitting.seconds import add_seconds
from demotic.learn.learner import Learner, LearnSettings, Tuned
from demotic.learn.oscar.oscar_fitting import OscarFitting
from demotic.learn.oscar.oscar_options import OscarOptions
from demotic.learn.task import TuningTask


class OscarLearner(Learner):
    """Learns groups of sparse features on training data, tunes a weight per group on a dev set, and repeats.

    The result is the last iteration, as in the paper, or the best on held-out sentences if there are any. The weights are unpacked: each
    feature has the weight of its group; the groups come with them.
    """

    uses_dev = True
    uses_groups = False

    def __init__(self, options: OscarOptions, name: str = "oscar") -> None:
        self.options, self.name = options, name

    def fit(self, task: TuningTask, settings: LearnSettings) -> Tuned:
        """Algorithm 1, with checkpoints after each of its steps."""
        if not task.dev:
            raise DemoticError(
                "oscar needs training data for grouping and a dev set for tuning",
                hint="give --on-train, and --src and --ref of the dev set",
            )
        if not task.templates:
            raise DemoticError("no sparse features to group", hint="add --features id")
        fitting = OscarFitting(self.options, task, settings)
        vectors, groups, history = [fitting.initial_weights], [], []
        for i in range(1, self.options.iterations + 1):
            row = {"epoch": i, **fitting.decode(i, vectors[-1])}
            found, figures = fitting.group(i, vectors[-1])
            weights, tuned = fitting.tune(i, found, vectors[-1])
            seconds = add_seconds([row, figures, tuned])
            history.append(fitting.report(f"{i:03}", {**row, **figures, **tuned, **seconds}, weights))
            vectors.append(weights)
            groups.append(found)
        best = max(range(len(history)), key=lambda i: history[i].get("held_out_bleu", i))
        return Tuned(vectors[best + 1], best + 1, history, vectors[1:], groups[best].read_bytes())

    def decodings(self, sizes: DataSizes) -> Decodings:
        """In each iteration the training data for tuples, then the dev set for the weights of groups."""
        rounds = self.options.iterations
        lists = rounds * (sizes.learnt + (self.options.pro.iterations + 1) * sizes.dev)
        return Decodings(self.options.k, lists, rounds * sizes.select, sizes.dev)
