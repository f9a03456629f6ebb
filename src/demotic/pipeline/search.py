"""`demotic tune --search F.toml`: the options of a learner and of discretisation, found on held-out lines.

A batch learner is not run to its end for each setting. Its lists are decoded a few times for each way to make them (and for each
discretisation), with the options that are not searched; on these frozen lists every setting is optimised for a few rounds and judged
by the held-out lists. The best few on each set of lists then translate the held-out lines, and the best of those is tuned in full. Learners that have no
lists to freeze are run in full for each setting.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from demotic.base.errors import DemoticError
from demotic.base.files import make_folder
from demotic.cluster import executor
from demotic.learn import BatchLearner
from demotic.pipeline.list_search import batch_options, search_lists
from demotic.pipeline.replicas import publish_copy
from demotic.pipeline.search_plan import (
    OnTrial,
    SearchPlan,
    Trial,
    discretization_of,
    learner_of,
    or_least,
    run_trials,
    trial_folder,
)
from demotic.pipeline.search_space import Setting
from demotic.pipeline.tune import check_folders, tune


def search(plan: SearchPlan, on_trial: OnTrial | None = None) -> tuple[list[Trial], Trial]:
    """Try all settings and tune with the best; killed and run again it goes on and ends with the same bytes.

    Args:
        plan: what is searched.
        on_trial: told each trial that ends.

    Returns:
        All trials, and the winner: the first of those with the highest BLEU on the held-out lines.
    """
    check_folders(plan.files.model, plan.out)
    if plan.files.held_out_source is None:
        raise DemoticError("--search needs a held-out set", hint="give --held-out-src and --held-out-ref")
    settings = plan.space.settings(plan.seed)
    learners = [learner_of(plan, setting) for setting in settings]  # wrong values are refused before any work
    discretizations = [discretization_of(plan, setting) for setting in settings]
    has_lists = all(isinstance(learner, BatchLearner) for learner in learners)
    if has_lists:
        trials = search_lists(
            plan, settings, [batch_options(each) for each in learners], discretizations, on_trial
        )
    else:
        trials = _search_runs(plan, settings, on_trial)
    winner = max(trials, key=lambda trial: (or_least(trial.held_out_bleu), -trial.number))
    if has_lists:
        place = winner.number - 1
        with executor(plan.cluster, plan.threads) as workers:
            files = replace(plan.files, discretize=discretizations[place])
            tune(files, learners[place], plan.out, workers, seed=plan.seed)
    else:
        publish_copy(trial_folder(plan, winner.number), plan.out)
    return trials, winner


def _search_runs(plan: SearchPlan, settings: Sequence[Setting], on_trial: OnTrial | None) -> list[Trial]:
    """Complete runs, side by side on one machine."""
    processes = min(len(settings), plan.threads) if plan.cluster == "local" else 1
    shared = replace(plan, threads=max(1, plan.threads // processes))
    jobs = [_RunTrial(shared, number, setting) for number, setting in enumerate(settings, start=1)]
    return run_trials(plan, _RunTrial.run, jobs, processes, on_trial)


@dataclass(frozen=True)
class _RunTrial:
    """One setting run in full, as a process is told of it."""

    plan: SearchPlan
    number: int
    setting: Setting

    def run(self) -> Trial:
        plan = self.plan
        files = replace(plan.files, discretize=discretization_of(plan, self.setting))
        out = make_folder(trial_folder(plan, self.number))
        with executor(plan.cluster, plan.threads) as workers:
            tuned = tune(files, learner_of(plan, self.setting), out, workers, seed=plan.seed)
        return Trial(self.number, self.setting, held_out_bleu=tuned.bleu)
