"""Small parts of the service: the detector, keys, counts, the queue of suggestions, the description of the interface."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from demotic.base.errors import DemoticError
from demotic.serve import Service
from demotic.serve.answers import Refusal
from demotic.serve.app import all_routes
from demotic.serve.detector import Detector, samples
from demotic.serve.keys import Allowance, Client, Keys
from demotic.serve.metrics import Metrics
from demotic.serve.operations import openapi
from demotic.serve.suggestions import Suggestions


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector(samples())


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Der Ausschuss hat den Vorschlag gestern abgelehnt.", "de"),
        ("The committee rejected the proposal yesterday.", "en"),
        ("La commission a rejeté la proposition hier soir.", "fr"),
        ("El comité rechazó ayer la propuesta de la mañana.", "es"),
        ("Il comitato ha respinto la proposta di questa mattina.", "it"),
        ("Zítra pojedeme vlakem do Prahy.", "cs"),
        ("Завтра мы поедем на поезде.", "ru"),
    ],
)
def test_languages_are_told_apart(detector: Detector, text: str, language: str):
    assert detector.detect(text)[0][0] == language


@given(st.text())
def test_probabilities_add_up(detector: Detector, text: str):
    found = detector.detect(text)
    assert not found or sum(share for _, share in found) == pytest.approx(1)
    assert found == sorted(found, key=lambda pair: (-pair[1], pair[0]))


def test_nothing_is_said_about_text_without_letters(detector: Detector):
    assert detector.detect("123 ?! ...") == []
    assert {code for code, _ in detector.detect("Wie geht es", ["de", "en"])} == {"de", "en"}


def test_more_text_of_one_language_does_not_make_it_more_likely():
    texts = {"aa": "kala mula " * 10, "bb": "kala mula " * 1000}
    assert dict(Detector(texts).detect("kala"))["aa"] == pytest.approx(0.5, abs=0.02)


@given(st.integers(1, 600), st.lists(st.floats(0, 30), max_size=60))
def test_no_minute_has_more_requests_than_allowed(per_minute: int, pauses: list[float]):
    now, granted = 0.0, []
    allowance = Allowance(per_minute, lambda: now)
    for pause in pauses:
        now += pause
        if allowance.take() == 0:
            granted.append(now)
    for begin in granted:
        within = sum(begin <= time <= begin + 60 for time in granted)
        assert within <= per_minute + max(1, per_minute / 4) + 1e-6


def test_requests_come_back_when_it_says_so():
    now = 0.0
    allowance = Allowance(6, lambda: now)
    assert allowance.take() == 0
    wait = allowance.take()
    now += wait
    assert wait == pytest.approx(5) and allowance.take() == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there are no keys"),
        ("[keys.a]\nkey = 'short'", "the key of 'a' has fewer than 16"),
        (
            "[keys.a]\nrequests_per_minute = 0\nkey = '0123456789abcdef'",
            "requests_per_minute must be at least 1",
        ),
        ("[keys.a]\nkey = '0123456789abcdef'\n[keys.b]\nkey = '0123456789abcdef'", "the same key"),
        ("[keys.a]\nkex = 'x'", "unknown option"),
        ("[keys", "not valid TOML"),
    ],
)
def test_bad_keys_are_errors_at_once(tmp_path: Path, text: str, message: str):
    file = tmp_path / "keys.toml"
    file.write_text(text)
    with pytest.raises(DemoticError, match=message):
        Keys.load(file)


def test_metrics_are_prometheus_text():
    metrics = Metrics()
    for seconds in (0.005, 0.01, 0.2, 100):
        metrics.request("/translate", 200, seconds)
    metrics.suggestions["queued"] += 2
    metrics.gauges["requests"] = ("Waiting.", lambda: 3.0)
    text = metrics.text()
    for line in text.splitlines():
        assert re.fullmatch(r'# (HELP|TYPE) \w+ .+|\w+(\{\w+="[^"]*"(,\w+="[^"]*")*\})? [\d.e+-]+', line), (
            line
        )
    buckets = [int(count) for count in re.findall(r"bucket\{.*\} (\d+)", text)]
    assert buckets == [2, 2, 2, 3, 3, 3, 3, 3, 4]
    assert 'demotic_requests_total{route="/translate",status="200"} 4' in text
    assert "demotic_requests 3" in text and 'kind="queued"} 2' in text


def test_suggestions_that_cannot_be_kept(tmp_path: Path, service: Service):
    with pytest.raises(DemoticError):
        Suggestions(tmp_path / "nowhere" / "file")
    folder = tmp_path / "folder"
    folder.mkdir()
    queue = Suggestions(folder / "queue")
    assert oct((folder / "queue").stat().st_mode & 0o777) == "0o600"
    with pytest.raises(Refusal, match="disabled"):
        asyncio.run(Suggestions().add(service.models.first, "a", "b", Client()))
    (folder / "queue").unlink()
    folder.rmdir()
    with pytest.raises(Refusal, match="could not be kept"):
        asyncio.run(queue.add(service.models.first, "a", "b", Client()))


def test_the_interface_is_described(client: TestClient, service: Service):
    document = openapi()
    described = {(path, method.upper()) for path, each in document["paths"].items() for method in each}
    routes = {
        (route.path, method) for route in all_routes(service) for method in route.methods if method != "HEAD"
    }
    assert described == routes
    assert client.get("/openapi.json").json() == document
    page = client.get("/docs").text
    assert all(path in page for path in document["paths"]) and "<script" not in page


def test_health_readiness_and_counts(client: TestClient, service: Service):
    assert client.get("/health").json() == {"status": "ok"}
    assert client.get("/ready").json() == {"status": "ready", "models": list(service.models.by_name)}
    service.ready = False
    assert client.get("/ready").status_code == 503
    service.ready = True
    client.post("/v1/translate", json={"lines": ["das Haus"]})
    assert 'demotic_requests_total{route="/v1/translate",status="200"}' in client.get("/metrics").text
