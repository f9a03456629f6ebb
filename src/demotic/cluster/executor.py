"""What a shard job is, and the loop that all executors share: bounded, in the order of the shards, whoever runs them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from types import TracebackType
from typing import Any, Protocol, TypeAlias, TypeVar

from demotic.base.errors import DemoticError

Context = TypeVar("Context")
Shard = TypeVar("Shard", contravariant=True)
Broadcast = TypeVar("Broadcast", contravariant=True)

Outcome: TypeAlias = bytes | DemoticError


class ShardJob(Protocol[Context, Shard, Broadcast]):
    """The work that is done on every shard. A small picklable value that can be compared: a frozen dataclass.

    `run` must be deterministic. It should come back to Python now and then (once a sentence will do), because that is
    where a cancelled shard stops.
    """

    def prepare(self) -> Context:
        """Load what all shards need (a model). Called once per process; the shards of equal jobs in a row share the result."""

    def run(self, context: Context, shard: Shard, broadcast: Broadcast) -> bytes:
        """The work on one shard. Several threads may share `context`; neither it nor `broadcast` may be changed."""


class Executor(ABC):
    """Runs shards on workers. A context manager: leaving it lets the workers go."""

    @property
    @abstractmethod
    def workers(self) -> int:
        """How many shards run at the same time; may grow while nodes join a cluster."""

    def map(
        self,
        job: ShardJob[Context, Shard, Broadcast],
        shards: Sequence[Shard],
        broadcast: Broadcast,
        on_done: Callable[[int], None] | None = None,
    ) -> Iterator[bytes]:
        """Yield `job.run(context, shard, broadcast)` for each shard, in the order of the shards.

        What is yielded depends neither on the number of workers nor on the executor. At most `2 * workers` results wait
        for their turn, so memory does not grow with the number of shards; nothing runs before the first result is asked for.

        Args:
            job: what to do.
            shards: what to do it on; picklable values.
            broadcast: what all shards are given, typically the current weights; any picklable value.
            on_done: told the index of each shard that has ended, in the order in which they end, in the caller's thread.

        Raises:
            DemoticError: a shard failed. The error names it; of several, it is the first in the order of the shards.
        """
        finished: dict[int, Outcome] = {}
        started = yielded = 0
        with self._open(job, shards, broadcast) as work:
            while yielded < len(shards):
                workers = self.workers
                while started < len(shards) and _has_room(workers, started, yielded, len(finished)):
                    work.start(started)
                    started += 1
                if yielded in finished:
                    yielded += 1
                    yield _result(finished.pop(yielded - 1))
                elif (ended := work.wait()) is not None:
                    number, finished[number] = ended
                    if on_done is not None:
                        on_done(number)

    @abstractmethod
    def _open(
        self, job: ShardJob[Any, Shard, Broadcast], shards: Sequence[Shard], broadcast: Broadcast
    ) -> Work:
        """Make ready to run shards of this job."""

    @abstractmethod
    def close(self) -> None:
        """Let the workers go."""

    def __enter__(self) -> Executor:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Work(ABC):
    """The shards of one call of `map` while they run, known by their index. Leaving it cancels those that still run."""

    @abstractmethod
    def start(self, number: int) -> None:
        """Begin a shard; at most `workers` run at a time."""

    @abstractmethod
    def wait(self) -> tuple[int, Outcome] | None:
        """Wait until some shard ends; None now and then while none does, so that new workers are seen."""

    @abstractmethod
    def cancel(self) -> None:
        """End what still runs; its results are not wanted."""

    def __enter__(self) -> Work:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.cancel()


def _has_room(workers: int, started: int, yielded: int, finished: int) -> bool:
    """Whether one more shard may start: a worker is free, and a slow first shard does not let results pile up."""
    waiting = started - yielded
    return waiting - finished < workers and waiting < 2 * workers


def _result(outcome: Outcome) -> bytes:
    if isinstance(outcome, DemoticError):
        raise outcome
    return outcome


def shard_name(number: int, shards: Sequence[Any]) -> str:
    """What a shard is called in messages."""
    return f"shard {number + 1} of {len(shards)}"


def named_error(error: BaseException, where: str) -> DemoticError:
    """The error that a user sees: the same message, place and hint, and `where` it was raised (a shard, a worker)."""
    if isinstance(error, DemoticError):
        named = DemoticError(f"{error.message} ({where})", error.file, error.line, error.hint)
    else:
        named = DemoticError(f"{type(error).__name__}: {error} ({where})", hint="--debug shows the traceback")
    named.__cause__ = error
    return named
