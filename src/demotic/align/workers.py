"""Runs alignment directions in processes of their own and follows their progress."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from demotic.align.directions import Direction, Positions, align_direction
from demotic.base.errors import DemoticError
from demotic.base.processes import WorkerContext
from demotic.base.progress import Progress


def align_directions(jobs: list[Direction], workers: int) -> list[Positions]:
    """The result of each direction; with two or more workers the directions run at the same time."""
    with Progress(f"align: {jobs[0].model}", total=100 * len(jobs), unit="%") as bar:
        if workers > 1:
            return _collect(jobs, bar)
        return [positions for job in jobs for positions in _collect([job], bar)]


def _collect(jobs: list[Direction], bar: Progress) -> list[Positions]:
    results: dict[int, Positions] = {}
    percent = [0] * len(jobs)
    with _processes(jobs) as connections:
        while len(results) < len(jobs):
            for connection in wait([c for i, c in enumerate(connections) if i not in results]):
                assert isinstance(connection, Connection)
                i = connections.index(connection)
                message = _receive(connection, jobs[i])
                if isinstance(message, tuple):
                    done, steps = message
                    bar.advance(100 * done // steps - percent[i])
                    percent[i] = 100 * done // steps
                else:
                    results[i] = message
    return [results[i] for i in range(len(jobs))]


def _receive(connection: Connection, job: Direction) -> tuple[int, int] | Positions:
    try:
        message: tuple[int, int] | Positions | DemoticError = connection.recv()
    except EOFError:
        raise DemoticError(
            f"the aligner ({job.model}) died",
            job.source,
            hint="if memory ran out, use fewer pairs, or --threads 1 to align one direction at a time",
        ) from None
    if isinstance(message, DemoticError):
        raise message
    return message


@contextmanager
def _processes(jobs: list[Direction]) -> Iterator[list[Connection]]:
    context = WorkerContext()
    connections: list[Connection] = []
    processes: list[BaseProcess] = []
    try:
        for job in jobs:
            ours, theirs = context.Pipe(duplex=False)
            process: BaseProcess = context.Process(target=_serve, args=(job, theirs), daemon=True)
            process.start()
            theirs.close()
            connections.append(ours)
            processes.append(process)
        yield connections
    finally:
        for connection in connections:
            connection.close()
        for process in processes:
            process.terminate()
            process.join()


def _serve(job: Direction, connection: Connection) -> None:
    """Body of a worker: sends `(done, all)` while it works, then the positions, or the error.

    When the parent is killed, the next message fails and the worker ends.
    """
    try:
        connection.send(align_direction(job, lambda done, steps: connection.send((done, steps))))
    except DemoticError as error:
        connection.send(error)
    except BrokenPipeError:
        pass
    finally:
        connection.close()
