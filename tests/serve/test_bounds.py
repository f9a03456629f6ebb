"""Bounds and bad input: refused with a reason, never an error of ours."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from demotic.serve import ServeOptions, make_app
from demotic.serve.hosts import Hosts
from demotic.serve.request_log import RequestLog
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


@settings(max_examples=40)
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
    assert not stream.getvalue()  # lines of requests wait for others
    service.log.event("ended")
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert "geheim" not in stream.getvalue()
    assert [(line["route"], line["status"]) for line in lines[:3]] == [
        ("/translate", 200),
        ("other", 404),
        ("/v1/explain", 400),
    ]
    assert lines[3]["event"] == "ended"
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


def test_bounds_are_checked():
    with pytest.raises(Exception, match="max_lines must be at least 1"):
        ServeOptions(max_lines=0)
    assert SMALL.max_lines == 4
