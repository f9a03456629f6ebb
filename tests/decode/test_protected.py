"""Glossaries and protected text, from raw text to raw text."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demotic.base import DemoticError
from demotic.cli.main import run
from demotic.decode import Glossary, SpanConstraint, Term, TranslationModel, protected_spans
from demotic.decode.constraints import UNKNOWN
from demotic.decode.protected import PATTERNS

CODES = [
    "%s",
    "{0}",
    "%(name)d",
    "%1$5.2f",
    "${HOME}",
    "{{ user }}",
    "<b>",
    "</b>",
    "<br/>",
    '<a href="x y">',
    "<!-- z -->",
]
CODES += [
    "https://example.org/a?b=c&d=%20#e",
    "www.example.org/x",
    "jane.doe+1@mail.example.org",
    "%%",
    "{:>5}",
]


@pytest.mark.parametrize("code", CODES)
def test_every_code_is_found_whole(code):
    for text in (code, f"das {code} ist", f"({code}).", f"ist {code}, ja {code}!"):
        assert {text[each.begin : each.end] for each in protected_spans(text)} == {code}


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("vor %ds beendet", ["%d"]),
        ("a%sb und %1$dMB", ["%s", "%1$d"]),
        ("vor{0}nach, x<br/>y", ["{0}", "<br/>"]),
        ("%NAME%s, %start%, %ds%s, %%d", ["%NAME%", "%start%", "%d", "%s", "%%"]),
        ("%(count)smal ${n}fach", ["%(count)s", "${n}"]),
    ],
)
def test_codes_inside_words_are_found(text, codes):
    assert [each.translation for each in protected_spans(text)] == codes


@pytest.mark.parametrize(
    "text",
    [
        "50 % der Leute, 100%ig, 5 %igen",
        "a < b und b > c, x<5 und y>3, I <3 it",
        "E-Mail an uns @ home; A@B",
        "ein {nicht so} ein { leeres } Wort, 3,5 $ und 10%",
        "www. ist http: nicht",
        "Am 3. Mai 1998 um 12:30 Uhr, 1.000,50 Euro",
        "10%der Leute, 5 %des Weges, %ige Angaben, der %-Wert",
    ],
)
def test_prose_is_left_alone(text):
    assert protected_spans(text) == []


def test_numbers_on_demand():
    found = [
        each.translation
        for each in protected_spans("Am 3.5.98, um 12:30: -5 oder 1.000,50 A4 v2", ["numbers"])
    ]
    assert found == ["3.5.98", "12:30", "-5", "1.000,50"]
    with pytest.raises(DemoticError, match="unknown kind of protected text 'tag'"):
        protected_spans("", ["tag"])


@given(st.text(alphabet="a1 <b/>%s{}.@\U000f0000\U00100000\n\xa0", max_size=40))
def test_spans_are_in_order_and_hold_what_they_say(text):
    found = protected_spans(text, list(PATTERNS))
    ends = [0, *(each.end for each in found)]
    assert all(end <= each.begin < each.end for end, each in zip(ends, found, strict=False))
    assert all(text[each.begin : each.end] == each.translation for each in found)


def with_codes(lines: list[str], seed: int) -> list[tuple[str, list[str]]]:
    """Lines with one to three codes between words or glued to them."""
    draw = random.Random(seed)
    result = []
    for line in lines:
        words, codes = line.split(), []
        for _ in range(draw.randint(1, 3)):
            code = draw.choice(CODES)
            place = draw.randrange(len(words) + 1)
            if code.startswith(("<", "{")) and place < len(words) and draw.random() < 0.3:
                words[place] = code + words[place]  # glued
            else:
                words.insert(place, code)
            codes.append(code)
        result.append((" ".join(words), codes))
    return result


def codes_survive(model: TranslationModel, lines: list[tuple[str, list[str]]]) -> int:
    """Lines whose codes are all in the translation, each as often as in the source."""
    texts = [text for text, _ in lines]
    translations = model.translate(texts, 1, map(protected_spans, texts))
    whole = 0
    for (_, codes), translation in zip(lines, translations, strict=True):
        found = [each.translation for each in protected_spans(translation)]
        whole += sorted(found) == sorted(codes)
    return whole


def test_codes_survive_once_each(model_folder: Path, corpus: Path):
    lines = with_codes((corpus / "test.de").read_text("utf-8").splitlines(), seed=1)
    assert codes_survive(TranslationModel(model_folder), lines) == len(lines) == 20


@pytest.mark.slow
def test_codes_of_a_thousand_lines_survive(model_folder: Path, corpus: Path):
    source = (corpus / "train.de").read_text("utf-8").splitlines() * 3
    lines = with_codes(source[:1000], seed=2)
    assert codes_survive(TranslationModel(model_folder), lines) == len(lines) == 1000


def test_text_without_codes_is_translated_as_before(model_folder: Path, corpus: Path):
    lines = (corpus / "test.de").read_text("utf-8").splitlines()
    model = TranslationModel(model_folder)
    assert list(model.translate(lines, 1, map(protected_spans, lines))) == list(model.translate(lines, 1))


# ------------------------------------------------------------------------------------------------ glossaries


def test_terms_are_used_in_all_their_forms(model_folder: Path, tmp_path: Path):
    file = tmp_path / "terms.tsv"
    file.write_text("# comment\nHund|Hunde\tSpaniel|Spaniels\nMann\tguy\n\nPark \t city  park\n")
    glossary = Glossary.load(file)
    assert len(glossary) == 4
    lines = ["Der MANN sieht zwei Hunde im Park.", "Mann und Hund", "Mannheim hat Hundehütten."]
    constraints = [glossary.constraints(line)[0] for line in lines]
    found = list(TranslationModel(model_folder).translate(lines, 1, constraints))
    for text, terms in zip(found, [["guy", "Spaniels", "city  park"], ["Guy", "Spaniel"], []], strict=True):
        for term in ("guy", "Guy", "Spaniels", "Spaniel", "city  park"):
            assert len(re.findall(rf"\b{term}\b", text)) == (term in terms), (text, term)


def test_longest_term_first_and_case_where_asked():
    glossary = Glossary(
        [
            Term("Neue Straße", "New Street"),
            Term("Straße", "road"),
            Term("Bank", "Bank", True),
            Term("bank", "bench"),
        ]
    )
    text = "Die neue  Straße, die straße, Bank bank BANK."
    found = [(text[each.begin : each.end], each.translation) for each in glossary.constraints(text)[0]]
    assert found == [
        ("neue  Straße", "New Street"),
        ("straße", "road"),
        ("Bank", "Bank"),
        ("bank", "bench"),
        ("BANK", "bench"),
    ]


def test_overlaps_are_reported_and_protected_text_goes_first():
    glossary = Glossary([Term("a b", "x"), Term("b c", "y"), Term("b", "z")])
    text = "a b c <b> b"
    found, unmet = glossary.constraints(text, protected_spans(text))
    assert found == [
        SpanConstraint(0, 3, "x"),
        SpanConstraint(6, 9, "<b>", UNKNOWN),
        SpanConstraint(10, 11, "z"),
    ]
    assert [(each.term.source, each.reason) for each in unmet] == [("b c", "it overlaps with 'a b'")]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a\tb\nA\tc\n", r"terms.tsv:2: 'A' has two translations: 'c', and 'b' in line 1"),
        ("a b\n", r"terms.tsv:1: expected `source<TAB>target`"),
        ("a\tb\tupper\n", r"terms.tsv:1: expected"),
        ("a|b|c\tx|y\n", r"terms.tsv:1: 3 source forms, but 2 target forms"),
        ("\tx\n", r"terms.tsv:1: a form of the term is empty"),
        ("a\tx|\n", r"terms.tsv:1: a form of the term is empty"),
        ("# nothing\n", r"terms.tsv: the glossary has no terms"),
    ],
)
def test_bad_glossaries_are_refused(tmp_path, text, problem):
    file = tmp_path / "terms.tsv"
    file.write_text(text)
    with pytest.raises(DemoticError, match=problem):
        Glossary.load(file)


def test_on_the_command_line(model_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    terms, text = tmp_path / "terms.tsv", tmp_path / "text.de"
    terms.write_text("Mann sieht\tXX\nsieht den\tYY\n")
    text.write_text("Der Mann sieht den %s.\n")
    command = ["translate", str(model_folder), "--input", str(text), "--glossary", str(terms)]
    assert run(command) == 0
    found = capsys.readouterr()
    assert "line 1: the term 'sieht den' is not used: it overlaps with 'Mann sieht'" in found.err
    assert found.out == "The XX %s.\n"
    assert run(["translate", str(model_folder), "--input", str(text), "--protect", "none", "--explain"]) == 0
    assert "forced" not in capsys.readouterr().out
    assert run(["translate", str(model_folder), "--input", str(text), "--protect", "typo"]) == 1
    assert "unknown kind of protected text 'typo'" in capsys.readouterr().err
