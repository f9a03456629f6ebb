"""LibreTranslate's interface: what its clients send, and what they expect back."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from demotic.adapt import LearningModel
from demotic.decode import TranslationModel
from demotic.serve import Service, make_app
from demotic.serve.keys import KeyOptions, Keys
from demotic.serve.suggestions import Suggestions, learner_of
from small_service import HOST, service_of

PAIR = {"source": "de", "target": "en"}
KEY = "a key of sixteen characters"


@pytest.fixture
def asked(model_folder: Path, tmp_path: Path):
    """A service with keys and a queue of suggestions, and what was learnt from whom."""
    learnt: list[tuple[str, str]] = []
    service = service_of(model_folder)
    service.keys = Keys(
        {
            "teacher": KeyOptions(KEY, 1000, learn=True),
            "reader": KeyOptions("another key of some length", 8),
        }
    )
    service.suggestions = Suggestions(
        tmp_path / "suggestions.jsonl", lambda translator, source, text: learnt.append((source, text))
    )
    with TestClient(make_app(service), HOST) as client:
        yield client, learnt, tmp_path / "suggestions.jsonl"


def test_one_text_and_several(client: TestClient, model: TranslationModel, lines: list[str]):
    expected = list(model.translate(lines))
    one = client.post("/translate", json={"q": lines[0], **PAIR})
    several = client.post("/translate", json={"q": lines, **PAIR, "format": "text"})
    assert one.status_code == several.status_code == 200
    assert one.json() == {"translatedText": expected[0]}
    assert several.json() == {"translatedText": expected}


def test_json_form_and_parts_are_the_same(client: TestClient, lines: list[str]):
    fields = {"q": lines[0], **PAIR}
    answers = [
        client.post("/translate", json=fields),
        client.post("/translate", data=fields),
        client.post("/translate", files={name: (None, value) for name, value in fields.items()}),
        client.post("/translate", content=json.dumps(fields), headers={"content-type": ""}),
    ]
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.text for answer in answers}) == 1
    repeated = client.post("/translate", data={"q": lines[:2], **PAIR}).json()
    assert repeated == client.post("/translate", json={"q": lines[:2], **PAIR}).json()


def test_long_text_is_split_and_keeps_its_white_space(
    client: TestClient, model: TranslationModel, lines: list[str]
):
    first, second, third = model.translate(lines)
    text = f"  {lines[0]} {lines[1]}\n\n\t{lines[2]}  \n"
    assert all(line.endswith(".") for line in lines)
    answer = client.post("/translate", json={"q": text, **PAIR}).json()["translatedText"]
    assert answer == f"  {first} {second}\n\n\t{third}  \n"


def test_alternatives_are_other_translations(client: TestClient, lines: list[str]):
    answer = client.post("/translate", json={"q": lines[0], **PAIR, "alternatives": 3}).json()
    texts = [answer["translatedText"], *answer["alternatives"]]
    assert 2 <= len(texts) == len(set(texts)) <= 4
    batch = client.post("/translate", json={"q": lines[:2], **PAIR, "alternatives": "2"}).json()
    assert len(batch["alternatives"]) == 2 and batch["alternatives"][0] == answer["alternatives"][:2]


def test_html_keeps_markup_and_scripts(client: TestClient, model: TranslationModel, lines: list[str]):
    (text,) = model.translate(lines[:1])
    script = '<script>document.write("<p>Das Haus</p>")</script>'
    page = f'<p class="a">{lines[0]}</p>{script}<code>Das Haus</code><!-- Haus --><img alt="Haus">'
    answer = client.post("/translate", json={"q": page, **PAIR, "format": "html"}).json()["translatedText"]
    assert answer == page.replace(f">{lines[0]}<", f">{text}<")


def test_source_can_be_found_out(model_folder: Path, french_folder: Path, lines: list[str]):
    with TestClient(make_app(service_of(french_folder, model_folder)), HOST) as client:
        answer = client.post("/translate", json={"q": lines, "source": "auto", "target": "en"}).json()
        assert [each["language"] for each in answer["detectedLanguage"]] == ["de"] * 3
        one = client.post("/translate", json={"q": "???", "source": "auto", "target": "en-GB"}).json()
        assert one["detectedLanguage"] == {"confidence": 0.0, "language": "fr"}


def test_languages_of_several_models(model_folder: Path, french_folder: Path):
    with TestClient(make_app(service_of(model_folder, french_folder)), HOST) as client:
        assert client.get("/languages").json() == [
            {"code": "de", "name": "German", "targets": ["en"]},
            {"code": "en", "name": "English", "targets": []},
            {"code": "fr", "name": "French", "targets": ["en"]},
        ]
        regional = {"q": "ein", "source": "de_AT", "target": "EN-us"}
        assert client.post("/translate", json=regional).status_code == 200


def test_detect(client: TestClient, lines: list[str]):
    found = client.post("/detect", data={"q": lines[0]}).json()
    assert found[0]["language"] == "de" and found[0]["confidence"] > 80
    assert sum(each["confidence"] for each in found) <= 100.1


def test_settings_say_what_there_is(client: TestClient):
    settings = client.get("/frontend/settings").json()
    assert settings["language"]["source"] == {"code": "de", "name": "German"}
    assert settings["suggestions"] is settings["apiKeys"] is settings["keyRequired"] is False


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({}, "Invalid request: missing q parameter"),
        ({"q": ""}, "Invalid request: missing q parameter"),
        ({"q": []}, "Invalid request: q must be a string"),
        ({"q": ["a", 1], **PAIR}, "Invalid request: q must be a string"),
        ({"q": "a"}, "Invalid request: missing source parameter"),
        ({"q": "a", "source": "de"}, "Invalid request: missing target parameter"),
        ({"q": "a", "source": "xx", "target": "en"}, "xx is not supported"),
        ({"q": "a", "source": "auto", "target": "xx"}, "auto is not supported"),
        (
            {"q": "a", "source": "en", "target": "de"},
            "German (de) is not available as a target language from English (en)",
        ),
        ({"q": "a", **PAIR, "format": "pdf"}, "pdf format is not supported"),
        ({"q": "a", **PAIR, "alternatives": -1}, "alternatives must be between 0 and 4"),
        ({"q": "a", **PAIR, "alternatives": 1.5}, "Invalid request: alternatives must be a whole number"),
        ({"q": ["a"] * 5, **PAIR}, "Invalid request: request (5) exceeds text limit (4)"),
    ],
)
def test_errors_are_worded_as_clients_expect(client: TestClient, fields: dict, error: str):
    answer = client.post("/translate", json=fields)
    assert (answer.status_code, answer.json()["error"]) == (400, error)


def test_suggestions_are_refused_unless_wanted(client: TestClient):
    answer = client.post("/suggest", json={"q": "a", "s": "b", **PAIR})
    assert (answer.status_code, answer.json()["error"]) == (403, "Suggestions are disabled on this server.")


def test_suggestions_are_learnt_from_teachers_and_kept_from_others(asked):
    client, learnt, file = asked
    suggestion = {"q": "das Haus", "s": "the\nhöuse", **PAIR}
    answer = client.post("/suggest", json={**suggestion, "api_key": KEY})
    assert answer.json() == {"success": True, "state": "learnt"}
    assert learnt == [("das Haus", "the\nhöuse")] and file.read_text() == ""
    answer = client.post("/suggest", data={**suggestion, "api_key": "another key of some length"})
    assert answer.json() == {"success": True, "state": "queued"}
    (line,) = file.read_text("utf-8").splitlines()
    kept = json.loads(line)
    assert (kept["source"], kept["suggestion"], kept["client"]) == ("das Haus", "the\nhöuse", "reader")
    assert len(learnt) == 1


def test_a_correction_changes_the_next_answer(learnable: Path, tmp_path: Path):
    """With the model that learns: the service, and whoever opens the folder later, translate as was suggested."""
    folder = tmp_path / "model"
    shutil.copytree(learnable, folder)
    service = service_of(folder, open_model=LearningModel)
    service.keys = Keys({"teacher": KeyOptions(KEY, 1000, learn=True)})
    service.suggestions = Suggestions(None, learner_of(service.models))
    fields = {"q": "Ich suche einen Quastenflosser.", **PAIR, "api_key": KEY}
    with TestClient(make_app(service), HOST) as client:
        before = client.post("/translate", json=fields).json()["translatedText"]
        answer = client.post("/suggest", json={**fields, "s": "I am looking for a coelacanth."})
        assert answer.json() == {"success": True, "state": "learnt"}
        after = client.post("/translate", json=fields).json()["translatedText"]
        assert client.post("/v1/explain", json={"line": fields["q"], "api_key": KEY}).json()["text"] == after
        refused = client.post("/suggest", json={**fields, "s": "xx yy zz vv ww"})
    assert "uastenflosser" in before and "coelacanth" in after
    assert list(TranslationModel(folder).translate([fields["q"]])) == [after]
    assert refused.status_code == 400 and "target side" in refused.json()["error"]


def test_keys_are_needed_and_limited(asked):
    client, _, _ = asked
    fields = {"q": "das Haus", **PAIR}
    missing = client.post("/translate", json=fields)
    wrong = client.post("/translate", json={**fields, "api_key": "wrong"})
    header = client.post("/translate", json=fields, headers={"authorization": f"Bearer {KEY}"})
    assert (missing.status_code, wrong.status_code, header.status_code) == (400, 403, 200)
    assert wrong.json() == {"error": "Invalid API key"}
    limited = [
        client.post("/detect", data={**fields, "api_key": "another key of some length"}) for _ in "123"
    ]
    assert [answer.status_code for answer in limited] == [200, 200, 429]
    assert int(limited[2].headers["retry-after"]) >= 1
    assert limited[2].json()["error"].startswith("Slowdown: ")
    assert client.get("/languages").status_code == client.get("/health").status_code == 200


def test_a_service_of_one_model_has_one_target(service: Service):
    assert service.models.targets("de") == ["en"] and service.models.targets("en") == []
