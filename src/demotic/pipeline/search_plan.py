"""What a search is told, and the trials that it makes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from demotic.base.options import options_from, options_to_dict
from demotic.base.parallel import parallel_map
from demotic.base.progress import Progress
from demotic.features import DiscretizeOptions
from demotic.learn import Learner
from demotic.learn.registry import make_learner
from demotic.pipeline.search_space import SearchSpace, Setting, split_setting
from demotic.pipeline.tune import TuneInput

FOLDER = "search"
Job = TypeVar("Job")


@dataclass(frozen=True)
class SearchPlan:
    """What is searched, and for what.

    Attributes:
        files: what is learnt from, with held-out sentences.
        learner: name.
        values: its options that are not searched.
        space: those that are.
        out: the model; trials lie in `out/search`.
        seed: of everything random.
        cluster: where shards run.
        threads: of everything together.
    """

    files: TuneInput
    learner: str
    values: Mapping[str, Any]
    space: SearchSpace
    out: Path
    seed: int = 1
    cluster: str = "local"
    threads: int = 1


@dataclass(frozen=True)
class Trial:
    """A setting and what came of it.

    Attributes:
        number: from 1, in the order of the settings.
        setting: option -> value.
        list_bleu: of the best hypotheses in the lists of the sentences learnt from.
        held_out_list_bleu: the same for the held-out lists.
        held_out_bleu: of the held-out lines translated with the weights; None: not among the best.
    """

    number: int
    setting: Setting
    list_bleu: float | None = None
    held_out_list_bleu: float | None = None
    held_out_bleu: float | None = None


OnTrial = Callable[[Trial], None]
"""Told each trial that ends."""


def learner_of(plan: SearchPlan, setting: Setting) -> Learner:
    """The learner with a setting of its options."""
    return make_learner(plan.learner, {**plan.values, **split_setting(setting)[1]})


def discretization_of(plan: SearchPlan, setting: Setting) -> DiscretizeOptions | None:
    """The discretisation with a setting of its options; None if there is none."""
    own = split_setting(setting)[0]
    given = plan.files.discretize
    if not own:
        return given
    return options_from(DiscretizeOptions, {**(options_to_dict(given) if given else {}), **own})


def trial_folder(plan: SearchPlan, number: int) -> Path:
    """Where a trial leaves what it makes."""
    return plan.out / FOLDER / "trials" / f"{number:04}"


def run_trials(
    plan: SearchPlan,
    run: Callable[[Job], Trial],
    jobs: Sequence[Job],
    processes: int,
    on_trial: OnTrial | None,
) -> list[Trial]:
    """Trials in the order of their jobs, some at the same time, with progress.

    Args:
        plan: of the search.
        run: makes the trial of a job.
        jobs: can be sent to a process.
        processes: how many.
        on_trial: told each trial that ends.
    """
    trials = []
    with Progress(f"search {plan.learner}", total=len(jobs), unit="trials") as bar:
        for trial in parallel_map(run, jobs, processes):
            trials.append(trial)
            bar.advance()
            if on_trial is not None:
                on_trial(trial)
    return trials


def or_least(bleu: float | None) -> float:
    """BLEU to compare trials by; those without come last."""
    return -1.0 if bleu is None else bleu
