"""The service: the same translations as `translate`, a page that is safe, and bounds."""

from __future__ import annotations

import json
import re
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from pathlib import Path
from threading import Barrier
from urllib.parse import urlencode

import pytest

pytest.importorskip("fastapi", reason="fastapi is not installed")
from fastapi.testclient import TestClient

from demotic.cli.main import run
from demotic.decode import TranslationModel
from demotic.serve import ServeOptions, Translator, make_app

FORM = {"content-type": "application/x-www-form-urlencoded"}


@pytest.fixture(scope="module")
def model(model_folder: Path) -> TranslationModel:
    return TranslationModel(model_folder)


@pytest.fixture(scope="module")
def client(model: TranslationModel) -> TestClient:
    return TestClient(make_app(Translator(model, ServeOptions(max_lines=4, max_words=30, max_kbest=5))))


@pytest.fixture(scope="module")
def lines(corpus: Path) -> list[str]:
    return (corpus / "test.de").read_text("utf-8").splitlines()[:3]


def post_form(client: TestClient, text: str) -> str:
    answer = client.post("/", content=urlencode({"text": text}), headers=FORM)
    assert answer.status_code == 200
    return answer.text


def test_json_has_the_translations_of_the_model(
    client: TestClient, model: TranslationModel, lines: list[str]
):
    answer = client.post("/translate", json={"lines": lines, "kbest": 3})
    found = answer.json()["translations"]
    assert answer.status_code == 200
    assert [kbest[0]["text"] for kbest in found] == list(model.translate(lines))
    assert all(1 <= len(kbest) <= 3 for kbest in found)
    assert all(kbest == sorted(kbest, key=lambda hypothesis: -hypothesis["score"]) for kbest in found)


def test_page_has_translations_and_derivations(client: TestClient, model: TranslationModel, lines: list[str]):
    page = post_form(client, "\n\n".join(lines) + "\n")
    outputs = [unescape(each) for each in re.findall(r'class="output">(.*?)</p>', page)]
    data = re.search(r'id="derivations">(.*?)</script>', page)
    assert outputs == list(model.translate(lines))
    assert data
    assert len(json.loads(data[1])["trees"]) == len(lines)
    assert page.count("data-tree=") == len(lines)


def test_scores_of_rules_add_up(client: TestClient, lines: list[str]):
    def total(node: dict) -> float:
        return node["score"] + sum(map(total, node.get("children", [])))

    page = post_form(client, lines[0])
    trees = json.loads(re.search(r'id="derivations">(.*?)</script>', page)[1])["trees"]
    shown = float(re.search(r"score (-?[\d.]+)", page)[1])
    assert total(trees[0]) == pytest.approx(shown, abs=0.01)


def test_requests_leave_the_model_as_it_is(sparse_model_folder: Path, corpus: Path):
    model = TranslationModel(sparse_model_folder)
    client = TestClient(make_app(Translator(model)))
    size = len(model.weights.index)
    text = (corpus / "devtest.de").read_text("utf-8")
    assert client.post("/translate", json={"lines": text.splitlines(), "kbest": 5}).status_code == 200
    assert post_form(client, text).count("data-tree=") == len(text.splitlines())
    assert len(model.weights.index) == size


def test_requests_side_by_side_have_the_same_answers(sparse_model_folder: Path, corpus: Path):
    client = TestClient(make_app(Translator(TranslationModel(sparse_model_folder), threads=2)))
    texts = (corpus / "devtest.de").read_text("utf-8").splitlines()

    def ask(line: str) -> tuple[object, str]:
        return client.post("/translate", json={"lines": [line], "kbest": 5}).json(), post_form(client, line)

    alone = [ask(line) for line in texts]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(ask, texts)) == alone


def test_no_request_waits_for_another(model: TranslationModel, monkeypatch: pytest.MonkeyPatch):
    """Each of two requests goes on only when the other has reached the same place."""
    meeting = Barrier(2, timeout=20)

    def words(*arguments: object) -> list[str]:
        meeting.wait()
        return ["haus"]

    monkeypatch.setattr(model.preprocessor, "words", words)
    translator = Translator(model, threads=2)
    with ThreadPoolExecutor(2) as pool:
        lists = list(pool.map(lambda line: translator.kbest([line], 1), ["eins", "zwei"]))
        trees = list(pool.map(translator.explain, ["eins", "zwei"]))
    assert lists[0] == lists[1] and trees[0] == trees[1]


def test_empty_form_shows_no_translations(client: TestClient):
    assert "<article>" not in client.get("/").text
    assert "<article>" not in post_form(client, "  \n ")


def test_text_is_shown_as_text(client: TestClient):
    page = post_form(client, "<script>alert(1)</script> </textarea>")
    assert "<script>alert" not in page
    assert page.count("</textarea>") == 1


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ({"lines": ["eins"] * 5}, "a request may have at most 4 lines (got 5)"),
        ({"lines": ["ein Haus", "wort " * 31]}, "line 2 has 31 words, more than 30"),
        ({"lines": ["eins"], "kbest": 6}, "kbest must be between 1 and 5 (got 6)"),
        ({"lines": ["eins"], "kbest": 0}, "kbest must be between 1 and 5 (got 0)"),
    ],
)
def test_too_much_is_refused(client: TestClient, wanted: dict, message: str):
    answer = client.post("/translate", json=wanted)
    assert answer.status_code == 400
    assert answer.json()["error"] == message
    assert answer.json()["hint"]


def test_page_says_what_is_too_much(client: TestClient):
    page = post_form(client, "wort " * 31)
    assert "line 1 has 31 words" in page
    assert "<article>" not in page


@pytest.mark.parametrize("content", [b"{", b"[]", b'{"lines": "one text"}', b"\xff\xfe"])
def test_malformed_json_is_refused(client: TestClient, content: bytes):
    answer = client.post("/translate", content=content, headers={"content-type": "application/json"})
    assert answer.status_code in (400, 422)


def test_a_form_that_is_no_text_is_an_empty_one(client: TestClient):
    answer = client.post("/", content=b"\xff\xfe=\x00&&", headers=FORM)
    assert answer.status_code == 200


def test_large_requests_are_not_read(client: TestClient):
    assert client.post("/", content=b"x" * 300_000, headers=FORM).status_code == 413
    assert client.post("/", content=iter([b"no length"]), headers=FORM).status_code == 413


def test_serve_wants_a_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert run(["serve", str(tmp_path)]) == 1
    assert "demotic train" in capsys.readouterr().err
