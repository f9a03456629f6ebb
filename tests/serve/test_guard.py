"""The guard around applications that wait for ever, and the threads that decode."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from typing import Any

from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from demotic.serve import ServeOptions
from demotic.serve.guard import Guard
from demotic.serve.hosts import Hosts
from demotic.serve.metrics import Metrics
from demotic.serve.request_log import RequestLog
from demotic.serve.workers import Workers

SCOPE: Scope = {
    "type": "http",
    "method": "POST",
    "path": "/",
    "headers": [(b"host", b"localhost")],
}


class Client:
    """One request: messages that arrive, and what was answered."""

    def __init__(self, *messages: Message) -> None:
        self.messages = list(messages) or [{"type": "http.request", "body": b"{}"}]
        self.left = asyncio.Event()
        self.sent: list[Message] = []

    async def receive(self) -> Message:
        if not self.messages:
            await self.left.wait()
            return {"type": "http.disconnect"}
        return self.messages.pop(0)

    async def send(self, message: Message) -> None:
        self.sent.append(message)

    @property
    def status(self) -> int:
        return self.sent[0]["status"]

    @property
    def error(self) -> str:
        return json.loads(self.sent[1]["body"])["error"]


class Waiting:
    """An application that waits, and knows whether it was given up."""

    def __init__(self) -> None:
        self.begun = asyncio.Event()
        self.given_up = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await receive()
            self.begun.set()
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.given_up = True
            raise


def guarded(app: Any, **bounds: Any) -> Guard:
    return Guard(app, ServeOptions(**{"max_bytes": 100, **bounds}), Hosts(), Metrics(), RequestLog(None))


def run_guarded(scenario: Callable[[], Any]) -> None:
    asyncio.run(asyncio.wait_for(scenario(), 30))


def test_a_client_that_leaves_is_not_worked_for():
    async def scenario() -> None:
        app, client = Waiting(), Client()
        guard = guarded(app)
        task = asyncio.create_task(guard(dict(SCOPE), client.receive, client.send))
        await app.begun.wait()
        client.left.set()
        await task
        await asyncio.sleep(0)
        assert app.given_up and client.sent == []

    run_guarded(scenario)


def test_a_request_has_its_time():
    async def scenario() -> None:
        app, client = Waiting(), Client()
        await guarded(app, request_seconds=0.01)(dict(SCOPE), client.receive, client.send)
        await asyncio.sleep(0)
        assert (client.status, client.error) == (503, "the request took too long")
        assert app.given_up

    run_guarded(scenario)


def test_a_body_has_its_time_and_size():
    async def scenario() -> None:
        app = Waiting()
        guard = guarded(app, read_seconds=0.01)
        slow = Client({"type": "http.request", "body": b"{", "more_body": True})
        await guard(dict(SCOPE), slow.receive, slow.send)
        assert slow.status == 408
        part = {"type": "http.request", "body": b"x" * 60, "more_body": True}
        large = Client(part, part, part)
        await guard(dict(SCOPE), large.receive, large.send)
        assert large.status == 413 and len(large.messages) == 1
        assert not app.begun.is_set()

    run_guarded(scenario)


def test_one_request_too_many_is_told_to_come_back():
    async def scenario() -> None:
        app, first, second = Waiting(), Client(), Client()
        guard = guarded(app, max_requests=1)
        task = asyncio.create_task(guard(dict(SCOPE), first.receive, first.send))
        await app.begun.wait()
        await guard(dict(SCOPE), second.receive, second.send)
        assert (second.status, second.error) == (503, "too many requests are waiting")
        assert (b"retry-after", b"1") in second.sent[0]["headers"]
        first.left.set()
        await task

    run_guarded(scenario)


def test_what_arrives_before_the_end_is_answered_for_the_last_time():
    async def scenario() -> None:
        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            await receive()
            await Response("ok")(scope, receive, send)

        guard, client = guarded(app), Client()
        guard.end()
        await guard(dict(SCOPE), client.receive, client.send)
        assert client.status == 200
        assert (b"connection", b"close") in client.sent[0]["headers"]

    run_guarded(scenario)


def test_the_end_gives_up_what_takes_too_long():
    async def scenario() -> None:
        app, waiting = Waiting(), Client()
        arriving = Client({"type": "http.request", "body": b"{", "more_body": True})
        guard = guarded(app, end_seconds=0.01)
        tasks = [
            asyncio.create_task(guard(dict(SCOPE), client.receive, client.send))
            for client in (waiting, arriving)
        ]
        await app.begun.wait()
        guard.end()
        await asyncio.gather(*tasks)
        late = Client()
        await guard(dict(SCOPE), late.receive, late.send)
        assert {client.error for client in (waiting, arriving, late)} == {"the service is ending"}
        assert {client.status for client in (waiting, arriving, late)} == {503}

    run_guarded(scenario)


def test_requests_take_turns():
    """A request of many sentences and then one of a single sentence: the second does not wait for all of the first."""

    async def scenario() -> list[str]:
        workers, done = Workers(1), []
        many = asyncio.create_task(workers.map(done.append, [f"many {i}" for i in range(10)]))
        await asyncio.sleep(0)
        one = asyncio.create_task(workers.map(done.append, ["one"]))
        await asyncio.gather(many, one)
        workers.close()
        return done

    done = asyncio.run(scenario())
    assert done.index("one") <= 2 and len(done) == 11
    assert [each for each in done if each != "one"] == [f"many {i}" for i in range(10)]


def test_cancelled_jobs_free_their_place():
    async def scenario() -> str:
        workers = Workers(2)
        waiting = [asyncio.create_task(workers.run(str, i)) for i in range(5)]
        waiting += [asyncio.create_task(workers.run_alone(str, i)) for i in range(3)]
        await asyncio.sleep(0)
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        return await asyncio.wait_for(workers.run_alone(str, "free"), 20)

    assert asyncio.run(scenario()) == "free"


def test_a_job_that_changes_a_model_runs_alone():
    async def scenario() -> list[str]:
        workers, running, seen = Workers(3), [], []

        def job(name: str) -> None:
            running.append(name)
            time.sleep(0.002)
            seen.append(f"{name} {len(running)}" if name == "alone" else name)
            running.remove(name)

        jobs = [workers.map(job, ["a", "b", "c", "d"]), workers.run_alone(job, "alone")]
        jobs += [workers.run_alone(job, "alone"), workers.map(job, ["e", "f"])]
        await asyncio.gather(*jobs)
        return seen

    seen = asyncio.run(scenario())
    assert sorted(seen) == ["a", "alone 1", "alone 1", "b", "c", "d", "e", "f"]
