"""What only Demotic has: lists, derivations, models by name."""

from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest
from starlette.testclient import TestClient

from demotic.base.errors import DemoticError
from demotic.cli.main import run
from demotic.decode import Hypergraph, KBest, TranslationModel
from demotic.serve import ServeOptions, make_app
from small_service import HOST, service_of


def test_lines_have_the_translations_of_the_model(
    client: TestClient, model: TranslationModel, lines: list[str]
):
    answer = client.post("/v1/translate", json={"lines": lines, "kbest": 3})
    found = answer.json()["translations"]
    assert answer.status_code == 200
    assert [kbest[0]["text"] for kbest in found] == list(model.translate(lines))
    assert all(1 <= len(kbest) <= 3 for kbest in found)
    assert all(kbest == sorted(kbest, key=lambda hypothesis: -hypothesis["score"]) for kbest in found)


def test_rules_explain_words_and_score(client: TestClient, lines: list[str]):
    found = client.post("/v1/explain", json={"line": lines[0]}).json()
    rules = found["rules"]
    assert sum(rule["score"] for rule in rules) == pytest.approx(found["score"])
    for word in found["words"]:
        rule, shown = rules[word["rule"]], found["text"][word["begin"] : word["end"]]
        assert shown.lower() in [str(symbol).lower() for symbol in rule["target"]]
    assert rules[0]["kind"] == "goal"
    children = sorted(child for rule in rules for child in rule["children"])
    assert children == list(range(1, len(rules)))


def test_alternatives_of_a_rule_contain_it(client: TestClient, lines: list[str]):
    rules = client.post("/v1/explain", json={"line": lines[0]}).json()["rules"]
    translations = [rule for rule in rules if rule["kind"] == "translation"]
    assert translations
    for rule in translations:
        counts = [each["count"] for each in rule["alternatives"]]
        assert counts == sorted(counts, reverse=True)
        assert len(counts) == 8 or rule["target"] in [each["target"] for each in rule["alternatives"]]


def test_sentences_are_those_that_are_translated(client: TestClient, lines: list[str]):
    text = f"{lines[0]} {lines[1]}\n\n{lines[2]}"
    found = client.post("/v1/sentences", json={"text": text}).json()["lines"]
    assert found == [[lines[0], lines[1]], [], [lines[2]]]


def test_requests_leave_the_model_as_it_is(sparse_model_folder: Path, corpus: Path):
    service = service_of(sparse_model_folder, options=ServeOptions())
    size = len(service.models.first.model.weights.index)
    lines = (corpus / "devtest.de").read_text("utf-8").splitlines()
    with TestClient(make_app(service), HOST) as client:
        assert client.post("/v1/translate", json={"lines": lines, "kbest": 5}).status_code == 200
        assert client.post("/v1/explain", json={"line": lines[0]}).status_code == 200
    assert len(service.models.first.model.weights.index) == size


def test_requests_side_by_side_have_the_same_answers(sparse_model_folder: Path, corpus: Path):
    lines = (corpus / "devtest.de").read_text("utf-8").splitlines()[:8]
    with TestClient(make_app(service_of(sparse_model_folder)), HOST) as client:

        def ask(line: str) -> tuple[object, object]:
            return (
                client.post("/v1/translate", json={"lines": [line], "kbest": 5}).json(),
                client.post("/v1/explain", json={"line": line}).json(),
            )

        alone = [ask(line) for line in lines]
        with ThreadPoolExecutor(4) as pool:
            assert list(pool.map(ask, lines)) == alone


def test_no_request_waits_for_another(model_folder: Path, monkeypatch: pytest.MonkeyPatch):
    """Each of two requests goes on only when the other has reached the same place."""
    service = service_of(model_folder)
    meeting, model = Barrier(2, timeout=20), service.models.first.model
    chosen = model.chosen

    def met(graph: Hypergraph, k: int) -> KBest:
        meeting.wait()
        return chosen(graph, k)

    monkeypatch.setattr(model, "chosen", met)
    with TestClient(make_app(service), HOST) as client, ThreadPoolExecutor(2) as pool:
        bodies = [{"lines": ["haus"]}] * 2
        answers = list(pool.map(lambda body: client.post("/v1/translate", json=body), bodies))
    assert [answer.status_code for answer in answers] == [200, 200]
    assert answers[0].json() == answers[1].json()


def test_models_of_one_pair_are_asked_by_name(model_folder: Path, sparse_model_folder: Path, tmp_path: Path):
    second = tmp_path / "sparse"
    shutil.copytree(sparse_model_folder, second)
    service = service_of(model_folder, second)
    with TestClient(make_app(service), HOST) as client:
        models = client.get("/v1/models").json()
        assert [each["name"] for each in models] == [model_folder.name, "sparse"]
        scores = [
            client.post("/v1/translate", json={"lines": ["das Haus ist alt"], "model": each["name"]}).json()
            for each in models
        ]
        assert scores[0] != scores[1]
        unknown = client.post("/v1/translate", json={"lines": ["a"], "model": "other"})
        assert unknown.status_code == 400 and "sparse" in unknown.json()["hint"]
    with pytest.raises(DemoticError, match="two models are called"):
        service_of(model_folder, model_folder)


def test_a_folder_that_changes_changes_nothing(model_folder: Path, tmp_path: Path, lines: list[str]):
    """Files that are replaced or removed: the service goes on with what it has loaded."""
    folder = tmp_path / "model"
    shutil.copytree(model_folder, folder)
    with TestClient(make_app(service_of(folder)), HOST) as client:
        before = client.post("/v1/translate", json={"lines": lines, "kbest": 3}).json()
        shutil.rmtree(folder)
        folder.mkdir()
        (folder / "weights.txt").write_text("LanguageModel -7\n")
        assert client.post("/v1/translate", json={"lines": lines, "kbest": 3}).json() == before
        assert client.post("/v1/explain", json={"line": lines[0]}).status_code == 200


def test_serve_wants_a_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert run(["serve", str(tmp_path)]) == 1
    assert "demotic train" in capsys.readouterr().err


def test_serve_learns_from_known_clients_only(model_folder: Path, capsys: pytest.CaptureFixture[str]):
    assert run(["serve", str(model_folder), "--learn"]) == 1
    assert "--learn needs --keys" in capsys.readouterr().err
