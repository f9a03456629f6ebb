"""What the service tells about its translations: evidence, confidence, glossaries, contrasts, and files."""

from __future__ import annotations

from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from demotic.adapt.confidence import ConfidentModel
from demotic.adapt.contrasting import contrast
from demotic.adapt.evidence import evidence_of
from demotic.base.errors import DemoticError
from demotic.cli.serve import _glossaries
from demotic.corpus.formats import read_document
from demotic.decode import TranslationModel
from demotic.decode.documents import REVIEW_ALL, translate_document
from demotic.serve import load_service, make_app
from small_service import HOST, service_of

PO = """\
msgid ""
msgstr "Content-Type: text/plain; charset=ISO-8859-1\\n"

# a comment
msgid "das Haus %(name)s ist <b>alt</b>."
msgstr ""

msgid "der Mann"
msgstr "done"
"""


@pytest.fixture(scope="module")
def both(model_folder: Path, calibrated: Path) -> Iterator[TestClient]:
    with TestClient(make_app(service_of(model_folder, calibrated)), HOST) as client:
        yield client


def test_the_evidence_of_each_rule_is_that_of_why(
    client: TestClient, model: TranslationModel, lines: list[str]
):
    found = client.post("/v1/explain", json={"line": lines[0], "examples": 2, "runners_up": 2}).json()
    expected = evidence_of(model, lines[0], examples=2, runners_up=2)
    rules = [rule for rule in found["rules"] if rule["kind"] in ("translation", "pass-through")]
    assert sorted(rule["places"] for rule in rules) == sorted(rule.count for rule in expected.rules)
    pairs = {
        (unescape(" ".join(example.source)), unescape(" ".join(example.target)), example.line)
        for rule in expected.rules
        for example in rule.examples
    }
    examples = [example for rule in rules for example in rule["examples"]]
    whole = [
        [" ".join(part["text"] for part in each[side]) for side in ("source", "target")] for each in examples
    ]
    assert {(*sides, each["line"]) for sides, each in zip(whole, examples, strict=True)} == pairs
    for rule in rules:
        for example in rule["examples"]:  # the rule's own words, without what fills its gaps
            words = [
                word for part in example["source"] if part["part"] == "rule" for word in part["text"].split()
            ]
            assert words == [symbol for symbol in rule["source"] if isinstance(symbol, str)]
    assert [each["text"] for each in found["runners_up"]] == [each.text for each in expected.runners_up]
    for other in found["runners_up"]:
        gap = sum(each["advantage"] for each in other["differences"])
        assert len(other["differences"]) == 12 or gap == pytest.approx(found["score"] - other["score"])


def test_a_calibrated_model_says_how_sure_it_is(both: TestClient, calibrated: Path, lines: list[str]):
    answer = both.post(
        "/v1/translate", json={"lines": [*lines, ""], "model": "sure", "confidence": True}
    ).json()
    sure = ConfidentModel(TranslationModel(calibrated))
    kbest = list(sure.model.kbest(lines, 100))
    expected = [sure.probability(line, each) for line, each in zip(lines, kbest, strict=True)]
    assert answer["confidence"] == pytest.approx([*expected, 1.0])
    assert [len(each) for each in answer["translations"]] == [1, 1, 1, 1]
    models = {each["name"]: each for each in both.get("/v1/models").json()}
    assert models["sure"]["confidence"]["thresholds"] == {"80": 0.7, "90": None, "95": None}
    refused = both.post("/v1/translate", json={"lines": lines, "confidence": True})
    assert (refused.status_code, refused.json()["error"]) == (400, "the model is not calibrated")


def test_terms_of_a_request_are_used(client: TestClient):
    body = {"lines": ["das Haus ist alt", "der Mann"], "glossary": "# terms\nHaus\tSHED\nMann\tBLOKE\n"}
    answer = client.post("/v1/translate", json=body).json()
    assert "SHED" in answer["translations"][0][0]["text"] and "BLOKE" in answer["translations"][1][0]["text"]
    assert answer["unmet"] == [[], []]
    overlap = {"lines": ["das alte Haus am See"], "glossary": "alte Haus\tX\nHaus am\tY\n"}
    (unmet,) = client.post("/v1/translate", json=overlap).json()["unmet"]
    assert unmet == ["Haus am: it overlaps with 'alte Haus'"]
    explained = client.post("/v1/explain", json={"line": "das Haus", "glossary": "Haus\tSHED"}).json()
    assert "forced" in {rule["kind"] for rule in explained["rules"]} and "SHED" in explained["text"]


@pytest.mark.parametrize(
    ("glossary", "error"),
    [
        ("Haus", "glossary in line 1: expected `source<TAB>target`, and perhaps `<TAB>case`"),
        ("a\tb\na\tc", "glossary in line 2: 'a' has two translations: 'c', and 'b' in line 1"),
        (["a"], "Invalid request: glossary must be a string"),
    ],
)
def test_a_glossary_that_is_wrong_is_refused(client: TestClient, glossary: object, error: str):
    answer = client.post("/v1/translate", json={"lines": ["das Haus"], "glossary": glossary})
    assert (answer.status_code, answer.json()["error"]) == (400, error)


def test_terms_of_the_service_are_used_by_every_client(model_folder: Path, tmp_path: Path):
    terms = tmp_path / "terms.tsv"
    terms.write_text("Haus\tSHED\nMann\tBLOKE\n", "utf-8")
    glossaries = _glossaries([str(terms)], [model_folder])
    with TestClient(make_app(load_service([model_folder], glossaries=glossaries)), HOST) as client:
        body = {"q": "das Haus", "source": "de", "target": "en"}
        assert "SHED" in client.post("/translate", json=body).json()["translatedText"]
        # Those of a request go first.
        asked = {"lines": ["das Haus und der Mann"], "glossary": "Haus\tHUT"}
        text = client.post("/v1/translate", json=asked).json()["translations"][0][0]["text"]
        assert "HUT" in text and "SHED" not in text and "BLOKE" in text
    with pytest.raises(DemoticError, match="unknown model 'other'"):
        load_service([model_folder], glossaries=_glossaries([f"other={terms}"], [model_folder]))


def test_placeholders_survive_in_every_call(client: TestClient):
    text = "das Haus %(name)s ist <b>alt</b>, siehe https://example.org/a?b=1."
    body = {"q": text, "source": "de", "target": "en"}
    answer = client.post("/translate", json=body).json()["translatedText"]
    for kept in ("%(name)s", "<b>", "</b>", "https://example.org/a?b=1"):
        assert answer.count(kept) == 1


def test_two_models_are_contrasted(both: TestClient, model: TranslationModel, lines: list[str]):
    answer = both.post("/v1/contrast", json={"line": lines[0], "other": "sure"}).json()
    assert answer["agree"] and answer["first"]["rank_of_other"] == 1
    expected = contrast(model, model, lines[0])
    assert answer["second"]["text"] == expected.second.translation


def test_a_file_comes_back_as_translate_writes_it(both: TestClient, calibrated: Path, tmp_path: Path):
    file = tmp_path / "a.po"
    file.write_text(PO, "utf-8")
    model = TranslationModel(calibrated)
    document = read_document(file, "de", "en")
    expected = document.rendered(translate_document(model, document, review=REVIEW_ALL))
    body = {"name": "../../a.po", "content": PO, "model": "sure", "review": 100}
    answer = both.post("/v1/file", json=body).json()
    assert answer == {"content": expected, "segments": 1, "unsure": 1}
    assert "%(name)s" in expected and "fuzzy" in expected
    unmarked = both.post("/v1/file", json={**body, "review": 0}).json()
    assert unmarked["unsure"] == 0 and "fuzzy" not in unmarked["content"]


@pytest.mark.parametrize(
    ("name", "content", "error"),
    [
        ("a.docx", "x", "unknown format"),
        ("a", "x", "unknown format"),
        ("a.xlf", "<xliff", "line 1: "),
        ("a.xlf", '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', ""),
        ("a.txt", "Das Haus ist alt. " * 60, "a request may have at most 80 words"),
    ],
)
def test_a_file_that_is_wrong_is_refused(client: TestClient, name: str, content: str, error: str):
    answer = client.post("/v1/file", json={"name": name, "content": content})
    assert answer.status_code == 400 and error in answer.json()["error"]
