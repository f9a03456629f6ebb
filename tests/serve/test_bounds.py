"""Bounds and bad input: refused with a reason, never an error of ours."""

from __future__ import annotations

import asyncio
import io
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient
from starlette.types import Message, Receive, Scope, Send

from demotic.serve import ServeOptions, make_app
from demotic.serve.guard import Guard
from demotic.serve.hosts import Hosts
from demotic.serve.metrics import Metrics
from demotic.serve.request_log import RequestLog
from demotic.serve.workers import Workers
from small_service import HOST, SMALL, service_of

JSON = {"content-type": "application/json"}
PAIR = {"source": "de", "target": "en"}


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ({"lines": ["eins"] * 5}, "a request may have at most 4 lines (got 5)"),
        ({"lines": ["ein Haus", "wort " * 31]}, "sentence 2 has 31 words, more than 30"),
        ({"lines": [".," * 16]}, "sentence 1 has 32 words, more than 30"),
        ({"lines": ["wort " * 28] * 3}, "a request may have at most 80 words"),
        ({"lines": ["x" * 3001]}, "sentence 1 has 3001 characters, more than 3000"),
        ({"lines": ["eins"], "kbest": 6}, "kbest must be between 1 and 5"),
        ({"lines": ["eins"], "kbest": 0}, "kbest must be between 1 and 5"),
        ({"lines": "one text"}, "Invalid request: lines must be a list of strings"),
        ({"lines": [["a"]]}, "Invalid request: lines must be a string"),
    ],
)
def test_too_much_is_refused(client: TestClient, wanted: dict, message: str):
    answer = client.post("/v1/translate", json=wanted)
    assert (answer.status_code, answer.json()["error"]) == (400, message)


def test_words_are_counted_after_tokenising(model_folder: Path):
    """Three lines of one word each for whoever splits at spaces, and 9,900 for the decoder."""
    with TestClient(make_app(service_of(model_folder, options=ServeOptions())), HOST) as client:
        answer = client.post("/v1/translate", json={"lines": [".," * 4950] * 3})
        assert answer.json()["error"] == "sentence 1 has 9900 characters, more than 3000"
        answer = client.post("/translate", json={"q": "\n".join([".," * 1400] * 3), **PAIR})
        assert answer.json()["error"] == "sentence 1 has 2800 words, more than 150"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"\xff\xfe",
        b'{"q": "\xff"}',
        b'{"q": ' + b"[" * 9_000,
        b'{"q": "a", "source": "de", "target": "en", "alternatives": ' + b"9" * 5_000 + b"}",
        b'{"q": "a", "source": "de", "target": "en", "alternatives": NaN}',
        b'{"q": "a", "source": "de", "target": "en", "alternatives": 1e999}',
        b'{"q": NaN, "source": "de", "target": "en"}',
        b'{"q": "a", "source": "\\ud800", "target": "en"}',
        b'{"q": "a", "source": {"de": 1}, "target": "en"}',
        b'{"q": "a", "source": "de", "target": "en", "api_key": 5, "format": ["text"]}',
    ],
)
@pytest.mark.parametrize("path", ["/translate", "/v1/translate", "/v1/explain", "/detect", "/suggest"])
def test_malformed_json_is_refused(client: TestClient, path: str, content: bytes):
    answer = client.post(path, content=content, headers=JSON)
    assert answer.status_code in (400, 403) or (path == "/detect" and answer.status_code == 200)
    assert path == "/detect" or answer.json()["error"]


def test_text_that_is_no_unicode_is_translated(client: TestClient):
    content = b'{"q": "das \\ud800 Haus \\u0000", "source": "de", "target": "en"}'
    answer = client.post("/translate", content=content, headers=JSON)
    assert answer.status_code == 200 and "\ud800" not in answer.json()["translatedText"]
    form = b"q=das+%ff%fe+Haus&source=de&target=en"
    answer = client.post(
        "/translate", content=form, headers={"content-type": "application/x-www-form-urlencoded"}
    )
    assert answer.status_code == 200


@pytest.mark.parametrize(
    "kind", ["multipart/form-data", "multipart/form-data; boundary=x", "image/png", "text"]
)
def test_other_bodies_are_refused(client: TestClient, kind: str):
    answer = client.post("/translate", content=b"--x\r\n\r\n\xff", headers={"content-type": kind})
    assert answer.status_code in (400, 415) and answer.json()["error"]


@settings(max_examples=60)
@given(
    st.dictionaries(
        st.sampled_from(
            ["q", "source", "target", "format", "alternatives", "lines", "line", "kbest", "model"]
        ),
        st.recursive(
            st.none()
            | st.booleans()
            | st.integers()
            | st.floats()
            | st.text(max_size=8)
            | st.sampled_from(["de", "en"]),
            lambda values: (
                st.lists(values, max_size=3) | st.dictionaries(st.text(max_size=2), values, max_size=2)
            ),
            max_leaves=4,
        ),
    ),
    st.sampled_from(["/translate", "/detect", "/suggest", "/v1/translate", "/v1/explain", "/v1/sentences"]),
)
def test_no_fields_are_an_error_of_ours(client: TestClient, fields: dict, path: str):
    answer = client.post(path, content=json.dumps(fields), headers=JSON)
    assert answer.status_code in (200, 400, 403)


def test_large_requests_are_refused(client: TestClient):
    answer = client.post("/translate", content=b"x" * 20_001, headers=JSON)
    assert answer.status_code == 413 and answer.headers["connection"] == "close"
    lies = {**JSON, "content-length": "5"}
    assert client.post("/translate", content=b"x" * 20_001, headers=lies).status_code == 413


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "localhost:8000"}, 200),
        ({"host": "127.0.0.1:8000"}, 200),
        ({"host": "[::1]:8000"}, 200),
        ({"host": "evil.example"}, 403),
        ({"host": "localhost.evil.example"}, 403),
        ({"host": "user@localhost"}, 403),
        ({"host": ""}, 403),
        ({"host": "localhost:8000", "origin": "http://localhost:8000"}, 200),
        ({"host": "localhost:8000", "origin": "http://localhost:9000"}, 403),
        ({"host": "localhost:8000", "origin": "http://evil.example"}, 403),
        ({"host": "localhost:8000", "origin": "null"}, 403),
    ],
)
def test_hosts_and_origins_are_checked(client: TestClient, headers: dict, status: int):
    assert client.get("/languages", headers=headers).status_code == status


def test_other_hosts_and_origins_can_be_allowed(model_folder: Path):
    service = service_of(model_folder)
    service.hosts = Hosts(["Translate.example"], ["https://site.example"])
    with TestClient(make_app(service), HOST) as client:
        headers = {"host": "translate.example:443", "origin": "https://site.example"}
        answer = client.get("/languages", headers=headers)
        assert answer.status_code == 200
        assert answer.headers["access-control-allow-origin"] == "https://site.example"
        assert client.options("/translate", headers=headers).status_code == 204
        assert (
            client.get("/languages", headers={**headers, "origin": "https://other.example"}).status_code
            == 403
        )


def test_unknown_paths_and_methods_are_errors_in_json(client: TestClient):
    assert client.get("/nowhere").json() == {"error": "Not Found"}
    answer = client.get("/translate")
    assert (answer.status_code, answer.json()["error"]) == (405, "Method Not Allowed")


def test_the_log_has_no_text(model_folder: Path):
    stream = io.StringIO()
    service = service_of(model_folder)
    service.log = RequestLog(stream)
    with TestClient(make_app(service), HOST) as client:
        client.post("/translate", json={"q": "ein geheimes Haus", **PAIR})
        client.get("/geheimes?q=geheimes")
        client.post("/v1/explain", json={"line": "geheimes " * 31})
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert "geheim" not in stream.getvalue()
    assert [(line["route"], line["status"]) for line in lines] == [
        ("/translate", 200),
        ("other", 404),
        ("/v1/explain", 400),
    ]
    assert (lines[0]["sentences"], lines[0]["words"]) == (1, 3)


def test_errors_of_ours_are_500_and_logged_without_text(model_folder: Path, monkeypatch: pytest.MonkeyPatch):
    stream = io.StringIO()
    service = service_of(model_folder)
    service.log = RequestLog(stream)

    def fail(*arguments: object) -> None:
        raise ValueError("geheim")

    monkeypatch.setattr(service.models.first.model, "restore", fail)
    with TestClient(make_app(service), HOST) as client:
        answer = client.post("/v1/translate", json={"lines": ["das Haus"]})
    assert (answer.status_code, answer.json()) == (500, {"error": "an error of the service"})
    failure = json.loads(stream.getvalue().splitlines()[0])
    assert (failure["event"], failure["error"]) == ("failure", "ValueError")
    assert "test_bounds.py" in failure["where"] and "geheim" not in stream.getvalue()


# The guard alone, around applications that wait for ever.

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


def test_the_end_gives_up_what_arrives_and_then_what_waits():
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


def test_bounds_are_checked():
    with pytest.raises(Exception, match="max_lines must be at least 1"):
        ServeOptions(max_lines=0)
    assert SMALL.max_lines == 4
