"""What stands between the network and the application: bounds on bytes, seconds and requests, and an end that everybody hears of."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable
from typing import Any, TypeVar

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from demotic.serve.answers import Refusal
from demotic.serve.hosts import Hosts
from demotic.serve.metrics import Metrics
from demotic.serve.options import ServeOptions
from demotic.serve.request_log import Record, RequestLog

T = TypeVar("T")

_CLIENT_LEFT = 499  # as nginx logs it; nobody is there to receive it


class _ClientLeft(Exception):
    """Nobody waits for the answer any more."""


class Guard:
    """Reads a request within its bounds, then lets the application answer while the client waits and there is time.

    Args:
        app: the application.
        options: bounds.
        hosts: who may be named in a request.
        metrics: are kept here.
        log: a line per request.
    """

    def __init__(
        self, app: ASGIApp, options: ServeOptions, hosts: Hosts, metrics: Metrics, log: RequestLog
    ) -> None:
        self._app = app
        self._options = options
        self._hosts = hosts
        self._metrics = metrics
        self._log = log
        self._reading: set[asyncio.Task[Any]] = set()
        self._answering: set[asyncio.Task[Any]] = set()
        self.ending = False
        self._given_up = False
        metrics.gauges["requests"] = (
            "Requests being answered or waiting.",
            lambda: float(len(self._answering)),
        )

    def end(self) -> None:
        """Answer whatever has been accepted, each time with the word that it was the last; what is not ready in time is given up."""
        self.ending = True
        asyncio.get_running_loop().call_later(self._options.end_seconds, self._give_up)

    def _give_up(self) -> None:
        self._given_up = True
        for task in [*self._reading, *self._answering]:
            task.cancel()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, as ASGI has it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = time.perf_counter()
        record = Record.of(scope)
        reply = _Reply(send, record, self)
        try:
            await self._answer(scope, receive, reply, record)
        except Refusal as refusal:
            await reply.refuse(scope, receive, refusal)
        except _ClientLeft:
            record.status = _CLIENT_LEFT
            self._metrics.dropped += 1
        except Exception as error:  # the application has answered 500
            self._log.failure(record, error)
        seconds = time.perf_counter() - started
        record.milliseconds = round(1000 * seconds, 1)
        self._metrics.request(record.route, record.status, seconds)
        self._log.request(record)

    async def _answer(self, scope: Scope, receive: Receive, reply: _Reply, record: Record) -> None:
        headers = Headers(scope=scope)
        if self._given_up:
            raise _the_end()
        reply.origin = self._hosts.check(headers.get("host", ""), headers.get("origin"))
        if scope["method"] == "OPTIONS":
            await Response(status_code=204, headers={"allow": "GET, POST"})(scope, receive, reply)
            return
        length = headers.get("content-length", "")
        if length.isdecimal() and (len(length) > 18 or int(length) > self._options.max_bytes):
            raise self._too_large()
        body = await self._within(
            self._read(receive),
            self._reading,
            self._options.read_seconds,
            Refusal(408, "the request did not arrive in time", close=True),
        )
        record.bytes = len(body)
        # Whoever only looks (is it alive?) is answered also when many wait.
        if scope["method"] == "POST" and len(self._answering) >= self._options.max_requests:
            raise Refusal(503, "too many requests are waiting", retry_after=1)
        await self._within(
            self._app(scope, _Replay(body), reply),
            self._answering,
            self._options.request_seconds,
            Refusal(503, "the request took too long", hint="send less text at once"),
            asyncio.ensure_future(_departure(receive)),
        )

    async def _read(self, receive: Receive) -> bytes:
        """The body: its bytes are counted as they arrive, whatever its headers say."""
        body = bytearray()
        more = True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise _ClientLeft
            body += message.get("body", b"")
            more = message.get("more_body", False)
            if len(body) > self._options.max_bytes:
                raise self._too_large()
        return bytes(body)

    async def _within(
        self,
        work: Awaitable[T],
        group: set[asyncio.Task[Any]],
        seconds: float,
        late: Refusal,
        departure: asyncio.Future[None] | None = None,
    ) -> T:
        """The result of work that is done in time, before the client leaves and before the service ends; else it is dropped."""
        task = asyncio.ensure_future(_coroutine(work))
        group.add(task)
        waiting: set[asyncio.Future[Any]] = {task} if departure is None else {task, departure}
        try:
            await asyncio.wait(waiting, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                if task.cancelled():
                    raise _the_end()
                return task.result()
            if departure is not None and departure.done():
                raise _ClientLeft
            raise late
        finally:
            group.discard(task)
            for each in waiting:
                each.cancel()

    def _too_large(self) -> Refusal:
        return Refusal(413, f"a request may have at most {self._options.max_bytes} bytes", close=True)


class _Replay:
    """A body that has been read, as the application receives it."""

    def __init__(self, body: bytes) -> None:
        self._messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def __call__(self) -> Message:
        """The body, once; whether the client leaves is not the application's business."""
        if not self._messages:
            await asyncio.Event().wait()
        return self._messages.pop()


class _Reply:
    """Sends, notes the status, says that the connection ends, and lets pages of other sites read the answer where they may."""

    def __init__(self, send: Send, record: Record, guard: Guard) -> None:
        self._send = send
        self._record = record
        self._guard = guard
        self.origin: str | None = None

    async def __call__(self, message: Message) -> None:
        """Send a message of the application."""
        if message["type"] == "http.response.start":
            self._record.status = message["status"]
            message["headers"] = [*message.get("headers", ()), *self._further(message)]
        await self._send(message)

    def _further(self, message: Message) -> list[tuple[bytes, bytes]]:
        """Headers that the application knows nothing of."""
        further = []
        if self._guard.ending and (b"connection", b"close") not in message.get("headers", ()):
            further.append((b"connection", b"close"))  # or the client would send its next request here
        if self.origin is not None:
            further += [
                (b"access-control-allow-origin", self.origin.encode("latin-1")),
                (b"access-control-allow-headers", b"authorization, content-type"),
                (b"access-control-allow-methods", b"GET, POST"),
                (b"vary", b"origin"),
            ]
        return further

    async def refuse(self, scope: Scope, receive: Receive, refusal: Refusal) -> None:
        """Send an error, unless an answer has begun, which then stays incomplete."""
        if not self._record.status:
            await refusal.answer()(scope, receive, self)


async def _coroutine(work: Awaitable[T]) -> T:
    return await work


async def _departure(receive: Receive) -> None:
    """Returns when the client has left."""
    while (await receive())["type"] != "http.disconnect":
        pass


def _the_end() -> Refusal:
    return Refusal(503, "the service is ending", retry_after=5, close=True)
