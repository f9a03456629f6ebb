"""uvicorn with what it lacks: a time limit for headers, and an end within seconds whatever clients do."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from demotic.base.errors import DemoticError
from demotic.serve.guard import Guard
from demotic.serve.service import Service

_HEADER_BYTES = (
    32_768  # of a part of a request that is not complete yet: its headers, or what follows a body in chunks
)
_PIPELINED = 100  # requests of a connection that wait for the answer to another one
_LAST_SECONDS = 1.0  # for threads that decode, when all requests have ended
_LATE_SECONDS = 1.5  # after the time for requests in progress; then the process ends, whatever still waits
_IDLE_SECONDS = 1.0  # that a connection without a request stays open when the service ends
_FIRST_INHERITED = 3  # file descriptor, as systemd hands them over


class _Joined:
    """A connection that sends the head of an answer together with its body: one packet, for which the client wakes up once."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        self._head = b""

    def write(self, data: bytes) -> None:
        """Send, or keep a head until what follows."""
        if not self._head and data.startswith(b"HTTP/1.1 ") and not data.startswith(b"HTTP/1.1 1"):
            self._head = data
        else:
            self._transport.write(self._head + data)
            self._head = b""

    def flush(self) -> None:
        """Send a head that nothing follows, as that of an answer to HEAD."""
        if self._head:
            self.write(b"")

    def close(self) -> None:
        """Send all, then close."""
        self.flush()
        self._transport.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)


class Protocol(HttpToolsProtocol):
    """Closes a connection whose next request does not begin or whose headers do not end in time, or that reads nothing of its answer.

    uvicorn has a time limit between requests only, and drops it with the first byte; and with httptools it bounds neither headers nor the
    requests that a client sends without waiting for answers.
    """

    read_seconds = 10.0
    idle_seconds = _IDLE_SECONDS
    _waiting_since: float | None = None  # for the headers of a request
    _unfinished = 0  # bytes since a part of a request was complete
    _unsent = 0  # bytes of answers, when last looked at
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A client has connected."""
        super().connection_made(_Joined(transport))  # type: ignore[arg-type]
        self._waiting_since = self.loop.time()
        self._look_again()

    def connection_lost(self, exc: Exception | None) -> None:
        """It has gone."""
        if self._timer is not None:
            self._timer.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Something has arrived; what completes no part of a request is kept, and must not grow without end."""
        unfinished = self._unfinished + len(data)
        self._unfinished = -1
        super().data_received(data)
        self._unfinished = 0 if self._unfinished == 0 else unfinished
        if self._unfinished > _HEADER_BYTES and not self.transport.is_closing():
            self.send_400_response("The headers are too long.")

    def on_headers_complete(self) -> None:
        """A request begins."""
        if len(self.pipeline) >= _PIPELINED:
            raise ValueError("too many requests at once")  # httptools turns it into an error of its own: 400
        self._unfinished = 0
        self._waiting_since = None
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """A part of its body is there."""
        self._unfinished = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """All of it is there."""
        self._unfinished = 0
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """The answer has been sent."""
        self.transport.flush()  # type: ignore[attr-defined]
        if not self.pipeline:
            self._waiting_since = self.loop.time()
        super().on_response_complete()

    def shutdown(self) -> None:
        """The service ends. A request may be on its way already: it is answered, and the answer says that it is the last one."""
        if self.cycle is None or self.cycle.response_complete:
            self.loop.call_later(self.idle_seconds, self._close_idle)
        else:
            super().shutdown()

    def _close_idle(self) -> None:
        """Nothing has come, or what has come is being answered."""
        if not self.transport.is_closing():
            super().shutdown()

    def look(self) -> None:
        """Has something happened since the last time?"""
        unsent = self.transport.get_write_buffer_size()
        if unsent and unsent == self._unsent:
            self.transport.abort()
            return
        self._unsent = unsent
        if self._waiting_since is not None and self.loop.time() - self._waiting_since >= self.read_seconds:
            self.transport.close()
        self._look_again()

    def _look_again(self) -> None:
        self._timer = self.loop.call_later(self.read_seconds / 2, self.look)


class _Server(uvicorn.Server):
    """Ends when told to, once: accepted requests get some seconds."""

    def __init__(self, config: uvicorn.Config, service: Service, guard: Guard) -> None:
        super().__init__(config)
        self._service = service
        self._guard = guard

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """SIGTERM and Ctrl-C are requests to end, not errors: the exit code is 0."""
        before = {
            number: signal.signal(number, self.handle_exit) for number in (signal.SIGINT, signal.SIGTERM)
        }
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """A signal to end has come; others change nothing.

        All waiting times below count from when they begin, and a busy machine adds to each; the log may go to a pipe that nobody reads.
        So the clock starts here.
        """
        if self.should_exit:
            return
        self._service.ready = False
        self.should_exit = True
        late = threading.Timer(self._service.options.end_seconds + _LATE_SECONDS, os._exit, (0,))
        late.daemon = True
        late.start()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End all requests."""
        self._service.log.event("ending")
        self._guard.end()
        await super().shutdown(sockets)


def run_server(service: Service, guard: Guard, host: str, port: int) -> None:
    """Serve until SIGTERM or Ctrl-C; then end the process within five seconds (with `end_seconds` as it is).

    A socket that the parent process listens on and hands over (`LISTEN_FDS`, as systemd does) is used in place of host and port: then
    connections wait there while the service restarts, and none is refused.

    Args:
        service: for its bounds and its log.
        guard: the application.
        host: address to listen on.
        port: 0: any that is free; the log says which.

    Raises:
        DemoticError: if the address cannot be used.
    """
    options = service.options
    protocol = type("BoundedProtocol", (Protocol,), {"read_seconds": options.read_seconds})
    config = uvicorn.Config(
        guard,
        http=protocol,
        ws="none",
        lifespan="off",
        log_level="critical",  # the guard logs
        access_log=False,
        proxy_headers=False,  # nothing here depends on the address of a client
        server_header=False,
        limit_concurrency=options.max_connections,
        timeout_keep_alive=5,
        timeout_graceful_shutdown=max(1, round(options.end_seconds)) + 1,
    )
    listener = _inherited() or _listen(host, port)
    address: Any = listener.getsockname()
    service.log.event(
        "listening", host=address[0], port=address[1], models=list(service.models.by_name), pid=os.getpid()
    )
    _Server(config, service, guard).run([listener])
    _leave(service)


def _listen(host: str, port: int) -> socket.socket:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        # Only where the protocol is named does asyncio send small answers at once; otherwise the second part of an answer waits
        # 40 ms until the client has acknowledged the first.
        listener = socket.socket(family, kind, protocol)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(1024)  # before anybody is told the port
    except OSError as error:
        raise DemoticError(
            f"cannot listen on {host}:{port}: {(error.strerror or str(error)).lower()}",
            hint="choose another --host or --port",
        ) from error
    return listener


def _inherited() -> socket.socket | None:
    """The socket that the parent process hands over; None: it hands over none.

    Raises:
        DemoticError: if it is not one that accepts connections.
    """
    count = os.environ.get("LISTEN_FDS", "")
    if os.environ.get("LISTEN_PID", "") != str(os.getpid()) or not count.isdecimal() or int(count) < 1:
        return None
    try:
        listener = socket.socket(fileno=_FIRST_INHERITED)
        accepts = listener.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN)
    except OSError:
        accepts = 0
    if int(count) > 1 or not accepts:
        raise DemoticError(
            "the parent process must hand over one socket that accepts connections",
            hint="systemd: a socket unit with one ListenStream=, and Accept=no",
        )
    os.set_inheritable(_FIRST_INHERITED, False)
    listener.setblocking(False)
    return listener


def _leave(service: Service) -> None:
    """Wait a moment for threads that are decoding for clients that got no answer; then end without them."""
    until = time.monotonic() + _LAST_SECONDS
    while not (idle := service.workers.close()) and time.monotonic() < until:
        time.sleep(0.02)
    service.log.event("ended", idle=idle)
    sys.stdout.flush()
    os._exit(0)  # Python would wait for threads, and tidy up for half a second on a busy machine
