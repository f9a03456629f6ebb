"""Threads that decode for all requests, which take turns."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Any, TypeVar

from demotic.base.parallel import default_threads

A = TypeVar("A")
R = TypeVar("R")

_SHORT = 500  # characters: split and tokenised in a tenth of a millisecond


class Workers:
    """One pool for as long as the service runs: threads that came and went with each request would each leave memory behind.

    A thread has one job in its hands and one in front of it, so that it need not wait for the event loop, which is busy with other
    requests; all further jobs wait in the event loop, in the order in which they came. A request has at most as many jobs waiting as there are
    threads, so that one of many sentences and one of a single sentence take turns.

    Args:
        threads: 0: one for each core.
    """

    def __init__(self, threads: int = 0) -> None:
        self.threads = threads or default_threads()
        self._pool = ThreadPoolExecutor(self.threads, "decode")
        self._places = 2 * self.threads
        self._free = asyncio.Semaphore(self._places)
        self._jobs: set[Future[Any]] = set()
        self._alone = asyncio.Lock()

    async def run(self, function: Callable[..., R], *arguments: Any) -> R:
        """The result of one job. Whoever is cancelled while waiting leaves nothing behind; a job that has begun goes on to its end."""
        await self._free.acquire()
        return await self._submitted(1, function, *arguments)

    async def prepare(self, characters: int, function: Callable[..., R], *arguments: Any) -> R:
        """The result of a job on so much text that decodes nothing: done at once where another thread would begin later than it ends."""
        return function(*arguments) if characters <= _SHORT else await self.run(function, *arguments)

    async def run_alone(self, function: Callable[..., R], *arguments: Any) -> R:
        """The same while no other job runs: for one that changes a model."""
        held = 0
        async with self._alone:  # two that wait for all places would each hold some
            try:
                while held < self._places:
                    await self._free.acquire()
                    held += 1
            except asyncio.CancelledError:
                self._release(held)
                raise
            return await self._submitted(held, function, *arguments)

    async def _submitted(self, held: int, function: Callable[..., R], *arguments: Any) -> R:
        """The result of a job that holds the places of so many; they are free when it has ended, not when nobody waits for it."""
        loop = asyncio.get_running_loop()
        result: asyncio.Future[R] = loop.create_future()
        job = self._pool.submit(function, *arguments)
        self._jobs.add(job)
        job.add_done_callback(lambda job: self._finished(job, held, result))
        try:
            return await result
        except asyncio.CancelledError:
            job.cancel()
            raise

    def _finished(self, job: Future[R], held: int, result: asyncio.Future[R]) -> None:
        """Wakes the event loop, once: that is a third of what the way to a thread and back costs."""
        self._jobs.discard(job)
        with suppress(RuntimeError):  # the loop may have ended before the job
            result.get_loop().call_soon_threadsafe(self._hand_over, job, held, result)

    def _hand_over(self, job: Future[R], held: int, result: asyncio.Future[R]) -> None:
        self._release(held)
        if result.done():  # nobody waits for it
            return
        if job.cancelled():
            result.cancel()
        elif error := job.exception():
            result.set_exception(error)
        else:
            result.set_result(job.result())

    def _release(self, held: int) -> None:
        for _ in range(held):
            self._free.release()

    async def map(self, function: Callable[[A], R], items: Sequence[A]) -> list[R]:
        """The results for all items, in order; the first error ends the others."""
        if len(items) == 1:  # most requests
            return [await self.run(function, items[0])]
        results: dict[int, R] = {}
        numbers = iter(range(len(items)))

        async def walk() -> None:
            for i in numbers:
                results[i] = await self.run(function, items[i])

        walks = [asyncio.ensure_future(walk()) for _ in range(min(self.threads, len(items)))]
        try:
            await asyncio.gather(*walks)
        finally:
            for each in walks:
                each.cancel()
        return [results[i] for i in range(len(items))]

    def close(self) -> bool:
        """Accept no more jobs; whether all threads are idle. One that is decoding cannot be interrupted."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        return not self._jobs
