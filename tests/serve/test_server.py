"""`demotic serve` as a process: unchanged clients, connections that lie or linger, and its end."""

from __future__ import annotations

import asyncio
import fcntl
import json
import re
import signal
import socket
import subprocess
import sys
import termios
import time
import urllib.error
from collections.abc import Iterator
from pathlib import Path

import pytest
import uvicorn
from uvicorn.server import ServerState

from demotic.decode import TranslationModel
from demotic.serve import server
from demotic.serve.server import Protocol
from small_service import served

libretranslatepy = pytest.importorskip("libretranslatepy", reason="libretranslatepy is not installed")

CONFIG = "read_seconds = 0.5\nmax_bytes = 20000\nmax_connections = 400\nend_seconds = 1.0\n"


@pytest.fixture(scope="module")
def running(model_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, Path]]:
    """A service with short times: its port, and its queue of suggestions."""
    folder = tmp_path_factory.mktemp("serve")
    (folder / "serve.toml").write_text(CONFIG)
    queue = folder / "suggestions.jsonl"
    with served(model_folder, "--config", folder / "serve.toml", "--suggestions", queue, "--no-log") as (
        _,
        port,
    ):
        yield port, queue


def connected(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=30)


def test_the_client_of_libretranslate_works_unchanged(
    running: tuple[int, Path], model: TranslationModel, lines: list[str]
):
    port, _ = running
    client = libretranslatepy.LibreTranslateAPI(f"http://127.0.0.1:{port}")
    assert client.translate(lines[0], "de", "en") == next(model.translate(lines))
    assert {each["code"] for each in client.languages()} == {"de", "en"}
    assert client.detect(lines[0])[0]["language"] == "de"
    with pytest.raises(urllib.error.HTTPError, match="400"):
        client.translate("a", "xx", "en")


def test_chunked_bodies_are_counted_whatever_their_length_says(running: tuple[int, Path]):
    head = b"POST /translate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    with connected(running[0]) as connection:
        connection.sendall(head)
        sent = 0
        try:
            while sent < 300_000_000:
                connection.sendall(b"2000\r\n" + b"x" * 0x2000 + b"\r\n")
                sent += 0x2000
        except OSError:  # it has closed the connection
            pass
        assert sent < 50_000_000
    lying = head.replace(b"\r\n\r\n", b"\r\nContent-Length: 5\r\n\r\n")
    with connected(running[0]) as connection:
        connection.sendall(lying + b"6000\r\n" + b"x" * 0x6000 + b"\r\n0\r\n\r\n")
        assert connection.recv(100).split()[1] in (b"400", b"413")


@pytest.mark.parametrize(
    "part",
    [b"", b"POST /tr", b"POST /translate HTTP/1.1\r\nHost: localhost\r\nX: "],
    ids=["nothing", "a line", "headers"],
)
def test_half_sent_headers_are_given_up(running: tuple[int, Path], part: bytes):
    with connected(running[0]) as connection:
        connection.sendall(part)
        assert connection.recv(100) == b""


def test_half_sent_bodies_are_answered_and_given_up(running: tuple[int, Path]):
    with connected(running[0]) as connection:
        connection.sendall(b"POST /translate HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{")
        answer = b""
        while part := connection.recv(1000):
            answer += part
    assert b" 408 " in answer and b"did not arrive in time" in answer


@pytest.mark.parametrize(
    "begin",
    [
        b"",
        b"GET /health HTTP/1.1\r\nHost: localhost\r\n",
        b"GET /health HTTP/1.1\r\nHost: localhost\r\nX: ",
        b"POST /translate HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n0\r\n",
    ],
    ids=["line", "headers", "one header", "trailers"],
)
def test_headers_without_an_end_are_cut_off(running: tuple[int, Path], begin: bytes):
    """Long before their time is over: they are kept in memory."""
    more = (b"Y: " if begin.endswith(b"\n") else b"") + b"x" * 8_000
    more += b"\r\n" if begin.endswith(b"\n") else b""
    with connected(running[0]) as connection:
        sent = 0
        try:
            connection.sendall(begin or b"GET /")
            while sent < 300_000_000:
                connection.sendall(more)
                sent += len(more)
        except OSError:  # it has closed the connection
            pass
    assert sent < 20_000_000  # the system's buffers hold some


def test_requests_that_wait_for_no_answer_are_bounded(running: tuple[int, Path]):
    request = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with connected(running[0]) as connection:
        connection.sendall(50 * request)
        with connection.makefile("rb") as stream:
            assert stream.read().count(b"HTTP/1.1 200 OK\r\n") == 50

    async def waits(*arguments: object) -> None:
        await asyncio.Event().wait()

    async def scenario() -> tuple[str, int]:
        protocol, transport = (
            Protocol(uvicorn.Config(waits, log_config=None), ServerState(), {}),
            Transport(0),
        )
        protocol.connection_made(transport)
        protocol.data_received(1000 * request)
        await asyncio.sleep(0)
        return transport.state, len(protocol.pipeline)

    assert asyncio.run(scenario()) == ("closed", 100)


def test_answers_without_a_body_are_sent_and_upgrades_are_not_needed(running: tuple[int, Path]):
    upgrade = b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA\r\n"
    with connected(running[0]) as connection, connection.makefile("rb") as stream:
        connection.sendall(b"HEAD /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert stream.readline().split()[1] in (b"200", b"405")
        for line in iter(stream.readline, b"\r\n"):
            assert line
        for _ in range(2):
            connection.sendall(b"OPTIONS / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert b" 204 " in b"".join(iter(stream.readline, b"\r\n"))
        for _ in range(2):
            connection.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n" + upgrade + b"\r\n")
            head = b"".join(iter(stream.readline, b"\r\n"))
            length = re.search(rb"content-length: (\d+)", head)
            assert b" 200 " in head and length and stream.read(int(length[1])) == b'{"status":"ok"}'
        connection.sendall(
            b"POST /translate HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n"
        )
        assert stream.readline().split()[1] == b"100"


def test_a_second_request_on_a_connection_has_its_time_too(running: tuple[int, Path]):
    with connected(running[0]) as connection:
        connection.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\nGET /he")
        answer = b""
        while part := connection.recv(1000):
            answer += part
    assert answer.count(b"HTTP/1.1") == 1 and b" 200 " in answer


class Transport:
    """A connection whose client has not read so many bytes."""

    def __init__(self, unsent: int) -> None:
        self.unsent = unsent
        self.state = "open"

    def get_write_buffer_size(self) -> int:
        return self.unsent

    def get_extra_info(self, name: str) -> None:
        return None

    def is_closing(self) -> bool:
        return self.state != "open"

    def write(self, data: bytes) -> None:
        pass

    def pause_reading(self) -> None:
        pass

    resume_reading = pause_reading

    def close(self) -> None:
        self.state = "closed"

    def abort(self) -> None:
        self.state = "aborted"


def test_a_client_that_reads_nothing_is_cut_off():
    async def scenario() -> list[str]:
        states = []
        for later in (1000, 999, 0):
            config = uvicorn.Config(lambda: None, log_config=None)
            protocol = Protocol(config, ServerState(), {})
            transport = Transport(1000)
            protocol.connection_made(transport)
            protocol.look()
            transport.unsent = later
            protocol.look()
            states.append(transport.state)
        return states

    assert asyncio.run(scenario()) == ["aborted", "open", "open"]


@pytest.mark.parametrize("number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.slow)])
def test_it_ends_in_order_with_hundreds_of_half_sent_requests(
    model_folder: Path, number: signal.Signals, tmp_path: Path
):
    config = tmp_path / "serve.toml"
    config.write_text("end_seconds = 0.2\n", "utf-8")
    with served(model_folder, "--config", config) as (process, port):
        begun = b"POST /translate HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{"
        connections = [connected(port) for _ in range(100)]
        for i, connection in enumerate(connections):
            connection.sendall(begun if i % 2 else begun[:40])
        probe = connected(port)  # it is answered when all others have been accepted
        probe.sendall(b"GET /ready HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert b" 200 " in probe.recv(1000)
        process.send_signal(number)
        process.send_signal(number)
        assert process.wait(timeout=60) == 0
        assert process.stderr is not None
        errors = process.stderr.read()
        answers = [connection.recv(1000) for connection in connections]
        for connection in (*connections, probe):
            connection.close()
    assert "Traceback" not in errors
    events = [json.loads(line)["event"] for line in errors.splitlines()]
    assert events[-1] == "ended" and "ending" in events
    assert {answer[9:12] for answer in answers} == {b"503", b""}


def handed_over(
    listener: socket.socket, model_folder: Path, *arguments: object
) -> tuple[subprocess.Popen[str], str]:
    """`demotic serve` with a socket of ours, as systemd starts it; and the first line of its log."""
    script = 'exec 3<&"$0"; LISTEN_FDS=1 LISTEN_PID=$$ exec "$@"'
    command = [sys.executable, "-m", "demotic", "serve", str(model_folder), *map(str, arguments)]
    process = subprocess.Popen(
        ["bash", "-c", script, str(listener.fileno()), *command],
        stderr=subprocess.PIPE,
        text=True,
        pass_fds=[listener.fileno()],
    )
    assert process.stderr is not None
    return process, process.stderr.readline()


def answer(connection: socket.socket) -> bytes:
    """A whole answer: head and body may come in two pieces."""
    with connection.makefile("rb") as stream:
        head = b"".join(iter(stream.readline, b"\r\n"))
        length = re.search(rb"content-length: (\d+)", head, re.IGNORECASE)
        return head + stream.read(int(length[1]) if length else 0)


@pytest.mark.parametrize("times", [1, pytest.param(3, marks=pytest.mark.slow)])
def test_a_restart_with_a_socket_of_the_parent_loses_nothing(model_folder: Path, times: int):
    """Requests are sent while no process runs: the next one answers them, and the old one those that it had accepted."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        connections = []
        request = b"GET /ready HTTP/1.1\r\nHost: localhost\r\n\r\n"
        for _ in range(times):
            before = connected(port)  # nobody accepts it yet
            before.sendall(request)
            process, first = handed_over(listener, model_folder, "--no-log")
            assert json.loads(first)["port"] == port, first
            assert b" 200 " in answer(before)
            idle = connected(port)
            idle.sendall(request)
            assert b" 200 " in answer(idle)
            process.send_signal(signal.SIGTERM)
            idle.sendall(request)  # on its way when the service ends
            last = answer(idle)
            assert b" 200 " in last or b"the service is ending" in last
            assert process.wait(timeout=60) == 0
            assert process.stderr is not None
            process.stderr.close()
            connections += [before, idle]
        for connection in connections:
            connection.close()


@pytest.mark.slow
def test_only_a_socket_that_accepts_connections_is_taken(model_folder: Path):
    with socket.socket() as listener:
        process, first = handed_over(listener, model_folder)
        assert "must hand over one socket" in first and process.wait(timeout=60) == 1
        assert process.stderr is not None
        process.stderr.close()


def test_a_port_in_use_is_an_error_of_one_line(model_folder: Path, capfd: pytest.CaptureFixture[str]):
    from demotic.cli.main import run

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert run(["serve", str(model_folder), "--port", str(port)]) == 1
    assert re.search(rf"cannot listen on 127.0.0.1:{port}: address already in use", capfd.readouterr().err)


@pytest.mark.slow
def test_it_ends_within_five_seconds_while_it_works(model_folder: Path):
    """A time that the service promises: measured with much room on a busy machine."""
    with served(model_folder, "--no-log") as (process, port):
        words = " ".join(["das", "alte", "haus"] * 45)
        body = json.dumps({"lines": [words] * 30, "kbest": 50}).encode()
        head = f"POST /v1/translate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        connections = [connected(port) for _ in range(20)]
        for connection in connections:
            connection.sendall(head.encode() + body)
        probe = connected(port)
        probe.sendall(b"GET /ready HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert b" 200 " in probe.recv(1000)
        started = time.monotonic()
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=60) == 0
        assert time.monotonic() - started < 15
        for connection in (*connections, probe):
            connection.close()


@pytest.mark.skipif(not hasattr(fcntl, "F_SETPIPE_SZ"), reason="pipes have a fixed size here")
def test_it_ends_although_nobody_reads_its_log(model_folder: Path, tmp_path: Path):
    """The pipe of the log is full, so that all the process can do is wait for its reader."""
    config = tmp_path / "serve.toml"
    config.write_text("end_seconds = 0.2\n", "utf-8")
    with served(model_folder, "--config", config) as (process, port), connected(port) as connection:
        assert process.stderr is not None
        full = fcntl.fcntl(process.stderr, fcntl.F_SETPIPE_SZ, 4096) - 500
        connection.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n" * (full // 50))
        while int.from_bytes(fcntl.ioctl(process.stderr, termios.FIONREAD, bytes(4)), sys.byteorder) < full:
            time.sleep(0.01)
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=60) == 0


def test_accepted_connections_send_small_answers_at_once():
    """asyncio turns Nagle's algorithm off only for sockets whose protocol it knows."""
    with server._listen("127.0.0.1", 0) as listener:
        assert listener.proto == socket.IPPROTO_TCP
