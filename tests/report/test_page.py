"""The page as text: well-formed, harmless, the same bytes every time."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jinja2 import UndefinedError

import demotic
from demotic.base import DemoticError
from demotic.report import FeatureGroup, Report, Table, write_report
from demotic.report.examples import choose_examples
from demotic.report.features import group_sizes
from demotic.report.tables import sort_key, table_view
from demotic.report.templating import render, templates
from demotic.report.word_diff import spaced_diff, word_diff

from .sample import HOSTILE, derivation, example, sample_report

TEMPLATES = Path(demotic.__file__).parent
VOID = {"meta", "input", "br"}
CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
ANY_TEXT = st.text(st.characters() | st.sampled_from("<>&\"'\x00\x1b\x7f\x9f\ud800\udfff\u2028"))


class Outline(HTMLParser):
    """Elements, attributes and text of a page; every element must be closed in order."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(page)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] not in ("script", "style"):
            self.text += data


@pytest.fixture(scope="module")
def outline(written: list[Path]) -> Outline:
    return Outline(written[0].read_text("utf-8"))


def test_hostile_text_makes_no_elements(outline: Outline):
    scripts = [attributes for tag, attributes in outline.elements if tag == "script"]
    assert scripts == [{"type": "application/json", "id": "derivations"}, {}]
    assert not [tag for tag, _ in outline.elements if tag == "img"]
    assert not [key for _, attributes in outline.elements for key in attributes if key.startswith("on")]
    assert HOSTILE.split("\x00")[0] in outline.text


def test_nothing_comes_from_elsewhere(written: list[Path], outline: Outline):
    for tag, attributes in outline.elements:
        assert tag not in ("link", "iframe", "object") and "src" not in attributes
        for key in ("href", "xlink:href", "action"):
            assert (attributes.get(key) or "#").startswith("#"), (tag, attributes)
    page = written[0].read_text("utf-8")
    assert "@import" not in page and not re.search(r"url\((?!#)", page)
    policies = [a["content"] for _, a in outline.elements if a.get("http-equiv") == "Content-Security-Policy"]
    assert len(policies) == 1 and policies[0].startswith("default-src 'none';")


def test_the_policy_allows_the_script_of_the_page(written: list[Path], outline: Outline):
    script = written[0].read_text("utf-8").rpartition("<script>")[2].partition("</script>")[0]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policies = [a["content"] for _, a in outline.elements if a.get("http-equiv") == "Content-Security-Policy"]
    assert f"script-src 'sha256-{digest}'" in policies[0]


def test_identifiers_are_unique_and_references_lead_somewhere(outline: Outline):
    identifiers = [attributes["id"] for _, attributes in outline.elements if "id" in attributes]
    assert len(identifiers) == len(set(identifiers))
    for _, attributes in outline.elements:
        for key in ("aria-controls", "aria-labelledby", "href", "xlink:href"):
            if attributes.get(key):
                assert attributes[key].removeprefix("#") in identifiers


def test_landmarks_headings_and_tables(outline: Outline):
    tags = [tag for tag, _ in outline.elements]
    assert all(tags.count(tag) == 1 for tag in ("header", "nav", "main", "footer", "h1"))
    levels = [int(tag[1]) for tag in tags if re.fullmatch(r"h[1-6]", tag)]
    assert all(after - before <= 1 for before, after in pairwise(levels))
    assert tags.count("table") == tags.count("caption") > 8
    assert all(attributes.get("scope") for tag, attributes in outline.elements if tag == "th")
    drawings = [attributes for _, attributes in outline.elements if attributes.get("role") == "img"]
    assert len(drawings) == 7 and all(attributes["aria-label"] for attributes in drawings)


def test_figures_are_files_too(written: list[Path]):
    names = sorted(path.name for path in written[1:])
    stems = [
        "bins-",
        "groups-",
        "learning-bleu",
        "learning-features",
        "learning-seconds",
        "own",
        "scores-news",
    ]
    assert len(names) == 14 and all(any(name.startswith(stem) for name in names) for stem in stems)
    assert all(path.read_bytes()[:4] in (b"\x89PNG", b"<?xm") for path in written[1:])


def test_same_report_same_bytes(written: list[Path], tmp_path: Path):
    again = write_report(sample_report(), tmp_path / "report.html")
    assert [path.read_bytes() for path in again] == [path.read_bytes() for path in written]


def test_every_part_is_optional(tmp_path: Path):
    (page,) = write_report(Report("Nothing yet"), tmp_path / "deep" / "report.html")
    assert "Nothing yet" in Outline(page.read_text("utf-8")).text
    assert not page.with_suffix(".figures").exists()


def test_derivations_are_data(written: list[Path]):
    data = re.search(
        r'<script type="application/json" id="derivations">(.*?)</script>', written[0].read_text("utf-8")
    )
    assert data is not None
    plain = json.loads(data[1])
    assert len(plain["trees"]) == 2 * 24
    root = plain["trees"][0]

    def total(node) -> float:
        parts = sum(value * weight for _, value, weight in node["features"])
        assert parts == pytest.approx(node["score"], abs=1e-4)
        return parts + sum(map(total, node.get("children", [])))

    assert total(root) == pytest.approx(derivation().total(), abs=1e-4)
    assert "das X1 X2 → the X2 X1" in plain["features"]


def shown(page: str) -> str:
    """Line ends as a browser reads them."""
    return page.replace("\r\n", "\n").replace("\r", "\n")


@given(ANY_TEXT)
def test_any_text_is_escaped(words: str):
    figure = {"name": "own", "description": words, "caption": "", "svg": ""}
    page = render("own.html", view={"paragraphs": [words], "tables": [], "figures": [figure]})
    found = Outline(page)
    assert [tag for tag, _ in found.elements] == ["p", "div", "figure", "div", "figcaption"]
    harmless = shown(CONTROL.sub("�", words))
    assert shown(found.text).startswith(harmless)
    assert shown(found.text)[len(harmless) :].isspace()
    assert shown(found.elements[3][1]["aria-label"] or "") == harmless
    page.encode("utf-8")


@settings(max_examples=30)
@given(st.recursive(ANY_TEXT | st.integers(), lambda inner: st.lists(inner, max_size=4)))
def test_any_data_stays_data(value):
    body = templates("demotic.report").from_string("{{ value|tojson }}").render(value=value)
    assert not set("<>&'") & set(body) and "\n" not in body
    assert json.loads(body) == value


def test_a_value_that_a_template_lacks_is_an_error():
    with pytest.raises(UndefinedError, match="no attribute 'warnings'"):
        render("results.html", view={})


def test_only_style_script_and_figures_are_taken_as_they_are():
    sources = (path.read_text("utf-8") for path in TEMPLATES.glob("*/templates/*.html"))
    found = [expression for source in sources for expression in re.findall(r"{{[^}]*safe[^}]*}}", source)]
    assert sorted(found) == ["{{ script|safe }}", "{{ style|safe }}", "{{ view.svg|safe }}"]


@given(st.text(alphabet="ab .,", max_size=30), st.text(alphabet="ab .,", max_size=30))
def test_a_diff_gives_both_texts(before: str, after: str):
    parts = word_diff(before, after)

    def words(kinds: str) -> str:
        return "".join("".join(part.split()) for kind, part in parts if kind in kinds)

    assert words("same new") == "".join(after.split())
    assert words("same gone") == "".join(before.split())


@pytest.mark.parametrize(
    ("before", "after", "marked"),
    [
        ("on the bank.", "on the bench.", "on the <del>bank</del> <ins>bench</ins>."),
        ("who will she follow?", "who will she?", "who will she <del>follow</del>?"),
        ("The man", "A man", "<del>The</del> <ins>A</ins> man"),
        ("it's", "it's <b>", "it&#39;s <ins>&lt;b&gt;</ins>"),
    ],
)
def test_how_a_diff_looks(before: str, after: str, marked: str):
    macros = templates("demotic.report").get_template("words.html").module
    assert macros.words(spaced_diff(before, after)) == marked


@pytest.mark.parametrize(
    ("cell", "key"),
    [
        ("27.3*", "27.3"),
        ("1,204", "1204"),
        ("−0.5 ±0.1", "-0.5"),
        ("<0.001", "0.001"),
        ("1e-05", "1e-05"),
        ("12%", "12"),
        (7, "7"),
        ("3rd", None),
        ("abc 3", None),
        (None, None),
    ],
)
def test_what_cells_sort_by(cell, key):
    assert sort_key(cell) == key


def test_tables_that_do_not_fit_are_refused():
    with pytest.raises(DemoticError, match="a row has 1 cells, the header 2"):
        table_view(Table("t", ["a", "b"], [["x"]]))
    with pytest.raises(DemoticError, match="spans do not cover its 1 columns"):
        table_view(Table("t", ["a"], [["x"]], spans=[("s", 2)]))


def test_sizes_of_groups():
    groups = [FeatureGroup(1.0, ["x"] * size) for size in (1, 1, 2, 3, 4, 4, 9)]
    assert group_sizes(groups) == {"1": 2, "2": 1, "3–4": 3, "5–8": 0, "9–16": 1}


def test_figures_of_one_name_are_refused(tmp_path: Path):
    report = sample_report()
    with pytest.raises(DemoticError, match="two figures of the report are called 'own'"):
        write_report(replace(report, sections=[*report.sections, *report.sections]), tmp_path / "r.html")


def test_which_examples_are_chosen():
    examples = [example(i) for i in range(1, 101)]
    chosen = choose_examples(examples, 30)
    gains = {e.line: list(e.outputs.values())[1].score - 50 for e in examples}
    ranked = sorted(gains, key=lambda line: gains[line])
    lines = [e.line for e in chosen]
    assert len(lines) == 30 and lines == sorted(lines)
    assert set(ranked[:10]) <= set(lines) and set(ranked[-10:]) <= set(lines)
    assert choose_examples(examples, 100) == examples
    single = [replace(e, outputs={"MERT": e.outputs["MERT"]}) for e in examples]
    assert len(choose_examples(single, 30)) == 30
