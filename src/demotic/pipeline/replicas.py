"""`demotic tune --replicas N` and `--draws N`: the same learner several times, each with random numbers of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from demotic.base.errors import DemoticError
from demotic.base.files import Pathish, make_folder
from demotic.base.log_file import LOG, log_to
from demotic.base.parallel import parallel_map
from demotic.base.progress import Progress
from demotic.cluster import executor
from demotic.decode import ModelFolder
from demotic.learn.registry import make_learner
from demotic.pipeline.tune import TuneInput, check_folders, tune

FOLDER = "replicas"


@dataclass(frozen=True)
class Replica:
    """One run of an optimiser.

    Attributes:
        number: from 1.
        seed: of everything random in it.
        model: its folder.
        epoch: that was chosen, from 1.
        bleu: of its weights: on held-out sentences or, without any, on those learnt from; None if the learner does not say.
        quality: by which the best is chosen: BLEU, or what the learner maximises instead.
        history: a row per epoch.
    """

    number: int
    seed: int
    model: Path
    epoch: int
    bleu: float | None
    quality: float | None
    history: list[dict[str, Any]]


@dataclass(frozen=True)
class ReplicaPlan:
    """What replicas are made of.

    Attributes:
        files: what all of them learn from; if `start_from` has replicas too, replica r starts from the r-th of them.
        learner: name.
        values: its options.
        out: the model; replica r is `out/replicas/r`.
        replicas: how many.
        seed: replica r has the seed + r - 1.
        cluster: where shards run.
        threads: of all replicas together.
        new_draws: each replica draws training sentences of its own; otherwise all learn from the same.
    """

    files: TuneInput
    learner: str
    values: Mapping[str, Any]
    out: Path
    replicas: int
    seed: int = 1
    cluster: str = "local"
    threads: int = 1
    new_draws: bool = False


def tune_replicas(plan: ReplicaPlan, on_replica: Callable[[Replica], None] | None = None) -> list[Replica]:
    """Tune all replicas; `plan.out` becomes the model of the best, of equals of the first.

    On this machine as many run at the same time as there are threads, which they share: much of what a learner does needs one
    core only. A cluster is given one after the other.
    """
    check_folders(plan.files.model, plan.out)
    make_learner(plan.learner, plan.values)  # wrong options are refused before any work is done
    for number in range(1, plan.replicas + 1):
        start_of_replica(plan.files.start_from, number)
    processes = min(plan.replicas, plan.threads) if plan.cluster == "local" else 1
    jobs = [
        _Job(replace(plan, threads=max(1, plan.threads // processes)), number, has_log=processes > 1)
        for number in range(1, plan.replicas + 1)
    ]
    done = []
    for replica in _run(jobs, plan.learner, processes):
        done.append(replica)
        if on_replica is not None:
            on_replica(replica)
    publish_copy(max(done, key=lambda replica: (replica.quality or 0.0, -replica.number)).model, plan.out)
    return done


def start_of_replica(folder: Pathish | None, number: int) -> Pathish | None:
    """Replica r of a learner starts from replica r of another: Flanigan, Dyer and Carbonell (2013), section 6.

    Args:
        folder: of the other; a model without replicas is where all start.
        number: from 1.
    """
    if folder is None or not (Path(folder) / FOLDER).is_dir():
        return folder
    replica = Path(folder) / FOLDER / str(number)
    if not ModelFolder(replica).is_complete:
        raise DemoticError(
            f"there is no replica {number} to start from",
            folder,
            hint="lower --replicas",
        )
    return replica


def _run(jobs: Sequence[_Job], learner: str, processes: int) -> Iterator[Replica]:
    """The replicas in order; one after the other they show their own progress."""
    if processes == 1:
        yield from map(_Job.run, jobs)
        return
    with Progress(f"tune {learner}", total=len(jobs), unit="replicas") as bar:
        for replica in parallel_map(_Job.run, jobs, processes):
            bar.advance()
            yield replica


@dataclass(frozen=True)
class _Job:
    """One replica, as a process is told of it."""

    plan: ReplicaPlan
    number: int
    has_log: bool

    def run(self) -> Replica:
        plan, seed = self.plan, self.plan.seed + self.number - 1
        learner = make_learner(plan.learner, plan.values)
        out = make_folder(plan.out / FOLDER / str(self.number))
        with log_to(out / LOG if self.has_log else None), executor(plan.cluster, plan.threads) as workers:
            files = replace(plan.files, start_from=start_of_replica(plan.files.start_from, self.number))
            data_seed = seed if plan.new_draws else plan.seed
            tuned = tune(files, learner, out, workers, seed=seed, data_seed=data_seed)
        return Replica(self.number, seed, out, tuned.epoch, tuned.bleu, tuned.quality, tuned.history)


def publish_copy(best: Path, out: Path) -> None:
    """The files of a model that was tuned in a sub-folder."""
    ModelFolder(out).copy_of(ModelFolder(best), without=LOG)
