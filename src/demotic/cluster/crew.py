"""The workers of a Ray cluster at work on the shards of one job: hired, given shards, replaced when they die."""

from __future__ import annotations

import contextlib
import textwrap
import uuid
from collections import Counter, deque
from collections.abc import Callable, Sequence
from typing import Any

import demotic
from demotic.base.errors import DemoticError, warn
from demotic.cluster.executor import Outcome, ShardJob, Work, named_error, shard_name
from demotic.cluster.worker import Log, Place, Worker, find_log

_ANSWER = 10  # seconds that the place of a worker, known before it does anything else, may take to get here
_PATIENCE = 30  # seconds without any worker after which the user is told


class Member:
    """A worker as the driver sees it.

    Args:
        ray: the package, connected.
    """

    def __init__(self, ray: Any) -> None:
        self._ray = ray
        self._name = uuid.uuid4().hex
        self.actor = ray.remote(num_cpus=1, scheduling_strategy="SPREAD")(Worker).remote(self._name)
        self.arrived = False
        self._place = self.actor.place.remote()

    @property
    def place(self) -> Place | None:
        """Where it runs; None if it has not come so far."""
        return self._find_place(timeout=0)

    def _find_place(self, timeout: float) -> Place | None:
        with contextlib.suppress(self._ray.exceptions.RayError):
            place: Place = self._ray.get(self._place, timeout=timeout)
            return place
        return None

    def __str__(self) -> str:
        # Told of a worker that has died, perhaps at once: what it said first may still be on its way.
        place = self._find_place(timeout=_ANSWER)
        return f"worker on {place.host}" if place else "worker"

    def dismiss(self) -> None:
        """End its process, whatever it does. Once the cluster is left, there is nothing to end, and Ray would start another."""
        if self._ray.is_initialized():
            self._ray.kill(self.actor)

    def log(self) -> Log | None:
        """Its log, dead or alive, if its node is still there. All nodes look: it may have died before it said where it ran."""
        on_node = self._ray.util.scheduling_strategies.NodeAffinitySchedulingStrategy
        find = self._ray.remote(find_log)
        searches = [
            find.options(num_cpus=0, max_retries=0, scheduling_strategy=on_node(node["NodeID"], soft=False))
            for node in self._ray.nodes()
            if node["Alive"]
        ]
        for search in [search.remote(self._name) for search in searches]:
            with contextlib.suppress(self._ray.exceptions.RayError):
                log: Log | None = self._ray.get(search, timeout=_ANSWER)
                if log is not None:
                    return log
        return None


class Crew(Work):
    """The work on the shards of one job.

    A member is either starting (it prepares, or proves that it is still alive), idle, or running a shard. Deaths are Ray's
    errors; errors that the job raises are results like any other.

    Args:
        ray: the package, connected.
        crew: members from earlier jobs; left with those that can be used again.
        job: what to do.
        shards: what to do it on.
        broadcast: put into the object store once; every node fetches it once.
        workers: how many members there may be now.
        retries: how often a shard whose worker died is run again.
    """

    def __init__(
        self,
        ray: Any,
        crew: list[Member],
        job: ShardJob[Any, Any, Any],
        shards: Sequence[Any],
        broadcast: Any,
        workers: Callable[[], int],
        retries: int,
    ) -> None:
        self._ray, self._errors = ray, ray.exceptions
        self._crew, self._job, self._shards, self._broadcast = crew, job, shards, ray.put(broadcast)
        self._workers, self._retries = workers, retries
        self._queued: deque[int] = deque()
        self._starting: dict[Any, Member] = {}
        self._idle: list[Member] = []
        self._running: dict[Any, tuple[Member, int]] = {}
        self._deaths: Counter[int | None] = Counter()  # by shard; None: those that never arrived, in a row
        self._seconds_without_workers = 0
        for member in crew:
            self._begin(member)

    def start(self, number: int) -> None:
        """Give the shard to an idle worker, or queue it for one that is hired."""
        self._queued.append(number)
        self._dispatch()

    def wait(self) -> tuple[int, Outcome] | None:
        """Wait for a shard, or for something that happens to a worker."""
        self._dispatch()
        ready, _ = self._ray.wait([*self._starting, *self._running], timeout=1)
        if not ready:
            self._look_around()
            return None
        if ready[0] in self._starting:
            self._welcome(ready[0])
            return None
        return self._collect(ready[0])

    def cancel(self) -> None:
        """End the workers that run; keep the others."""
        for member, _ in self._running.values():
            member.dismiss()
        self._crew[:] = [*self._starting.values(), *self._idle]

    def _dispatch(self) -> None:
        """Give queued shards to idle members, and hire if there are not enough."""
        while self._queued and self._idle:
            member, number = self._idle.pop(), self._queued.popleft()
            self._running[member.actor.run.remote(self._shards[number], self._broadcast)] = member, number
        while len(self._starting) < min(len(self._queued), self._workers() - len(self._running)):
            self._begin(Member(self._ray))

    def _begin(self, member: Member) -> None:
        self._starting[member.actor.prepare.remote(self._job)] = member

    def _welcome(self, ref: Any) -> None:
        """A member is ready, or is not."""
        member = self._starting.pop(ref)
        try:
            self._ray.get(ref)
        except self._errors.RayTaskError as error:
            self._idle.append(member)
            raise named_error(error.cause, str(member)) from error
        except self._errors.RayError as error:
            if not member.arrived:
                self._replace(member, None, error)
            return
        if member.place is not None and member.place.version != demotic.__version__:
            raise DemoticError(
                f"{member} runs demotic {member.place.version}, but this is {demotic.__version__}",
                hint="install the same version on all nodes",
            )
        member.arrived = True
        del self._deaths[None]
        self._idle.append(member)

    def _collect(self, ref: Any) -> tuple[int, Outcome] | None:
        """The outcome of a shard; None if it must run again."""
        member, number = self._running.pop(ref)
        outcome: Outcome
        try:
            outcome = self._ray.get(ref)
        except self._errors.RayTaskError as error:
            outcome = named_error(error.cause, f"{shard_name(number, self._shards)}, {member}")
            outcome.__cause__ = error  # with the worker's traceback
        except self._errors.RayError as error:
            try:
                self._replace(member, number, error)
            except DemoticError as failure:
                return number, failure
            self._queued.appendleft(number)
            return None
        self._idle.append(member)
        return number, outcome

    def _replace(self, member: Member, number: int | None, error: Exception) -> None:
        """Forget a dead member (`_dispatch` hires another); an error if too many have died at the same place."""
        # Others may be gone with the same node. They prove that they live before they are given a shard, so that its
        # attempts are not wasted on them.
        while self._idle:
            self._begin(self._idle.pop())
        self._deaths[number] += 1
        attempts = f"attempt {self._deaths[number]} of {self._retries + 1}"
        work = "preparing" if number is None else shard_name(number, self._shards)
        message = f"{work}: {member} died ({attempts}): {_reason(error)}"
        if self._deaths[number] > self._retries:
            log = member.log()
            where = f"; its log is {log.path} on {log.host}" if log else ""
            raise DemoticError(
                "\n    ".join([message, *(log.lines if log else [])]),
                hint=f"if memory ran out, use fewer workers per node{where}",
            ) from error
        warn(message)
        with contextlib.suppress(self._errors.RayError):
            member.dismiss()  # it may only be out of reach

    def _look_around(self) -> None:
        """A second has passed without any event: say so if there is nobody to wait for."""
        if self._running or any(member.place for member in self._starting.values()):
            self._seconds_without_workers = 0
            return
        self._seconds_without_workers += 1
        if self._seconds_without_workers == _PATIENCE:
            warn(
                f"no worker could be started for {_PATIENCE} seconds; still waiting for a free CPU (see `ray status`)"
            )


def _reason(error: Exception) -> str:
    """The part of Ray's message that says what happened, in one line."""
    text = " ".join(str(error).split())
    for mark in ("Worker exit detail: ", "The actor is dead because "):
        text = text.partition(mark)[2] or text
    return textwrap.shorten(text.partition(" Some common causes")[0], 200, placeholder=" ...")
